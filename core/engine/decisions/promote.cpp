#include "engine/decisions/promote.h"

#include "pruning/hyperband.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sweepscope::engine {

using facts::Code;
using facts::Fact;
using facts::Field;

Promotion promoteTrials(const SweepView &view, const pruning::Pruner &pruner)
{
    Promotion promotion;
    const bool maySearch =
        view.sweep.state == sweep::SweepState::Running || view.sweep.state == sweep::SweepState::Paused;
    if (!view.spec.prune || !view.spec.prune->promote || !maySearch || view.budgetSpent)
        return promotion;
    using Rung = std::pair<std::int64_t, std::int64_t>;  // step and bracket
    std::map<Rung, std::vector<const TrialRow *>> ended;
    for (const TrialRow &row : view.trials) {
        const Fact &reason = row.record.reason;
        if (row.record.state != sweep::TrialState::Pruned || row.spared || reason.code != Code::PrunedByRank
            || !reason.number(Field::Value) || view.hasAttempt(row.record.number))
            continue;
        const std::int64_t step = reason.integer(Field::Step).value_or(0);
        if (!pruner.wasPromoted(row.record.number, step))
            ended[{step, reason.integer(Field::Bracket).value_or(0)}].push_back(&row);
    }
    const double sign = view.sweep.goal == sweep::Goal::Minimize ? 1 : -1;
    for (auto &[rung, rows] : ended) {
        std::ranges::stable_sort(
            rows, {}, [sign](const TrialRow *row) { return sign * *row->record.reason.number(Field::Value); });
        for (const TrialRow *const row : rows) {
            const pruning::Verdict verdict = pruner.verdict(row->record.number, rung.first);
            if (verdict.reason || !verdict.bound)
                break;  // nor do the trials behind it
            Fact reason = Fact(Code::Promoted)
                              .with(Field::Step, rung.first)
                              .with(Field::Value, *row->record.reason.number(Field::Value))
                              .with(Field::Count, static_cast<std::int64_t>(verdict.peers))
                              .with(Field::Bound, *verdict.bound)
                              .with(Field::Factor, view.spec.prune->factor);
            if (view.spec.prune->method == sweep::PruneMethod::Hyperband)
                reason = std::move(reason).with(
                    Field::Bracket,
                    std::int64_t{pruning::bracketOf(*view.spec.prune, view.spec.seed, row->record.number)} + 1);
            TrialChange &change = promotion.decision.trials.emplace_back(TrialChange{*row, {}, {}});
            change.apply(TrialEvent::Retried, std::move(reason));
            change.row.record.ended.reset();
            pruning::LogEntry entry =
                pruning::reachedEntry(row->record.number, {rung.first, 0, 0}, pruning::Verdict(verdict));
            entry.event = pruning::LogEntry::Event::Promoted;
            promotion.entries.push_back(std::move(entry));
        }
    }
    return promotion;
}

}  // namespace sweepscope::engine
