#include "engine/answer.h"
#include "engine/sweepedit.h"
#include "engine/sweeprun.h"
#include "sweep/definitionchanges.h"
#include "sweep/point.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::SweepState;
using Problems = std::vector<sweep::Problem>;

std::string inWords(const SweepEdit &edit)
{
    std::string text;
    const auto add = [&](std::size_t number, const std::string &what) {
        if (number != 0)
            text += (text.empty() ? "" : ", ") + count(number, "") + " " + what;
    };
    add(edit.added.size(), "added");
    add(edit.removed.size(), "that waited removed");
    add(edit.restored.size(), "brought back");
    return text.empty() ? "no trial added or removed" : text;
}

}  // namespace

tl::expected<std::string, Problems> SweepRun::redefine(Redefinition redefinition, WallNs now)
{
    if (record().state == SweepState::Stopping)
        return tl::unexpected<Problems>(Problems{{"", "the sweep is being stopped and cannot be edited"}});
    std::optional<Budget> budget = budgetOf(redefinition.spec);
    const std::optional<std::string> spent = usedUp(budget, now);
    tl::expected<SweepEdit, Problems> edit = planEdit(m_spec, redefinition.spec, trials(), !spent);
    if (!edit)
        return tl::unexpected<Problems>(std::move(edit.error()));
    const std::string words = inWords(*edit);
    const std::string waiting = spent ? " Those that wait are stopped: " + *spent + "." : "";
    const bool runsAgain = hasEnded() && !(edit->added.empty() && edit->restored.empty());
    const std::string changes = sweep::changesInWords(m_spec, redefinition.spec);
    const std::string rest =
        waiting + (runsAgain ? " The sweep, which has ended, runs again." : "")
        + " Running and ended trials stay as they are; attempts that start from now on use the new "
          "definition."
        + (changes.empty() ? "" : "\nChanged: " + changes + ".");
    if (redefinition.dryRun)
        return "It would do this: " + words + "." + rest;

    Store::Edit change;
    change.sweep = record();
    change.sweep.toml = std::move(redefinition.toml);
    change.sweep.trialsTotal += static_cast<int>(edit->added.size());
    change.cause = (redefinition.isUndo ? "a person undid an edit: " : "a person edited it: ") + words
                   + (changes.empty() ? "" : "; " + changes);
    change.definitionBefore = record().toml;
    change.isUndo = redefinition.isUndo;
    change.sweep.edits += redefinition.isUndo ? -1 : 1;
    if (runsAgain) {
        change.sweep.state = SweepState::Running;
        sweep::takeUp(change.sweep, now);
    }
    for (const int number : edit->removed) {
        TrialChange removed{m_ledger.trial(number), {}};
        removed.transitions.push_back(move(removed.row, TrialEvent::Stopped, sweep::removedByEdit));
        removed.row.record.ended = now;
        change.changes.push_back(std::move(removed));
    }
    for (const int number : edit->restored) {
        TrialChange restored{m_ledger.trial(number), {}};
        restored.transitions.push_back(move(restored.row, TrialEvent::Retried, waitsForItsTurn));
        restored.row.record.ended.reset();
        change.changes.push_back(std::move(restored));
    }
    for (sweep::TrialPlan &plan : edit->added)
        change.added.push_back(waitingTrial(std::move(plan), waitsForItsTurn));
    if (!m_ledger.edit(std::move(change), now))
        return tl::unexpected<Problems>(Problems{{"", notWritten().value().message}});
    m_spec = std::move(redefinition.spec);
    m_retryPolicy = RetryPolicy(m_spec.run);
    loadRungs();
    for (auto &[number, attempt] : m_attempts)
        attempt.monitor.compareAt(m_spec.prune);
    m_budget = std::move(budget);
    return "The sweep has its new definition: " + words + "." + rest;
}

Expected<std::string> SweepRun::enqueue(const std::map<std::string, std::string> &texts, WallNs now)
{
    if (record().state == SweepState::Stopping)
        return makeError(ErrorCode::BadInput, "the sweep is being stopped; no trial can be added");
    if (const std::optional<std::string> spent = usedUp(m_budget, now))
        return cannot(*spent + "; give the sweep more of it before (edit)");
    if (trials().size() >= sweep::maxTrials)
        return makeError(ErrorCode::BadInput, "the sweep has as many trials as are possible");
    Expected<sweep::ParameterSet> point = sweep::parsePoint(m_spec, texts);
    if (!point)
        return tl::unexpected<Error>(point.error());
    TrialRow row = waitingTrial(sweep::planPoint(m_spec, record().trialsTotal + 1, std::move(*point)), waitsForItsTurn);
    row.enqueued = true;
    for (const TrialRow &other : trials()) {
        if (other.record.state == sweep::TrialState::Waiting)
            row.record.priority =
                std::min(std::max(row.record.priority, other.record.priority + 1), sweep::highestPriority);
    }
    const std::string number = std::to_string(row.record.number);
    Store::Edit change;
    change.sweep = record();
    ++change.sweep.trialsTotal;
    change.sweep.state = hasEnded() ? SweepState::Running : record().state;
    sweep::takeUp(change.sweep, now);
    change.cause = "a person added trial " + number;
    change.added.push_back(std::move(row));
    if (!m_ledger.edit(std::move(change), now))
        return notWritten();
    return "Trial " + number + " is added and starts before those that wait; running trials are not touched.";
}

}  // namespace sweepscope::engine
