#include "engine/decisions/mark.h"

#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

std::string joined(const std::vector<std::string> &tags)
{
    std::string list;
    for (const std::string &tag : tags)
        list += (list.empty() ? "" : ", ") + tag;
    return list;
}

Fact factOf(const sweep::MarkChange &change)
{
    Fact fact = Code::Marked;
    if (change.starred)
        fact = std::move(fact).dueTo(*change.starred ? Code::Starred : Code::Unstarred);
    if (!change.removedTags.empty())
        fact = std::move(fact).dueTo(Fact(Code::TagsRemoved).with(Field::Detail, joined(change.removedTags)));
    if (!change.addedTags.empty())
        fact = std::move(fact).dueTo(Fact(Code::TagsAdded).with(Field::Detail, joined(change.addedTags)));
    if (change.note)
        fact = std::move(fact).dueTo(Code::NoteChanged);
    return fact;
}

/// Of the trials or the sweep that `marked` names.
Fact replyOf(Fact marked, const sweep::MarkChange &change)
{
    marked.because = factOf(change).because;
    return marked;
}

tl::unexpected<Fact> invalid(const Error &error)
{
    return tl::unexpected<Fact>(Fact(Code::InvalidInput).with(Field::Detail, error.message));
}

}  // namespace

Decided markSweep(const SweepView &view, const sweep::MarkChange &change)
{
    if (change.isEmpty())
        return tl::unexpected<Fact>(Code::MarkIsEmpty);
    if (const Expected<void> valid = sweep::check(change); !valid)
        return invalid(valid.error());
    Expected<sweep::Mark> mark = sweep::changed(view.sweep.mark, change);
    if (!mark)
        return invalid(mark.error());
    Decision decision;
    decision.reply = {*mark == view.sweep.mark
                          ? Fact(Code::NothingChanged)
                          : replyOf(Fact(Code::SweepMarked).with(Field::Sweep, view.sweep.name), change)};
    if (*mark != view.sweep.mark) {
        decision.sweep = SweepChange{view.sweep, factOf(change)};
        decision.sweep->record.mark = std::move(*mark);
    }
    return decision;
}

Decided markTrials(const SweepView &view, const std::vector<int> &numbers, const sweep::MarkChange &change)
{
    if (numbers.empty() || change.isEmpty())
        return tl::unexpected<Fact>(Code::MarkIsEmpty);
    if (const Expected<void> valid = sweep::check(change); !valid)
        return invalid(valid.error());
    Decision decision;
    for (const int number : numbers) {
        TrialChange trial{view.trial(number), {}, {}};
        sweep::Mark &mark = trial.row.record.mark;
        Expected<sweep::Mark> changed = sweep::changed(mark, change);
        if (!changed)
            return invalid(changed.error());
        if (*changed == mark)
            continue;
        mark = std::move(*changed);
        trial.note(factOf(change));
        decision.trials.push_back(std::move(trial));
    }
    if (decision.trials.empty()) {
        decision.reply = {Code::NothingChanged};
        return decision;
    }
    Fact marked = counted(Code::TrialsMarked, decision.trials.size());
    if (decision.trials.size() == 1)
        marked = std::move(marked).with(Field::Trial, decision.trials.front().row.record.number);
    decision.reply = {replyOf(std::move(marked), change)};
    return decision;
}

}  // namespace sweepscope::engine
