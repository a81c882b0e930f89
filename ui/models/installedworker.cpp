#include "ui/models/installedworker.h"

#include "base/installation.h"

#include <system_error>

namespace sweepscope::ui {

std::filesystem::path workerNextToEngine()
{
    const std::filesystem::path folder = executableFolder();
    std::error_code error;
    return std::filesystem::exists(folder / "sweepctl", error) ? folder / "sweepscope-worker" : std::filesystem::path();
}

bool isMissing(const std::filesystem::path &worker)
{
    std::error_code error;
    return !worker.empty() && !std::filesystem::exists(worker, error);
}

}  // namespace sweepscope::ui
