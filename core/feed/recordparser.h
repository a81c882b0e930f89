// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/byseries.h"
#include "feed/records.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace sweepscope::feed {

/// Turns untrusted bytes of a stream into records. Keeps what one record says about the next (step base, declared
/// series).
class RecordParser {
public:
    /// `untrusted` starts at offset(). Hands out every whole record in it and returns how many; a part at the end is
    /// left for the next call, which must start with it again. Corrupt or Unsupported, with the offset in the message,
    /// after the records before it were handed out.
    Expected<std::uint64_t> parse(std::span<const unsigned char> untrusted, RecordVisitor &visitor);

    /// After a record that is none. `untrusted` starts at stream offset `from`, a multiple of 8: the first offset in it
    /// from which records follow each other again, each of them such as writers make them and not far in time from the
    /// last good one. `isEnd`: nothing comes after these bytes; else the last 3 * maxRecordBytes are not decided.
    std::optional<std::uint64_t> findRecords(std::span<const unsigned char> untrusted, std::uint64_t from,
                                             bool isEnd) const;
    /// Continues at `offset`. A series whose declaration was lost is named after its id until a table names it. If a
    /// step base may have been lost, each series is assumed to continue near its last steps.
    void skipTo(std::uint64_t offset);

    /// Stream offset of the next record.
    std::uint64_t offset() const noexcept { return m_offset; }
    std::int64_t stepBase() const noexcept { return m_stepBase; }
    void startAt(const StreamPosition &position);

private:
    Expected<void> dispatch(RecordHeader header, std::span<const unsigned char> record, RecordVisitor &visitor);
    Expected<void> preamble(std::span<const unsigned char> record, RecordVisitor &visitor);
    Expected<void> series(std::uint16_t id, std::span<const unsigned char> record, RecordVisitor &visitor);
    Expected<void> point(RecordHeader header, std::span<const unsigned char> record, RecordVisitor &visitor);
    Expected<void> event(std::span<const unsigned char> record, RecordVisitor &visitor);
    Expected<void> gap(std::span<const unsigned char> record, RecordVisitor &visitor) const;
    Expected<void> stepBase(std::span<const unsigned char> record);
    void table(std::span<const unsigned char> record, RecordVisitor &visitor);
    std::int64_t stepOf(RecordHeader header);
    std::int64_t timeOf(std::span<const unsigned char> record);
    tl::unexpected<Error> corrupt(const std::string &what) const;

    std::uint64_t m_offset = 0;
    std::int64_t m_stepBase = 0;
    std::int64_t m_timeNs = 0;  ///< of the last record that had a plausible one; 0: none yet
    bool m_skipped = false;     ///< declarations may have been lost
    bool m_baseUnsure = false;  ///< nothing has said the step base since bytes were lost
    struct LastSteps {
        std::int64_t last = std::numeric_limits<std::int64_t>::max();
        std::int64_t before = std::numeric_limits<std::int64_t>::min();  ///< far from `last` until there are two
    };
    BySeries<LastSteps> m_lastSteps;
    std::uint64_t m_points = 0;
    std::uint64_t m_stepBases = 0;
    std::bitset<0x10000> m_declared;
};

}  // namespace sweepscope::feed
