#pragma once

#include "base/filedescriptor.h"
#include "base/workspacelayout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// Copies what the ranks of a running attempt print to stdout.
class RunOutput {
public:
    RunOutput(const AttemptLayout &attempt, int ranks);

    /// Copies what was printed since the last call. Of several ranks, only whole lines, so that they do not mix.
    void copy();
    /// Call when all ranks have ended.
    void finish();

private:
    struct Log {
        std::filesystem::path path;
        FileDescriptor file;
        std::int64_t offset = 0;
        std::string begunLine;
    };
    void copy(Log &log);

    std::vector<Log> m_logs;
    bool m_stdoutIsClosed = false;
};

}  // namespace sweepscope::ctl
