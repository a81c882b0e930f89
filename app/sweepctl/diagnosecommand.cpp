#include "argumentchecks.h"
#include "diagnosiswords.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "diagnosis/attemptfiles.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>

namespace sweepscope::ctl {

namespace {

using diagnosis::Report;
using diagnosis::RuleResult;
using diagnosis::Verdict;

struct DiagnoseOptions {
    std::string workspace;
    std::string sweep;
    std::vector<int> trials;
    bool json = false;
};

/// Returns the requested trials, or all if none is named.
Expected<std::vector<sweep::TrialRecord>> selectTrials(const StoredSweeps &stored, const sweep::SweepRecord &sweep,
                                                       const std::vector<int> &numbers)
{
    Expected<std::vector<sweep::TrialRecord>> trials = stored.trials(sweep.id);
    if (!trials || numbers.empty())
        return trials;
    for (const int number : numbers) {
        if (std::none_of(trials->begin(), trials->end(),
                         [number](const auto &trial) { return trial.number == number; }))
            return makeError(ErrorCode::BadInput, "the sweep " + sweep.folder + " has no trial "
                                                      + std::to_string(number) + "; it has "
                                                      + std::to_string(trials->size()));
    }
    std::erase_if(*trials, [&numbers](const sweep::TrialRecord &trial) {
        return std::find(numbers.begin(), numbers.end(), trial.number) == numbers.end();
    });
    return trials;
}

void printFindings(const Report &report)
{
    if (report.findings.empty())
        return;
    std::cout << "trial " << report.trial << ", attempt " << report.attempt << '\n';
    for (const diagnosis::Finding &finding : report.findings)
        std::cout << "  " << lineOf(finding) << "\n    " << evidenceOf(finding) << "\n    hint: " << finding.hint
                  << '\n';
}

using Attempts = std::map<std::string, int>;

/// " (2 of 3 attempts)"; empty for all.
std::string attemptsInWords(int count, std::size_t all)
{
    return static_cast<std::size_t>(count) < all
               ? " (" + std::to_string(count) + " of " + std::to_string(all) + " attempts)"
               : std::string();
}

/// By rule, and for each the attempts by reason.
std::map<std::string, Attempts> reasonsOf(const std::vector<Report> &reports, Verdict verdict)
{
    std::map<std::string, Attempts> reasons;
    for (const Report &report : reports) {
        for (const RuleResult &result : report.results) {
            if (result.verdict == verdict)
                ++reasons[result.rule][result.missing];
        }
    }
    return reasons;
}

/// Prints one line for each rule that could not decide, with the reason and, unless it is all, the number of attempts.
void printUnknown(const std::vector<Report> &reports)
{
    const std::map<std::string, Attempts> unknown = reasonsOf(reports, Verdict::NotEnoughData);
    if (!unknown.empty())
        std::cout << "not enough data:\n";
    for (const auto &[rule, reasons] : unknown) {
        for (const auto &[reason, attempts] : reasons)
            std::cout << "  " << rule << ": " << reason << attemptsInWords(attempts, reports.size()) << '\n';
    }
}

/// Prints one line for each reason why rules do not apply.
void printInapplicable(const std::vector<Report> &reports)
{
    std::map<std::string, std::string> rulesByReason;
    for (const auto &[rule, reasons] : reasonsOf(reports, Verdict::NotApplicable)) {
        for (const auto &[reason, attempts] : reasons) {
            std::string &rules = rulesByReason[reason + attemptsInWords(attempts, reports.size())];
            rules += (rules.empty() ? "" : ", ") + rule;
        }
    }
    if (!rulesByReason.empty())
        std::cout << "not applicable:\n";
    for (const auto &[reason, rules] : rulesByReason)
        std::cout << "  " << reason << ": " << rules << '\n';
}

/// Counts the rules that are clear for every attempt to which they apply.
std::size_t countClear(const std::vector<Report> &reports)
{
    std::set<std::string> clear;
    std::set<std::string> others;
    for (const Report &report : reports) {
        for (const RuleResult &result : report.results) {
            if (result.verdict == Verdict::Clear)
                clear.insert(result.rule);
            else if (result.verdict != Verdict::NotApplicable)
                others.insert(result.rule);
        }
    }
    std::erase_if(clear, [&others](const std::string &rule) { return others.contains(rule); });
    return clear.size();
}

void print(const std::vector<Report> &reports)
{
    std::size_t findings = 0;
    for (const Report &report : reports) {
        printFindings(report);
        findings += report.findings.size();
    }
    printUnknown(reports);
    printInapplicable(reports);
    const std::size_t clear = countClear(reports);
    std::cout << reports.size() << (reports.size() == 1 ? " attempt: " : " attempts: ") << findings
              << (findings == 1 ? " finding" : " findings");
    if (clear > 0)
        std::cout << "; " << clear << (clear == 1 ? " rule passed" : " rules passed");
    std::cout << '\n';
}

int diagnoseTrials(const DiagnoseOptions &options)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored) {
        std::cerr << stored.error().message << '\n';
        return noEngine;
    }
    const Expected<const sweep::SweepRecord *> sweep = selectSweep(stored->sweeps(), options.sweep, Wanted::Any);
    const auto trials = sweep ? selectTrials(*stored, **sweep, options.trials)
                              : Expected<std::vector<sweep::TrialRecord>>(tl::unexpected<Error>(sweep.error()));
    if (!trials) {
        std::cerr << trials.error().message << '\n';
        return badInput;
    }
    diagnosis::DeviceHistories devices(stored->workspace());
    std::vector<std::string> damage;
    std::vector<Report> reports;
    for (const diagnosis::AttemptPlace &place : diagnosis::attemptsOf(stored->workspace(), **sweep, *trials)) {
        Expected<Report> report = diagnosis::diagnose(place, devices, wallNow());
        damage.push_back(report ? report->damage : report.error().message);
        if (report)
            reports.push_back(std::move(*report));
    }
    damage.push_back(devices.damage());
    if (options.json) {
        nlohmann::ordered_json attempts = nlohmann::ordered_json::array();
        for (const Report &report : reports)
            attempts.push_back(toJson(report));
        const nlohmann::ordered_json json{{"sweep", (*sweep)->folder}, {"attempts", std::move(attempts)}};
        std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
    } else {
        print(reports);
    }
    std::erase(damage, "");
    std::set<std::string> said;  // imported attempts all have the same
    for (const std::string &sentence : damage) {
        if (said.insert(sentence).second)
            std::cerr << sentence << '\n';
    }
    return damage.empty() ? good : badInput;
}

}  // namespace

Subcommand makeDiagnoseCommand(CLI::App &app)
{
    auto options = std::make_shared<DiagnoseOptions>();
    CLI::App *command = app.add_subcommand(
        "diagnose", "Find problems of trials: slow ranks, starved data loaders, throttled GPUs, loss spikes, "
                    "and more");
    addSweepOption(*command, options->sweep);
    command->add_option("TRIAL", options->trials, "Numbers of trials (default: all)")->type_name("")->check(atLeast(1));
    command->add_flag("--json", options->json, "Print JSON: the verdict of each rule on each attempt");
    addWorkspaceOption(*command, options->workspace);
    command->footer("Works while the sweep runs, and needs no engine. docs/diagnosis.md explains the rules "
                    "and their thresholds.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl diagnose digits-mlp\n"
                    "  sweepctl diagnose 3 7 8\n"
                    "  sweepctl diagnose 3 --json | jq '.attempts[].findings[]'\n"
                    "\n"
                    "If a feed is damaged, its readable part is used, stderr names what is missing, and the "
                    "exit code is 2.");
    return {command, [options] { return diagnoseTrials(*options); }};
}

}  // namespace sweepscope::ctl
