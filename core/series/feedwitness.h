#pragma once

#include "feed/records.h"

#include <bit>
#include <cstdint>
#include <optional>

/// Evidence that an index belongs to this feed, not to another one of the same name.
namespace sweepscope::series {

/// Of a stream, from its preamble.
std::uint64_t identityOf(const feed::Preamble &preamble);

/// Of points in their order: 0, and then one after the other.
inline std::uint64_t withPoint(std::uint64_t digest, const feed::Point &point)
{
    constexpr std::uint64_t prime = 0x9e3779b97f4a7c15ULL;
    const std::uint64_t where = static_cast<std::uint64_t>(point.step) * prime + point.series;
    const std::uint64_t what =
        static_cast<std::uint64_t>(point.timeNs) ^ std::rotl(std::bit_cast<std::uint64_t>(point.value), 31);
    return (std::rotl(digest, 23) ^ where ^ what * prime) * prime;
}

/// Reads a little of a feed: who it is, and what its first points are.
class Witness final : public feed::RecordVisitor {
public:
    explicit Witness(std::uint64_t points = 0) : m_points(points) {}

    void preamble(const feed::Preamble &value) override { m_preamble = value; }
    void point(const feed::Point &value) override
    {
        if (m_seen < m_points) {
            m_digest = withPoint(m_digest, value);
            ++m_seen;
        }
    }

    const std::optional<feed::Preamble> &preamble() const { return m_preamble; }
    bool done() const { return m_seen == m_points; }
    std::uint64_t digest() const { return m_digest; }

private:
    std::uint64_t m_points;
    std::uint64_t m_seen = 0;
    std::uint64_t m_digest = 0;
    std::optional<feed::Preamble> m_preamble;
};

}  // namespace sweepscope::series
