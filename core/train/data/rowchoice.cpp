#include "train/data/rowchoice.h"

#include <numeric>

namespace sweepscope::train {

Expected<std::vector<std::int64_t>> chosenRows(const RowChoice &choice, std::int64_t count)
{
    if (choice)
        return choice(count);
    std::vector<std::int64_t> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return all;
}

}  // namespace sweepscope::train
