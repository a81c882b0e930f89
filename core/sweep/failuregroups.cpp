#include "sweep/failuregroups.h"

#include <algorithm>
#include <map>
#include <string>

namespace sweepscope::sweep {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

bool isOfRank(const Fact &fact)
{
    return fact.code == Code::RankExited || fact.code == Code::RankKilled;
}

/// Returns the failure of a rank in the fact or in its causes; nullptr if there is none.
const Fact *rankFailureIn(const Fact &fact)
{
    if (isOfRank(fact))
        return &fact;
    for (const Fact &cause : fact.because) {
        if (const Fact *found = rankFailureIn(cause))
            return found;
    }
    return nullptr;
}

/// "Not retried, because ..." says nothing about the cause.
const Fact &causeOf(const Fact &reason)
{
    if (const Fact *rank = rankFailureIn(reason))
        return *rank;
    return reason.code == Code::NotRetried && !reason.because.empty() ? causeOf(reason.because.front()) : reason;
}

/// Numbers differ between trials: indices, sizes, addresses.
std::string withoutNumbers(const std::string &text)
{
    std::string result;
    for (const char c : text) {
        const bool isDigit = c >= '0' && c <= '9';
        if (!isDigit)
            result += c;
        else if (result.empty() || result.back() != '#')
            result += '#';
    }
    return result;
}

std::string keyOf(const Fact &cause)
{
    std::string key(facts::nameOf(cause.code));
    for (const auto &[field, value] : cause.fields) {
        if (field == Field::ExitCode || field == Field::Signal)
            key += "\n" + std::to_string(cause.integer(field).value_or(0));
        else if (field == Field::Source || field == Field::Machine || field == Field::Ranks)
            key += "\n" + cause.text(field);
        else if (field == Field::Detail && cause.code != Code::ExitedEarly)  // there it is only the last output
            key += "\n" + withoutNumbers(cause.text(field));
    }
    return key;
}

/// Removes what is not true of another trial of the group.
void generalize(Fact &cause, const Fact &other)
{
    std::erase_if(cause.fields, [&](const auto &entry) {
        const bool mayDiffer = (isOfRank(cause) && entry.first == Field::Rank)
                               || (cause.code == Code::ExitedEarly && entry.first == Field::Detail);
        return mayDiffer && std::ranges::find(other.fields, entry) == other.fields.end();
    });
    if (cause.code == Code::ExitedEarly && cause.because != other.because)
        cause.because.clear();
}

}  // namespace

std::vector<FailureGroup> failureGroups(const std::vector<TrialRecord> &trials)
{
    std::vector<FailureGroup> groups;
    std::map<std::string, std::size_t> known;
    for (const TrialRecord &trial : trials) {
        if (trial.state != TrialState::Failed && trial.state != TrialState::Lost)
            continue;
        const Fact &cause = causeOf(trial.reason);
        const auto [place, isNew] = known.emplace(keyOf(cause), groups.size());
        if (isNew)
            groups.push_back({cause, {}});
        else
            generalize(groups[place->second].cause, cause);
        groups[place->second].trials.push_back(trial.number);
    }
    std::ranges::stable_sort(groups, std::ranges::greater(),
                             [](const FailureGroup &group) { return group.trials.size(); });
    return groups;
}

}  // namespace sweepscope::sweep
