#include "process/cpulist.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>

namespace sweepscope::process {

namespace {

std::optional<int> numberIn(std::string_view text)
{
    int number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool good = read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 0;
    return good ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string cpuListText(std::vector<int> cpus)
{
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    std::string text;
    for (std::size_t begin = 0; begin < cpus.size();) {
        std::size_t end = begin;
        while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1)
            ++end;
        text += (text.empty() ? "" : ",") + std::to_string(cpus[begin]);
        if (end > begin)
            text += "-" + std::to_string(cpus[end]);
        begin = end + 1;
    }
    return text;
}

std::optional<std::vector<int>> parseCpuList(const std::string &untrusted, int most)
{
    std::string_view rest(untrusted);
    rest = rest.substr(0, rest.find_last_not_of(" \n") + 1);
    std::set<int> cpus;
    int left = most;  // bounds the time for a list that repeats the same CPUs
    while (!rest.empty()) {
        const std::string_view range = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(range.size() + 1, rest.size()));
        const std::size_t dash = range.find('-');
        const std::optional<int> first = numberIn(range.substr(0, dash));
        const std::optional<int> last = dash == std::string_view::npos ? first : numberIn(range.substr(dash + 1));
        if (!first || !last || *last < *first || *last >= most || *last - *first >= left)
            return std::nullopt;
        left -= *last - *first + 1;
        for (int cpu = *first; cpu <= *last; ++cpu)
            cpus.insert(cpu);
    }
    return std::vector<int>(cpus.begin(), cpus.end());
}

}  // namespace sweepscope::process
