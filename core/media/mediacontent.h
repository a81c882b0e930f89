#pragma once

#include "base/error.h"
#include "media/mediaindex.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::media {

/// Returns the bytes of an item that is not an artifact. NotFound: they are not there, or not yet.
Expected<std::string> readContent(const std::filesystem::path &file, const MediaItem &item);

/// Writes a copy of an item, replacing a file that is there.
Expected<void> saveItem(const std::filesystem::path &file, const MediaItem &item, const std::filesystem::path &target);

struct Histogram {
    std::vector<double> counts;  ///< finite, not negative
    std::vector<double> edges;   ///< one more than counts, finite, in ascending order; none if there are no counts
    double notFinite = 0;        ///< values that are in no bin
};
/// nullopt: it is damaged.
std::optional<Histogram> parseHistogram(std::string_view untrusted);

struct Cell {
    std::string text;
    std::optional<double> number{};
};
struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;  ///< each has a cell for each column
};
/// Also of a confusion matrix: its first column has the actual classes, and the others are predicted classes. nullopt:
/// it is damaged, or has more than 10,000 rows or 1,024 columns.
std::optional<Table> parseTable(std::string_view untrusted);

}  // namespace sweepscope::media
