#include "series/feedwitness.h"

#include "series/block.h"

#include <bit>

namespace sweepscope::series {

std::uint64_t identityOf(const feed::Preamble &preamble)
{
    std::uint64_t hash =
        checksumOf({reinterpret_cast<const unsigned char *>(preamble.attemptId.data()), preamble.attemptId.size()});
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(preamble.rank), static_cast<std::uint64_t>(preamble.worldSize),
          static_cast<std::uint64_t>(preamble.createdNs)})
        hash = (std::rotl(hash, 19) ^ part) * 0x9e3779b97f4a7c15ULL;
    return hash;
}

}  // namespace sweepscope::series
