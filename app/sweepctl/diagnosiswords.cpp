#include "diagnosiswords.h"

#include "diagnosis/words.h"
#include "jsonvalues.h"
#include "sweepwords.h"

#include <cmath>

namespace sweepscope::ctl {

namespace {

Json finiteOrWord(double value)
{
    if (std::isfinite(value))
        return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

}  // namespace

std::string lineOf(const diagnosis::Finding &finding)
{
    return diagnosis::nameOf(finding.severity) + "  " + finding.rule + "  " + finding.sentence
           + (finding.simulated ? " (simulated)" : "");
}

std::string evidenceOf(const diagnosis::Finding &finding)
{
    std::string words;
    const diagnosis::Window &window = finding.window;
    if (window.fromStep && window.fromStep == window.toStep)
        words = "step " + std::to_string(*window.fromStep) + ", ";
    else if (window.fromStep)
        words = "steps " + std::to_string(*window.fromStep) + " to " + std::to_string(*window.toStep) + ", ";
    words += localTimeInWords(window.from);
    if (window.to > window.from)
        words += " for " + durationInWords(toSeconds(window.to - window.from));
    if (!finding.device.empty())
        words += ", " + finding.device;
    if (finding.threshold != 0)
        words += "; " + diagnosis::withUnit(finding.value, finding.unit) + ", threshold "
                 + diagnosis::withUnit(finding.threshold, finding.unit);
    return words + " (" + finding.thresholdSource + ")";
}

Json toJson(const diagnosis::Finding &finding)
{
    return {{"rule", finding.rule},
            {"severity", diagnosis::nameOf(finding.severity)},
            {"trial", finding.trial},
            {"attempt", finding.attempt},
            {"rank", orNull(finding.rank)},
            {"device", finding.device.empty() ? Json(nullptr) : Json(finding.device)},
            {"from", toIso8601(finding.window.from)},
            {"to", toIso8601(finding.window.to)},
            {"from_step", orNull(finding.window.fromStep)},
            {"to_step", orNull(finding.window.toStep)},
            {"value", finiteOrWord(finding.value)},
            {"threshold", finiteOrWord(finding.threshold)},
            {"unit", finding.unit},
            {"threshold_source", finding.thresholdSource},
            {"sentence", finding.sentence},
            {"hint", finding.hint},
            {"simulated", finding.simulated}};
}

Json toJson(const diagnosis::Report &report)
{
    Json findings = Json::array();
    for (const diagnosis::Finding &finding : report.findings)
        findings.push_back(toJson(finding));
    Json rules = Json::array();
    for (const diagnosis::RuleResult &result : report.results)
        rules.push_back({{"rule", result.rule},
                         {"verdict", diagnosis::nameOf(result.verdict)},
                         {"missing", result.missing.empty() ? Json(nullptr) : Json(result.missing)}});
    return {{"trial", report.trial},
            {"attempt", report.attempt},
            {"findings", std::move(findings)},
            {"rules", std::move(rules)},
            {"damage", report.damage.empty() ? Json(nullptr) : Json(report.damage)}};
}

}  // namespace sweepscope::ctl
