#include "base/agentfolders.h"

#include "base/folderentries.h"

#include <map>
#include <utility>

namespace sweepscope {

std::vector<AttemptLayout> agentFolders(const AttemptLayout &attempt)
{
    std::map<int, AttemptLayout> others;
    for (const auto &entry : entriesOf(attempt.folder)) {
        if (const auto ranks = rankRangeOf(entry.path()))
            others.emplace(ranks->first, attempt.ofRanks(ranks->first, ranks->last));
    }
    std::vector<AttemptLayout> folders{attempt};
    for (auto &[rank, layout] : others)
        folders.push_back(std::move(layout));
    return folders;
}

}  // namespace sweepscope
