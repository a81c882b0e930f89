#pragma once

#include "feed/logwriter.h"
#include "series/feedseries.h"
#include "series/series.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <stdlib.h>
#include <string>
#include <vector>

/// Shared by the series tests: a temporary folder, and a reference implementation of columns, sample by sample.
namespace seriestesting {

using namespace sweepscope;
using namespace sweepscope::series;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder()
    {
        std::string name = std::filesystem::temp_directory_path() / "sweepscope-series-XXXXXX";
        path = ::mkdtemp(name.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    FeedFiles files() const { return {path / "log", path / "ring", path / "index"}; }
};

inline bool sameNumber(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

inline bool sameSample(const Sample &a, const Sample &b)
{
    return a.step == b.step && a.timeNs == b.timeNs && sameNumber(a.value, b.value);
}

inline bool sameColumns(const std::vector<Column> &a, const std::vector<Column> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Column &x, const Column &y) {
        const bool sameMean = sameNumber(x.mean, y.mean) || std::abs(x.mean - y.mean) <= 1e-9 * (1 + std::abs(y.mean));
        return sameNumber(x.x, y.x) && sameNumber(x.first, y.first) && sameNumber(x.min, y.min)
               && sameNumber(x.max, y.max) && sameNumber(x.last, y.last) && x.count == y.count
               && x.hasNonFinite == y.hasNonFinite && x.startsSegment == y.startsSegment && sameMean;
    });
}

/// The reference implementation of series.h, for curves of at most 64 segments.
inline std::vector<Column> definedColumns(const Series &series, XAxis axis, double xFrom, double xTo, int columns)
{
    std::vector<Column> result;
    std::map<int, std::vector<Sample>> cells;
    const auto endSegment = [&] {
        bool first = true;
        for (const auto &[cell, samples] : cells) {
            Column column;
            column.x = series.xOf(axis, samples.front());
            column.count = samples.size();
            column.first = column.min = column.max = column.last = std::nan("");
            column.startsSegment = first && !result.empty();
            first = false;
            double sum = 0;
            double finite = 0;
            for (const Sample &sample : samples) {
                if (!std::isfinite(sample.value)) {
                    column.hasNonFinite = true;
                    continue;
                }
                if (std::isnan(column.first))
                    column.first = column.min = column.max = sample.value;
                column.min = std::min(column.min, sample.value);
                column.max = std::max(column.max, sample.value);
                column.last = sample.value;
                sum += sample.value;
                ++finite;
            }
            column.mean = sum / finite;
            result.push_back(column);
        }
        cells.clear();
    };
    double before = -infinity;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const Sample sample = series.sample(i);
        const double x = series.xOf(axis, sample);
        if (x < before)
            endSegment();
        before = x;
        if (x < xFrom || x > xTo)
            continue;
        const double position = std::floor((x - xFrom) / (xTo - xFrom) * columns);
        cells[std::isnan(position) ? 0 : std::min(static_cast<int>(position), columns - 1)].push_back(sample);
    }
    endSegment();
    return result;
}

/// A random query of a curve, between any two places on it or slightly beyond.
struct Question {
    XAxis axis;
    double from;
    double to;
    int columns;

    Question(const Series &series, std::mt19937_64 &random)
        : axis(static_cast<XAxis>(random() % 3)), columns(std::uniform_int_distribution<int>(1, 3000)(random))
    {
        const auto [low, high] = series.extent(axis);
        const double margin = 0.2 * (high - low) + 1e-3;
        std::uniform_real_distribution<double> place(low - margin, high + margin);
        from = place(random);
        // Ranges of all magnitudes are equally likely.
        to = random() % 2 == 0 ? place(random) : from + (high - low) * std::exp(-static_cast<double>(random() % 12));
        if (from > to)
            std::swap(from, to);
    }
};

}  // namespace seriestesting
