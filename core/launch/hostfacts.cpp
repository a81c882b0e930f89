#include "launch/hostfacts.h"

#include "base/files.h"
#include "launch/untrustedjson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <string_view>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>

namespace sweepscope::launch {

namespace {

namespace fs = std::filesystem;

/// /proc/cpuinfo of many cores is long and slow to read; the first core is enough.
std::string beginningOf(const fs::path &file)
{
    std::array<char, 4096> bytes{};
    const auto open = openRegularFile(file, O_RDONLY, Links::Follow);
    const ssize_t got = open ? ::read(open->get(), bytes.data(), bytes.size()) : 0;
    return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

/// Of a line such as "model name : AMD EPYC 9554"; empty if there is none.
std::string valueOfLine(const std::string &text, std::string_view name, char separator)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t place = line.find(separator);
        if (!line.starts_with(name) || place == std::string::npos)
            continue;
        const std::string_view blanksAndQuotes = " \t\r\"'";
        const std::size_t begin = line.find_first_not_of(blanksAndQuotes, place + 1);
        return begin == std::string::npos ? std::string()
                                          : line.substr(begin, line.find_last_not_of(blanksAndQuotes) + 1 - begin);
    }
    return {};
}

/// "8 × NVIDIA H100 80GB HBM3"
std::string gpusIn(const fs::path &root)
{
    std::map<std::string, int> counts;
    std::error_code error;
    for (fs::directory_iterator gpu(root / "proc/driver/nvidia/gpus", error), end; !error && gpu != end;
         gpu.increment(error)) {
        if (const std::string model = valueOfLine(beginningOf(gpu->path() / "information"), "Model", ':');
            !model.empty())
            ++counts[model];
    }
    std::string text;
    for (const auto &[model, count] : counts)
        text += (text.empty() ? "" : ", ") + (count == 1 ? std::string() : std::to_string(count) + " × ") + model;
    return text;
}

std::string cudaIn(const fs::path &root)
{
    const nlohmann::json version = parseUntrustedJson(beginningOf(root / "usr/local/cuda/version.json"));
    const auto cuda = version.is_object() ? version.find("cuda") : version.end();
    if (!version.is_object() || cuda == version.end() || !cuda->is_object())
        return {};
    const auto text = cuda->find("version");
    return text != cuda->end() && text->is_string() ? text->get<std::string>() : std::string();
}

}  // namespace

std::map<std::string, std::string> hostFacts(const fs::path &root)
{
    utsname names{};
    ::uname(&names);
    const std::string cpu = valueOfLine(beginningOf(root / "proc/cpuinfo"), "model name", ':');
    const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
    const double kibibytes = std::atof(valueOfLine(beginningOf(root / "proc/meminfo"), "MemTotal", ':').c_str());
    std::string driver = beginningOf(root / "sys/module/nvidia/version");
    driver = driver.substr(0, driver.find('\n'));
    std::map<std::string, std::string> facts{
        {"host", names.nodename},
        {"kernel", names.release},
        {"os", valueOfLine(beginningOf(root / "etc/os-release"), "PRETTY_NAME", '=')},
        {"cpu", cpu.empty() ? cpu : cpu + ", " + std::to_string(cores) + " threads"},
        {"memory", kibibytes > 0 ? std::to_string(std::lround(kibibytes / (1024 * 1024))) + " GiB" : std::string()},
        {"gpus", gpusIn(root)},
        {"driver", driver},
        {"cuda", cudaIn(root)}};
    std::erase_if(facts, [](const auto &fact) { return fact.second.empty(); });
    return facts;
}

}  // namespace sweepscope::launch
