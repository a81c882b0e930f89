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
///     /run/lock/sweepscope/taking          locked (exclusively) while an engine takes devices, for a moment
///     /run/lock/sweepscope/GPU-….lease     locked (shared) by the holders of the GPU; one line per holder
///     /run/lock/sweepscope/cores.N         the CPU slots and cores of a trial, see cpunotes.h
///
/// The lock belongs to the open file, so an agent that inherits the descriptor keeps it when its engine ends, and the
/// kernel releases it with the last process that has it. Only the locks count. The content of the files is untrusted:
/// it is displayed, and never makes a GPU available that this workspace does not already have.
class LeaseFolder : public GpuLeases {
public:
    /// `workspace`: the owner of these leases, an absolute path.
    LeaseFolder(std::filesystem::path folder, std::string workspace);

    /// Returns SWEEPSCOPE_LEASE_FOLDER, else a folder in /run/lock, or in /tmp if not all users can write there.
    static std::filesystem::path ofThisMachine();

    /// Returns which of these GPUs are leased, by any engine, and the holders; an empty list: unknown. Takes nothing
    /// and creates no folder.
    static Expected<std::map<std::string, std::vector<LeaseHolder>>> readLeases(const std::filesystem::path &folder,
                                                                                const std::vector<std::string> &gpuIds);

    /// What all engines of the machine hold.
    struct Survey {
        std::map<std::string, std::vector<LeaseHolder>> leases;  ///< by GPU, as from readLeases()
        std::vector<CpuUse> cpus;
    };
    /// Surveys these GPUs and the CPUs. Takes nothing and creates no folder.
    static Expected<Survey> survey(const std::filesystem::path &folder, const std::vector<std::string> &gpuIds);

    Expected<std::unique_ptr<Taking>> begin() override;
    void sign(const Lease &lease, pid_t holder, const TrialName &trial) override;

private:
    std::filesystem::path m_folder;
    std::string m_workspace;
};

}  // namespace sweepscope::schedule
