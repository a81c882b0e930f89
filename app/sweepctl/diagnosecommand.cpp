#include "atleast.h"
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

/// The trials that were asked for; all without any.
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

/// Rules that could not tell, with the reason, and in how many attempts: a line for each, not one for each attempt.
void printUnknown(const std::vector<Report> &reports)
{
    std::map<std::pair<std::string, std::string>, int> attempts;
    for (const Report &report : reports) {
        for (const RuleResult &result : report.results) {
            if (result.verdict == Verdict::NotEnoughData)
                ++attempts[{result.rule, result.missing}];
        }
    }
    if (!attempts.empty())
        std::cout << "not enough data:\n";
    for (const auto &[unknown, count] : attempts) {
        std::cout << "  " << unknown.first << ": " << unknown.second;
        if (reports.size() > 1)
            std::cout << " (" << count << " of " << reports.size() << " attempts)";
        std::cout << '\n';
    }
}

void print(const std::vector<Report> &reports)
{
    std::size_t findings = 0;
    std::size_t clear = 0;
    for (const Report &report : reports) {
        printFindings(report);
        findings += report.findings.size();
        clear += static_cast<std::size_t>(
            std::count_if(report.results.begin(), report.results.end(),
                          [](const RuleResult &result) { return result.verdict == Verdict::Clear; }));
    }
    printUnknown(reports);
    std::cout << reports.size() << (reports.size() == 1 ? " attempt: " : " attempts: ") << findings
              << (findings == 1 ? " finding; " : " findings; ") << clear
              << (clear == 1 ? " rule is clear\n" : " rules are clear\n");
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
    const diagnosis::DeviceHistory devices(stored->workspace().devicesFeed());
    std::vector<std::string> damage{devices.damage()};
    std::vector<Report> reports;
    for (const diagnosis::AttemptPlace &place : diagnosis::attemptsOf(stored->workspace(), **sweep, *trials)) {
        Expected<Report> report = diagnosis::diagnose(place, devices, wallNow());
        damage.push_back(report ? report->damage : report.error().message);
        if (report)
            reports.push_back(std::move(*report));
    }
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
    for (const std::string &sentence : damage)
        std::cerr << sentence << '\n';
    return damage.empty() ? good : badInput;
}

}  // namespace

Subcommand makeDiagnoseCommand(CLI::App &app)
{
    auto options = std::make_shared<DiagnoseOptions>();
    CLI::App *command = app.add_subcommand("diagnose", "What is wrong with a sweep's trials: slow ranks, starving "
                                                       "loaders, throttled GPUs, losses that spike, and more");
    addSweepOption(*command, options->sweep);
    command->add_option("TRIAL", options->trials, "Only these trials, by their numbers")
        ->type_name("")
        ->check(atLeast(1));
    command->add_flag("--json", options->json, "As JSON, for programs: each rule's verdict on each attempt");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Works while the sweep runs, and without an engine. docs/diagnosis.md explains the rules and their "
        "thresholds.\n\n"
        "Examples:\n  sweepctl diagnose digits-mlp\n  sweepctl diagnose 3 7 8\n"
        "  sweepctl diagnose 3 --json | jq '.attempts[].findings[]'\n\n"
        "Exit code 2 also when a feed is damaged: what can be read of it is looked at, and stderr says what "
        "is missing.");
    return {command, [options] { return diagnoseTrials(*options); }};
}

}  // namespace sweepscope::ctl
