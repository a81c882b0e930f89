// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/records.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
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

    /// Stream offset of the next record.
    std::uint64_t offset() const noexcept { return m_offset; }
    std::int64_t stepBase() const noexcept { return m_stepBase; }
    void startAt(const StreamPosition &position);

private:
    Expected<void> handOut(RecordHeader header, std::span<const unsigned char> record, RecordVisitor &visitor);
    Expected<void> preamble(std::span<const unsigned char> record, RecordVisitor &visitor) const;
    Expected<void> series(std::uint16_t id, std::span<const unsigned char> record, RecordVisitor &visitor);
    Expected<void> point(RecordHeader header, std::span<const unsigned char> record, RecordVisitor &visitor) const;
    Expected<void> event(std::span<const unsigned char> record, RecordVisitor &visitor) const;
    Expected<void> gap(std::span<const unsigned char> record, RecordVisitor &visitor) const;
    Expected<void> stepBase(std::span<const unsigned char> record);
    tl::unexpected<Error> corrupt(const std::string &what) const;

    std::uint64_t m_offset = 0;
    std::int64_t m_stepBase = 0;
    std::bitset<0x10000> m_declared;
};

}  // namespace sweepscope::feed
