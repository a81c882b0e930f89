// Records the behaviour of this machine's NVIDIA driver, for the fake driver to replay (fakenvml/README.md).
//   recordsnvml FILE [READINGS [MILLISECONDS]]   writes the script, with this number of readings at this interval
//   recordsnvml --check FAKE                     records, replays with that fake driver, and compares; 77: no GPU here
// SWEEPSCOPE_NVML names another library than the driver's; the script then marks it as a fake one.
#include "trace.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

using namespace nvmlrecording;
using namespace std::chrono_literals;

namespace {

constexpr int noGpu = 77;
constexpr int checkReadings = 12;

std::string libraryHere()
{
    const char *given = std::getenv("SWEEPSCOPE_NVML");
    return given != nullptr ? given : "";
}

bool write(const Trace &trace, const std::string &file)
{
    std::ofstream out(file);
    out << scriptOf(trace).dump(1) << '\n';
    out.close();
    if (!out)
        std::fprintf(stderr, "cannot write %s\n", file.c_str());
    return static_cast<bool>(out);
}

int check(const Trace &recorded, const std::string &fake)
{
    std::string folder = "/tmp/sweepscope-nvml-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr || !write(recorded, folder + "/script.json"))
        return 1;
    ::setenv("FAKE_NVML_SCRIPT", (folder + "/script.json").c_str(), 1);
    const auto replayed = record(fake, checkReadings, 250ms);
    std::remove((folder + "/script.json").c_str());
    std::remove(folder.c_str());
    if (!replayed) {
        std::fprintf(stderr, "it cannot be replayed: %s\n", replayed.error().message.c_str());
        return 1;
    }
    const std::vector<std::string> found = differences(recorded, *replayed);
    for (const std::string &difference : found)
        std::fprintf(stderr, "replayed otherwise: %s\n", difference.c_str());
    std::printf("%zu GPUs, %d readings of each, driver %s\n", recorded.gpus.size(), checkReadings,
                recorded.driver.c_str());
    return found.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv)
{
    const bool checks = argc == 3 && std::string(argv[1]) == "--check";
    if (argc < 2 || argc > 4) {
        std::fprintf(stderr, "usage: recordsnvml FILE [READINGS [MILLISECONDS]] | --check FAKE\n");
        return 2;
    }
    const int readings = checks ? checkReadings : std::max(1, argc > 2 ? std::atoi(argv[2]) : 120);
    const int pause = checks ? 250 : std::max(1, argc > 3 ? std::atoi(argv[3]) : 1000);
    const auto recorded = record(libraryHere(), readings, std::chrono::milliseconds(pause));
    if (!recorded) {
        std::printf("nothing to record: %s\n", recorded.error().message.c_str());
        return noGpu;
    }
    for (const GpuTrace &gpu : recorded->gpus) {
        if (gpu.isSplit)
            std::printf("%s is split into MIG instances, which are not recorded\n", gpu.device.id.c_str());
    }
    if (checks)
        return check(*recorded, argv[2]);
    return write(*recorded, argv[1]) ? 0 : 1;
}
