#include "engine/prunereplay.h"

#include "sweep/sweepfile.h"

#include <utility>

namespace sweepscope::engine {

Expected<PruneReplay> replayPruning(StoreReader &reader, const sweep::SweepRecord &sweep)
{
    const Expected<std::vector<pruning::LogEntry>> log = reader.pruneLog(sweep.id);
    if (!log)
        return tl::unexpected<Error>(log.error());
    Expected<std::vector<std::string>> definitions = reader.definitions(sweep.id);
    if (!definitions)
        return tl::unexpected<Error>(definitions.error());
    definitions->push_back(sweep.toml);

    PruneReplay replay;
    std::optional<pruning::Pruner> pruner;
    int definition = -1;
    for (auto entry = log->begin(); entry != log->end(); ++entry) {
        if (entry->definition != definition) {
            definition = entry->definition;
            if (definition < 0 || definition >= static_cast<int>(definitions->size()))
                return makeError(ErrorCode::Corrupt,
                                 "the database lacks the definition of a pruning decision about trial "
                                     + std::to_string(entry->trial));
            const sweep::SweepSpec spec = sweep::parseSweep((*definitions)[static_cast<std::size_t>(definition)]).spec;
            pruner.reset();
            if (spec.prune)
                pruner.emplace(*spec.prune, sweep.goal, spec.seed);
            for (auto earlier = log->begin(); pruner && earlier != entry; ++earlier)
                pruning::enter(*earlier, *pruner);
        }
        if (!pruner)
            continue;
        pruning::enter(*entry, *pruner);
        if (!entry->isDecided)
            continue;
        pruning::Verdict verdict = pruner->verdict(entry->trial, entry->value.rung);
        if (verdict.asksProgram) {
            ++replay.byCommand;
            continue;
        }
        ++replay.decisions;
        if (!pruning::isAsLogged(verdict, *entry)) {
            replay.first = PruneDifference{*entry, std::move(verdict)};
            break;
        }
    }
    return replay;
}

}  // namespace sweepscope::engine
