#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/filedescriptor.h"
#include "base/logtimes.h"
#include "launch/loglines.h"
#include "launch/metricspicker.h"

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace sweepscope::launch {

/// Follows the log of a rank that reports no metrics itself, and writes the values found there to the rank's ring. The
/// log is on disk, so nothing is lost if the ring must be drained first.
class OutputMetrics {
public:
    /// `times`: of the log (base/logtimes.h), if it may have lines already; may be empty.
    static Expected<OutputMetrics> create(const output::MetricsSection &metrics, int rank,
                                          const std::filesystem::path &log, const std::filesystem::path &ring,
                                          const std::filesystem::path &times = {});

    /// Continues for at most a few milliseconds, and writes at most the points that a ring has space for. Returns true
    /// if there is more to read.
    bool advance();
    /// Call when the rank has ended and its log was read: an unterminated last line counts too.
    void finish();

private:
    OutputMetrics(MetricsPicker picker, std::filesystem::path log, std::vector<char> buffer,
                  std::shared_ptr<WallNs> time);
    void pick(std::string_view bytes);
    bool hasGrown();
    WallNs timeOf(std::int64_t offset) const;

    /// The part of the log that was new at the last look, and when it was written.
    struct Grown {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        WallNs from = 0;
        WallNs to = 0;
    };

    MetricsPicker m_picker;
    std::filesystem::path m_path;
    FileDescriptor m_log;
    std::int64_t m_offset = 0;
    LogLines m_lines;
    LogTimes m_times;
    std::int64_t m_written = 0;  ///< length of the log when this began
    WallNs m_looked;             ///< for more of it
    Grown m_grown;
    std::vector<char> m_buffer;
    std::shared_ptr<WallNs> m_time;  ///< of the line that is picked; 0: now
};

}  // namespace sweepscope::launch
