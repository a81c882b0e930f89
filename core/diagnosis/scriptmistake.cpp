#include "diagnosis/examinations.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace sweepscope::diagnosis {

namespace {

struct Mistake {
    std::vector<int> ranks;
    feed::Event first;
};

/// "mistake NAME: sentence", as packaging/python/sweepscope/mistakes.py tells them; empty if it is none.
std::pair<std::string, std::string> mistakeIn(const feed::Event &event)
{
    constexpr std::string_view mark = "mistake ";
    constexpr std::size_t longest = 400;
    const std::size_t colon = event.text.find(": ");
    if (event.kind != feed::EventKind::Warning || !event.text.starts_with(mark) || colon == std::string::npos)
        return {};
    return {event.text.substr(mark.size(), colon - mark.size()), event.text.substr(colon + 2, longest)};
}

Severity severityOf(std::string_view name)
{
    if (name == "find-unused")
        return Severity::Note;
    return name.starts_with("wrapper-") ? Severity::Problem : Severity::Warning;
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
    return findings.empty() ? Outcome::clear() : Outcome::found(std::move(findings));
}

}  // namespace sweepscope::diagnosis
