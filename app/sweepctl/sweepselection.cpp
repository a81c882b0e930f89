#include "sweepselection.h"

namespace sweepscope::ctl {

const sweep::SweepRecord *selectSweep(const std::vector<sweep::SweepRecord> &sweeps, const std::string &wanted)
{
    const sweep::SweepRecord *named = nullptr;
    for (const sweep::SweepRecord &sweep : sweeps) {
        if (std::to_string(sweep.id) == wanted || sweep.folder == wanted)
            return &sweep;
        if (sweep.name == wanted && (named == nullptr || named->ended || !sweep.ended))
            named = &sweep;
    }
    return named;
}

std::string sweepsInWords(const std::vector<sweep::SweepRecord> &sweeps)
{
    constexpr std::size_t most = 10;
    std::string words;
    for (std::size_t i = sweeps.size() > most ? sweeps.size() - most : 0; i < sweeps.size(); ++i)
        words += (words.empty() ? "" : ", ") + sweeps[i].folder;
    return words.empty() ? "there are none in this workspace" : "there are: " + words;
}

}  // namespace sweepscope::ctl
