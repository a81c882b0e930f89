#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "launch/loglines.h"
#include "launch/metricspicker.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace sweepscope::launch {

/// The curves of one rank that does not report any itself: follows its log, and writes what it finds to the rank's
/// ring. The log waits on the disk, so nothing is lost when the ring has to be emptied first.
class OutputMetrics {
public:
    static Expected<OutputMetrics> create(const output::MetricsSection &metrics, int rank,
                                          const std::filesystem::path &log, const std::filesystem::path &ring);

    /// Reads on for a few milliseconds at most, and writes no more points than a ring has room for. True when there is
    /// more to read.
    bool advance();
    /// The rank has ended, and its log was read: what it printed last counts, though nobody ended the line.
    void finish();

private:
    OutputMetrics(MetricsPicker picker, std::filesystem::path log, std::vector<char> buffer);

    MetricsPicker m_picker;
    std::filesystem::path m_path;
    FileDescriptor m_log;
    std::int64_t m_offset = 0;
    LogLines m_lines;
    std::vector<char> m_buffer;
};

}  // namespace sweepscope::launch
