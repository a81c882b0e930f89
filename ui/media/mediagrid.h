#pragma once

#include "ui/media/mediacatalog.h"

#include <QString>

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// Items that are shown together: those of one name and kind.
struct MediaName {
    media::MediaKind kind = media::MediaKind::Image;
    std::string name;

    auto operator<=>(const MediaName &) const = default;
};

/// All names, ordered by kind and name.
std::vector<MediaName> mediaNames(const MediaListing &listing);

/// An item, and where its bytes are.
struct PlacedItem {
    const RankMedia *source = nullptr;
    const media::MediaItem *item = nullptr;

    explicit operator bool() const { return item != nullptr; }
    std::filesystem::path file() const;
};

/// A row for each trial, or for each rank if other ranks than 0 have recorded something, and a column for each step.
struct MediaGrid {
    struct Row {
        int trial = 0;
        int rank = 0;
        bool namesRank = false;  ///< other rows are of other ranks of the trial

        bool operator==(const Row &) const = default;
    };
    std::vector<Row> rows;
    std::vector<std::int64_t> steps;  ///< ascending
    std::vector<PlacedItem> cells;    ///< by row, then by step; empty ones have no item
    bool isThinned = false;           ///< there are more steps than mostSteps
    std::vector<std::shared_ptr<const RankMedia>> keepsAlive;

    PlacedItem at(int row, int column) const
    {
        return cells[static_cast<std::size_t>(row) * steps.size() + static_cast<std::size_t>(column)];
    }
};

constexpr std::size_t mostSteps = 1000;

/// `trials`: only these, in any order; empty: all. A later attempt replaces what an earlier one recorded at the same step,
/// and of several items of a step the last one counts. Of too many steps, the first and the last and evenly chosen ones
/// between them remain.
MediaGrid mediaGrid(const MediaListing &listing, const MediaName &name, const std::vector<int> &trials);

/// `columns`, and the columns of the first and last step, at most `most`, evenly chosen.
std::vector<int> evenlyChosen(int count, int most);

}  // namespace sweepscope::ui
