#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

namespace sweepscope::launch {

/// A TCP port for MASTER_PORT: free when chosen, and not chosen by another agent on this machine while this object
/// exists. It is not bound (rank 0 binds it), so another program may still take it: choose it as late as possible.
class MasterPort {
public:
    static Expected<MasterPort> choose();
    int number() const { return m_number; }

private:
    MasterPort(int number, FileDescriptor lease) : m_number(number), m_lease(std::move(lease)) {}
    int m_number;
    FileDescriptor m_lease;
};

}  // namespace sweepscope::launch
