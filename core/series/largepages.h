#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <vector>

namespace sweepscope::series {

/// Storage for a number of items, on large pages where the system has them: queries jump through tens of megabytes, and
/// small pages would cost a TLB miss each.
template <typename T>
void reserveOnLargePages(std::vector<T> &items, std::size_t count)
{
    items.reserve(count);
    constexpr std::uintptr_t largePage = 2 * 1024 * 1024;
    const auto begin = (reinterpret_cast<std::uintptr_t>(items.data()) + largePage - 1) / largePage * largePage;
    const auto end = reinterpret_cast<std::uintptr_t>(items.data() + items.capacity()) / largePage * largePage;
    if (items.data() != nullptr && begin < end)
        (void)::madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace sweepscope::series
