#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <memory>
#include <span>
#include <string>
#include <sys/types.h>

namespace sweepscope::device {

/// A GPU that is ours until every copy of the descriptor is closed, those of heirs included.
struct Lease {
    std::string gpuId;
    FileDescriptor file;
    bool isFirst = true;  ///< nobody had it before; else it is shared with others of this workspace
};

/// What keeps several engines of one machine from giving the same GPU away.
class GpuLeases {
public:
    /// While one of these is there, nobody else on this machine takes a GPU: several are taken together or not at all.
    class Taking {
    public:
        virtual ~Taking() = default;
        /// `shares`: this workspace has it already, for another trial. AlreadyExists: another workspace has it; the
        /// message is what to say after its name ("is leased to digits, trial 3 (…)").
        virtual Expected<Lease> take(const std::string &gpuId, bool shares) = 0;
    };

    virtual ~GpuLeases() = default;
    virtual Expected<std::unique_ptr<Taking>> begin() = 0;
    /// For others to read: what the GPU was taken for, and the process that has it.
    virtual void sign(const Lease &lease, pid_t holder, const std::string &purpose) = 0;
};

}  // namespace sweepscope::device
