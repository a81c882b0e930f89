#pragma once

#include "device/gpuleases.h"

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace sweepscope::device {

/// Who has a lease, as they say themselves.
struct LeaseHolder {
    pid_t pid = 0;  ///< of the agent, or of the engine while it starts one
    std::string user;
    std::string workspace;
    std::string purpose;  ///< "digits, trial 3"

    /// The sweep and the trial that the purpose names; empty when it names none.
    std::optional<std::pair<std::string, int>> trial() const;
};

/// "leased to digits, trial 3 of anna (process 4711, workspace /home/anna/runs)".
std::string leasedInWords(const std::vector<LeaseHolder> &holders);

/// Leases as locked files in a folder that all users of a machine share:
///
///     /run/lock/sweepscope/taking          locked (exclusively) by whoever takes GPUs, for a moment
///     /run/lock/sweepscope/GPU-….lease     locked (shared) by whoever has the GPU; a line per holder says who that is
///
/// The lock belongs to the open file, so an agent that inherits the descriptor keeps it when its engine ends, and the
/// kernel frees it with the last process that has it. Only the locks count. What the files say is written by others:
/// it is shown, and no GPU is given because of it that this workspace does not have already.
class LeaseFolder : public GpuLeases {
public:
    /// `workspace`: whose leases these are, an absolute path.
    LeaseFolder(std::filesystem::path folder, std::string workspace);

    /// SWEEPSCOPE_LEASE_FOLDER, else below /run/lock, or where that is not everybody's below /tmp.
    static std::filesystem::path ofThisMachine();

    /// Of these GPUs those that are leased, by whichever engine, and to whom; an empty list: nobody says. Takes nothing
    /// and makes no folder.
    static Expected<std::map<std::string, std::vector<LeaseHolder>>> look(const std::filesystem::path &folder,
                                                                          const std::vector<std::string> &gpuIds);

    Expected<std::unique_ptr<Taking>> begin() override;
    void sign(const Lease &lease, pid_t holder, const std::string &purpose) override;

private:
    std::filesystem::path m_folder;
    std::string m_workspace;
};

}  // namespace sweepscope::device
