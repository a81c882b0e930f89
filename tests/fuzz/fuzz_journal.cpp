#include "exporting/journalstate.h"
#include "importing/studyjournal.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace sweepscope;

/// A journal of Optuna: its studies are sweeps whose trials have parameters of their space, and it can be followed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    if (const auto studies = importing::parseJournal(text)) {
        for (const importing::Study &study : *studies) {
            for (const importing::StudyTrial &trial : study.trials) {
                for (const auto &parameter : trial.parameters) {
                    if (std::ranges::find(study.space, parameter.first, &sweep::Dimension::name) == study.space.end())
                        std::abort();
                }
            }
            importing::ImportedSweep imported = importing::sweepOf(study);
            const std::string file = importing::sweepFileOf(imported);
            if (!file.empty() && !sweep::parseSweep(file).problems.empty())
                std::abort();
        }
    }
    exporting::JournalState state;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        state.apply(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    for (const int number : state.unfinished()) {
        if (isFinished(state.trial(number)->state))
            std::abort();
    }
    return 0;
}
