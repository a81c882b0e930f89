#include "livefindings.h"

#include "diagnosis/attemptfiles.h"
#include "sweep/deviceplace.h"

#include <chrono>
#include <filesystem>
#include <system_error>

namespace sweepscope::ctl {

namespace {

/// No rule reports a finding earlier than this.
constexpr WallNs youngest = std::chrono::nanoseconds(std::chrono::seconds(3)).count();
/// For all feeds together: reading this much takes a tenth of a second.
constexpr std::uintmax_t mostBytes = 32 * 1024 * 1024;

std::uintmax_t bytesOf(const std::filesystem::path &file)
{
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    return error ? 0 : bytes;
}

}  // namespace

std::optional<std::vector<diagnosis::Finding>> LiveFindings::of(const sweep::SweepRecord &sweep,
                                                                const sweep::TrialRecord &trial)
{
    const WallNs now = wallNow();
    if (trial.state != sweep::TrialState::Running || trial.attempts == 0
        || now - trial.attemptStarted.value_or(now) < youngest)
        return std::vector<diagnosis::Finding>();
    const diagnosis::AttemptPlace present = diagnosis::attemptsOf(m_workspace, sweep, {trial}).back();
    std::set<std::string> machines;
    for (const std::string &device : trial.devices)
        machines.insert(sweep::machineOf(device));
    std::uintmax_t bytes = 0;
    for (const std::string &machine : machines)
        bytes += m_machines.contains(machine) ? 0 : bytesOf(m_workspace.devicesFeed(machine));
    for (int rank = 0; rank < trial.ranks; ++rank)
        bytes += bytesOf(present.layout.rankFeed(rank));
    if (m_bytes + bytes > mostBytes)
        return std::nullopt;
    m_bytes += bytes;
    m_machines.merge(machines);
    const auto report = diagnosis::diagnose(present, m_devices, now);
    return report ? report->findings : std::vector<diagnosis::Finding>();
}

}  // namespace sweepscope::ctl
