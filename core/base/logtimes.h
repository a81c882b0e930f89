#pragma once

#include "base/clock.h"
#include "base/filedescriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// rank-N.times tells when rank-N.log was how long: a line "bytes nanoseconds" whenever it was seen to have grown. The
/// log itself holds what the rank prints, and nothing else; with this the lines of several ranks can be put in order.
namespace sweepscope {

/// Looks at a log from time to time. That it cannot write harms nothing: the next line tells more than the lost one.
class LogTimesWriter {
public:
    LogTimesWriter(std::filesystem::path log, std::filesystem::path times);

    /// Does nothing when it has looked a moment ago.
    void poll(WallNs now);
    void recordLength(WallNs now);

private:
    std::filesystem::path m_log;
    std::filesystem::path m_times;
    FileDescriptor m_fd;
    std::int64_t m_bytes = 0;
    WallNs m_polled = 0;
    bool m_torn = false;  ///< the last line could not be written to its end
};

/// Reads what a LogTimesWriter writes, also while it does.
class LogTimes {
public:
    LogTimes() = default;
    explicit LogTimes(std::filesystem::path times);

    /// Takes in what is new in the file, a bounded amount.
    void refresh();
    bool isEmpty() const noexcept { return m_known.empty(); }
    /// When the byte at `offset` of the log was first seen; nothing: not yet.
    std::optional<WallNs> timeOf(std::int64_t offset) const;
    /// About when it was written: bytes that were first seen together came one after another since the look before.
    /// Never before the byte at a lower offset.
    std::optional<WallNs> writtenAt(std::int64_t offset) const;
    /// How long the log was before `time`: what lies behind was first seen then or later.
    std::int64_t lengthBefore(WallNs time) const;

private:
    struct Known {
        std::int64_t bytes;
        WallNs time;
    };
    void parseLine(const std::string &untrustedLine);

    std::filesystem::path m_file;
    FileDescriptor m_fd;
    std::int64_t m_offset = 0;
    std::string m_pending;
    std::vector<Known> m_known;  ///< both ascend
};

/// All that is known at present.
LogTimes readLogTimes(const std::filesystem::path &times);

}  // namespace sweepscope
