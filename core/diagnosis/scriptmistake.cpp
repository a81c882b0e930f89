#include "diagnosis/examinations.h"
#include "diagnosis/rankhashes.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace sweepscope::diagnosis {

namespace {

constexpr std::size_t longestText = 400;

struct Mistake {
    std::vector<int> ranks;
    feed::Event first;
};

/// "mistake NAME: sentence", as packaging/python/sweepscope/mistakes.py tells them; empty if it is none.
std::pair<std::string, std::string> mistakeIn(const feed::Event &event)
{
    constexpr std::string_view mark = "mistake ";
    const std::size_t colon = event.text.find(": ");
    if (event.kind != feed::EventKind::Warning || !event.text.starts_with(mark) || colon == std::string::npos)
        return {};
    return {event.text.substr(mark.size(), colon - mark.size()), event.text.substr(colon + 2, longestText)};
}

Severity severityOf(std::string_view name)
{
    if (name == "find-unused")
        return Severity::Note;
    return name.starts_with("wrapper-") || name == "zero-grad" || name == "no-gradients" ? Severity::Problem
                                                                                         : Severity::Warning;
}

/// Replicas with equal weights that apply different gradients, and have different weights then, do not average gradients.
/// Ranks that hold parts of a model begin with different weights, and those that average weights end with equal ones.
std::optional<Finding> differentGradients(const AttemptEvidence &evidence)
{
    static constexpr std::string_view mark = "gradients: ";
    std::vector<std::pair<int, double>> weights;
    std::vector<std::pair<int, double>> later;
    std::vector<std::pair<int, double>> gradients;
    std::optional<feed::Event> first;
    for (const RankEvidence &rank : evidence.ranks) {
        const auto event = std::ranges::find_if(rank.events, [](const feed::Event &one) {
            return one.kind == feed::EventKind::Message && one.text.starts_with(mark);
        });
        const series::Series *gradient = rank.find("gradients_hash");
        const series::Series *weight = rank.find("weights_hash");
        if (event == rank.events.end() || gradient == nullptr || weight == nullptr)
            continue;
        const auto hashes = hashesOf(*weight);
        if (!hashes.contains(0) || !hashes.contains(1))
            continue;
        first = first ? first : *event;
        weights.emplace_back(rank.rank, hashes.at(0));
        later.emplace_back(rank.rank, hashes.at(1));
        gradients.emplace_back(rank.rank, hashesOf(*gradient).begin()->second);
    }
    const std::vector<int> ranks = outsiders(gradients);
    if (ranks.empty() || !outsiders(weights).empty() || outsiders(later).empty())
        return std::nullopt;
    const std::string text = first->text.substr(mark.size(), longestText);
    const std::size_t colon = std::min(text.find(": "), text.size());
    Finding finding;
    finding.severity = Severity::Problem;
    finding.hasOwnSeverity = true;
    if (ranks.size() == 1)
        finding.rank = ranks.front();
    finding.window = {first->timeNs, first->timeNs, first->step, first->step};
    finding.value = static_cast<double>(ranks.size());
    finding.sentence = text.substr(0, colon) + ": the gradients of " + wording::ranks(ranks)
                       + " differ from the other ranks', although all weights were equal at first" + text.substr(colon)
                       + "; wrap the model in DistributedDataParallel after all its parameters are created, or average "
                         "each gradient before optimizer.step()";
    return finding;
}

}  // namespace

Outcome examineScript(const AttemptEvidence &evidence)
{
    std::map<std::pair<std::string, std::string>, Mistake> mistakes;
    for (const RankEvidence &rank : evidence.ranks) {
        for (const feed::Event &event : rank.events) {
            const auto mistake = mistakeIn(event);
            if (mistake.first.empty())
                continue;
            Mistake &known = mistakes[mistake];
            if (known.ranks.empty())
                known.first = event;
            if (known.ranks.empty() || known.ranks.back() != rank.rank)
                known.ranks.push_back(rank.rank);
        }
    }
    const auto reports = [](const RankEvidence &rank) { return !rank.curves.empty() || !rank.events.empty(); };
    if (std::ranges::none_of(evidence.ranks, reports))
        return Outcome::notEnoughData("no rank has reported anything");
    std::vector<Finding> findings;
    for (const auto &[named, mistake] : mistakes) {
        Finding finding;
        finding.severity = severityOf(named.first);
        finding.hasOwnSeverity = true;
        if (mistake.ranks.size() == 1)
            finding.rank = mistake.ranks.front();
        finding.window = {mistake.first.timeNs, mistake.first.timeNs, mistake.first.step, mistake.first.step};
        finding.value = static_cast<double>(mistake.ranks.size());
        finding.sentence = named.second;
        findings.push_back(std::move(finding));
    }
    if (auto finding = differentGradients(evidence))
        findings.push_back(std::move(*finding));
    return findings.empty() ? Outcome::clear() : Outcome::found(std::move(findings));
}

}  // namespace sweepscope::diagnosis
