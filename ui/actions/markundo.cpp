#include "ui/actions/markundo.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace sweepscope::ui {

sweep::MarkChange takingBack(const sweep::MarkChange &change, const sweep::Mark &before)
{
    const auto had = [&before](const std::string &tag) { return std::ranges::binary_search(before.tags, tag); };
    sweep::MarkChange back;
    if (change.starred && *change.starred != before.starred)
        back.starred = before.starred;
    if (change.note && *change.note != before.note)
        back.note = before.note;
    std::ranges::copy_if(change.addedTags, std::back_inserter(back.removedTags), std::not_fn(had));
    std::ranges::copy_if(change.removedTags, std::back_inserter(back.addedTags), had);
    return back;
}

}  // namespace sweepscope::ui
