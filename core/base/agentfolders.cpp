#include "base/agentfolders.h"

#include <map>
#include <system_error>
#include <utility>

namespace sweepscope {

std::vector<AttemptLayout> agentFolders(const AttemptLayout &attempt)
{
    std::map<int, AttemptLayout> others;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(attempt.folder, error)) {
        if (const auto ranks = rankRangeOf(entry.path()))
            others.emplace(ranks->first, attempt.ofRanks(ranks->first, ranks->last));
    }
    std::vector<AttemptLayout> folders{attempt};
    for (auto &[rank, layout] : others)
        folders.push_back(std::move(layout));
    return folders;
}

}  // namespace sweepscope
