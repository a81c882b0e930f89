#include "ui/media/mediagrid.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace sweepscope::ui {

std::vector<MediaName> mediaNames(const MediaListing &listing)
{
    std::set<MediaName> names;
    for (const auto &rank : listing.ranks) {
        for (const media::MediaItem &item : rank->items)
            names.insert({item.kind, item.name});
    }
    return {names.begin(), names.end()};
}

std::filesystem::path PlacedItem::file() const
{
    return media::contentFile({source->folder, {}}, source->rank, *item);
}

std::vector<int> evenlyChosen(int count, int most)
{
    std::vector<int> chosen;
    if (count <= most) {
        for (int i = 0; i < count; ++i)
            chosen.push_back(i);
        return chosen;
    }
    for (int i = 0; i < most; ++i)
        chosen.push_back(static_cast<int>(std::int64_t{i} * (count - 1) / (most - 1)));
    return chosen;
}

MediaGrid mediaGrid(const MediaListing &listing, const MediaName &name, const std::vector<int> &trials)
{
    const std::set<int> wanted(trials.begin(), trials.end());
    std::map<std::tuple<int, int>, std::map<std::int64_t, PlacedItem>> found;  // by trial and rank, then by step
    std::set<std::int64_t> steps;
    MediaGrid grid;
    for (const auto &rank : listing.ranks) {
        if (!wanted.empty() && !wanted.contains(rank->trial))
            continue;
        bool isUsed = false;
        for (const media::MediaItem &item : rank->items) {
            if (item.kind != name.kind || item.name != name.name)
                continue;
            PlacedItem &cell = found[{rank->trial, rank->rank}][item.step];
            if (!cell || cell.source->attempt <= rank->attempt)
                cell = {rank.get(), &item};
            steps.insert(item.step);
            isUsed = true;
        }
        if (isUsed)
            grid.keepsAlive.push_back(rank);
    }
    std::map<int, int> ranksOfTrial;
    for (const auto &row : found)
        ++ranksOfTrial[std::get<0>(row.first)];
    const std::vector<std::int64_t> all(steps.begin(), steps.end());
    for (const int column : evenlyChosen(static_cast<int>(all.size()), static_cast<int>(mostSteps)))
        grid.steps.push_back(all[static_cast<std::size_t>(column)]);
    grid.isThinned = grid.steps.size() < all.size();
    for (const auto &[place, items] : found) {
        const auto [trial, rank] = place;
        grid.rows.push_back({trial, rank, rank != 0 || ranksOfTrial[trial] > 1});
        for (const std::int64_t step : grid.steps) {
            const auto item = items.find(step);
            grid.cells.push_back(item == items.end() ? PlacedItem() : item->second);
        }
    }
    return grid;
}

}  // namespace sweepscope::ui
