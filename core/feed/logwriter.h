// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/records.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace sweepscope::feed {

/// Writes a feed straight to a log file, in the same format, for samplers that may make system calls: devices, host.
class LogWriter {
public:
    /// A new file, or one that exists: then a partial last record is cut off, its declared series keep their ids, and
    /// writing continues at its end.
    static Expected<LogWriter> open(const std::filesystem::path &logPath, const Preamble &preamble);

    LogWriter(LogWriter &&) noexcept;
    LogWriter &operator=(LogWriter &&) noexcept;
    ~LogWriter();

    std::uint16_t declare(std::string_view name, std::string_view unit = {});
    void write(std::uint16_t series, std::int64_t step, std::int64_t timeNs, double value);
    /// Text longer than the format allows is cut.
    void event(const Event &event);
    /// One write() for everything since the last flush.
    Expected<void> flush();

private:
    struct State;
    explicit LogWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace sweepscope::feed
