#pragma once

#include "schedule/gpuleases.h"
#include "schedule/leaseholder.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// Leases as locked files in a folder that all users of a machine share:
///
///     /run/lock/sweepscope/taking          locked (exclusively) by whoever takes GPUs, for a moment
///     /run/lock/sweepscope/GPU-….lease     locked (shared) by whoever has the GPU; a line per holder says who that is
///     /run/lock/sweepscope/cores.N         who has which CPU slots and cores, see cpunotes.h
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

    /// What engines of the machine have, whichever they are.
    struct Survey {
        std::map<std::string, std::vector<LeaseHolder>> leases;  ///< by GPU, as look() tells them
        std::vector<CpuUse> cpus;
    };
    /// Of these GPUs, and of the CPUs. Takes nothing and makes no folder.
    static Expected<Survey> survey(const std::filesystem::path &folder, const std::vector<std::string> &gpuIds);

    Expected<std::unique_ptr<Taking>> begin() override;
    void sign(const Lease &lease, pid_t holder, const TrialName &trial) override;

private:
    std::filesystem::path m_folder;
    std::string m_workspace;
};

}  // namespace sweepscope::schedule
