#pragma once

#include "device/gpuleases.h"

#include <filesystem>

namespace sweepscope::device {

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

    Expected<std::unique_ptr<Taking>> begin() override;
    void sign(const Lease &lease, pid_t holder, const std::string &purpose) override;

private:
    std::filesystem::path m_folder;
    std::string m_workspace;
};

}  // namespace sweepscope::device
