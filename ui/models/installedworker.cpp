#include "ui/models/installedworker.h"

#include "base/builtworker.h"
#include "base/installation.h"

#include <system_error>

namespace sweepscope::ui {

std::filesystem::path workerOfEngine()
{
    std::error_code error;
    return std::filesystem::exists(executableFolder() / "sweepctl", error) ? workerProgram() : std::filesystem::path();
}

bool isMissing(const std::filesystem::path &worker)
{
    std::error_code error;
    return !worker.empty() && !std::filesystem::exists(worker, error);
}

}  // namespace sweepscope::ui
