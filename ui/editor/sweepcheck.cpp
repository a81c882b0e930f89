#include "ui/editor/sweepcheck.h"

#include "search/auto.h"
#include "sweep/launchpreparation.h"
#include "sweep/sweepfileedit.h"
#include "sweep/trialplan.h"
#include "sweep/validation.h"
#include "ui/editor/draftreading.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

using Problems = std::vector<PlacedProblem>;

/// Text that cannot be parsed is reported once, not again by the checks.
bool isCovered(const PlacedProblem &problem, const Problems &typed)
{
    return std::any_of(typed.begin(), typed.end(), [&](const PlacedProblem &known) {
        return known.field == problem.field && known.row == problem.row;
    });
}

/// A missing name hides all other problems of the parameter.
bool isHiddenByMissingName(const PlacedProblem &problem, const SweepDraft &draft, const Problems &all)
{
    const bool nameless = problem.field.startsWith("space."_L1) && problem.row >= 0
                          && draft.space[static_cast<std::size_t>(problem.row)].name.trimmed().isEmpty();
    return nameless && std::ranges::any_of(all, [&problem](const PlacedProblem &known) {
               return known.field == problem.field && known.row == problem.row;
           });
}

void place(const std::vector<sweep::Problem> &found, const SweepDraft &draft, const Problems &typed, Problems &all)
{
    for (const sweep::Problem &problem : found)
        for (const PlacedProblem &placed : placeProblem(problem, draft))
            if (!isCovered(placed, typed) && !isHiddenByMissingName(placed, draft, all)
                && std::find(all.begin(), all.end(), placed) == all.end())
                all.push_back(placed);
}

bool hindersCounting(const PlacedProblem &problem)
{
    return problem.field.startsWith("space"_L1) || problem.field.startsWith("constraints"_L1)
           || problem.field.startsWith("search"_L1);
}

}  // namespace

bool CheckRequest::operator==(const CheckRequest &other) const
{
    const bool sameMachine =
        machine.has_value() == other.machine.has_value()
        && (!machine
            || (machine->gpus == other.machine->gpus && machine->cpuCores == other.machine->cpuCores
                && std::ranges::equal(machine->gpuNames, other.machine->gpuNames, {}, &sweep::GpuIdentity::id,
                                      &sweep::GpuIdentity::id)));
    return sameMachine && baseFolder == other.baseFolder && draft == other.draft && text == other.text
           && worker == other.worker;
}

CheckResult checkSweep(const CheckRequest &request)
{
    DraftReading reading = readDraft(request.draft);
    CheckResult result;
    result.problems = reading.problems;
    place(sweep::validate(reading.spec), request.draft, reading.problems, result.problems);
    if (request.machine && result.problems.empty()) {
        sweep::SweepSpec resolved = reading.spec;
        sweep::resolveForLaunch(resolved);
        place(sweep::checkMachine(resolved, *request.machine, request.baseFolder.toStdString()), request.draft, {},
              result.problems);
    }
    if (!request.worker.empty() && result.problems.empty()) {
        if (const auto missing = sweep::missingWorker(reading.spec, request.worker))
            place({*missing}, request.draft, {}, result.problems);
    }
    if (!problemOfSearch(result))
        if (const auto count = sweep::countTrials(reading.spec))
            result.trials = *count;
    if (result.trials && reading.spec.method == sweep::SearchMethod::Auto)
        result.choice = search::chooseAutomatically(reading.spec).reason;
    const std::string toml = sweep::sweepFile(reading.spec, request.text);
    result.toml = QString::fromStdString(toml);
    result.losesComments = sweep::losesComments(request.text, toml);
    result.spec = std::move(reading.spec);
    return result;
}

const PlacedProblem *problemOfSearch(const CheckResult &result)
{
    const auto found = std::ranges::find_if(result.problems, hindersCounting);
    return found != result.problems.end() ? &*found : nullptr;
}

}  // namespace sweepscope::ui
