#pragma once

#include "series/seriesaccess.h"

#include <algorithm>

/// Where a range or a column begins, in a curve that does not go back between `from` and there.
namespace sweepscope::series {

/// The first block that is not wholly before, or endBlock. `guess`: how many blocks it probably is away.
template <typename Before>
std::size_t Series::skipBlocks(XAxis axis, std::size_t from, std::size_t endBlock, std::size_t guess,
                               Before before) const
{
    const auto wholeBefore = [&](std::size_t index) { return before(lastX(axis, index)); };
    if (from >= endBlock || !wholeBefore(from))
        return from;
    const std::size_t probable = from + std::max<std::size_t>(1, guess);
    if (probable + 1 < endBlock && wholeBefore(probable - 1) && !wholeBefore(probable + 1))
        return probable + static_cast<std::size_t>(wholeBefore(probable));
    // All of `low` is before, not all of `high` is (or it is the end).
    std::size_t low = from;
    std::size_t high = endBlock;
    if (probable < endBlock && !wholeBefore(probable)) {
        // Back in growing strides: it is near, and so in the processor's cache.
        high = probable;
        for (std::size_t stride = 1; low + stride < high; high -= stride, stride *= 2) {
            if (wholeBefore(high - stride)) {
                low = high - stride;
                break;
            }
        }
    } else {
        low = probable < endBlock ? probable : from;
        for (std::size_t stride = 1; low + stride < endBlock; low += stride, stride *= 2) {
            if (!wholeBefore(low + stride)) {
                high = low + stride;
                break;
            }
        }
    }
    while (low + 1 < high) {
        const std::size_t middle = low + (high - low) / 2;
        (wholeBefore(middle) ? low : high) = middle;
    }
    return high;
}

/// From a position in a block that is not wholly before. `guess`: the sample that it probably is.
template <typename Before>
Series::Position Series::skipInside(XAxis axis, Position from, std::size_t guess, Before before) const
{
    if (from.sample == 0 && !before(firstX(axis, from.block)))
        return from;
    const BlockView &samples = view(from.block);
    const auto isBefore = [&](std::size_t i) { return before(xOf(axis, samples, i)); };
    std::size_t low = from.sample;
    std::size_t high = block(from.block).count - std::size_t{1};
    // Near the guess without a branch on each comparison: they go either way as often, and cannot be foretold.
    constexpr std::size_t near = 4;
    if (guess >= low + near && guess + near <= high && isBefore(guess - near) && !isBefore(guess + near - 1)) {
        low = guess - near + 1;
        for (std::size_t half = near; half > 0; half /= 2)
            low += half * static_cast<std::size_t>(isBefore(low + half - 1));
        return {from.block, low};
    }
    // Away from the guess in growing strides, until it lies between two of them.
    const std::size_t start = std::clamp(guess, low, high);
    if (isBefore(start)) {
        low = start + 1;
        for (std::size_t stride = 1; low + stride < high; low += stride, stride *= 2) {
            if (!isBefore(low + stride - 1)) {
                high = low + stride - 1;
                break;
            }
        }
    } else {
        high = start;
        for (std::size_t stride = 1; low + stride < high; high -= stride, stride *= 2) {
            if (isBefore(high - stride)) {
                low = high - stride + 1;
                break;
            }
        }
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (isBefore(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return {from.block, std::min(low, block(from.block).count - std::size_t{1})};
}

template <typename Before>
Series::Position Series::skip(XAxis axis, Position from, std::size_t endBlock, std::size_t guess, Before before) const
{
    const std::size_t index = skipBlocks(axis, from.block, endBlock, guess, before);
    if (index >= endBlock)
        return {std::max(index, from.block), index == from.block ? from.sample : 0};
    return skipInside(axis, index == from.block ? from : Position{index, 0}, block(index).count / 2, before);
}

}  // namespace sweepscope::series
