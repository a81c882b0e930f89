#include "argumentchecks.h"
#include "enginerequest.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "base/files.h"
#include "protocol/engineclient.h"
#include "sweep/besttrials.h"
#include "sweep/launchpreparation.h"
#include "sweep/point.h"
#include "sweep/sweepfile.h"
#include "sweep/sweepfileedit.h"

#include <iostream>
#include <memory>
#include <optional>
#include <set>

namespace sweepscope::ctl {

namespace {

struct EditOptions {
    std::string workspace;
    std::string sweep;
    std::string file;
    std::optional<std::string> name;
    std::optional<int> concurrent;
    std::optional<int> retries;
    std::optional<std::uint64_t> trials;
    bool undo = false;
    bool dryRun = false;
    bool print = false;

    bool setsKeys() const { return name || concurrent || retries || trials; }
};

Expected<sweep::SweepRecord> findStored(const Expected<StoredSweeps> &stored, const std::string &words,
                                        Wanted wanted = Wanted::NotEnded)
{
    if (!stored)
        return tl::unexpected<Error>(stored.error());
    const Expected<const sweep::SweepRecord *> found = selectSweep(stored->sweeps(), words, wanted);
    if (!found)
        return tl::unexpected<Error>(found.error());
    return **found;
}

int complain(const Error &error)
{
    std::cerr << error.message << '\n';
    return error.code == ErrorCode::NotFound ? noEngine : badInput;
}

/// Returns the edited definition; nullopt after printing its problems to stderr.
std::optional<std::string> newDefinition(const EditOptions &options, const sweep::SweepRecord &sweep)
{
    std::string text = sweep.toml;
    if (!options.file.empty()) {
        Expected<std::string> read = readFile(options.file, sweep::mostSweepFileBytes, Accepted::AnyFile);
        if (!read) {
            std::cerr << read.error().message << '\n';
            return std::nullopt;
        }
        text = std::move(*read);
    }
    sweep::ParsedSweep parsed = sweep::parseSweep(text);
    for (const sweep::Problem &problem : parsed.problems)
        std::cerr << sweep::describe(problem, options.file) << '\n';
    if (!parsed.problems.empty())
        return std::nullopt;
    if (options.trials && parsed.spec.method == sweep::SearchMethod::Grid) {
        std::cerr << "--trials does not apply to a grid, which has one trial for each point; edit [space] instead\n";
        return std::nullopt;
    }
    const sweep::SweepSpec asWritten = parsed.spec;
    sweep::resolveForLaunch(parsed.spec);
    const sweep::SweepSpec before = parsed.spec;
    parsed.spec.name = options.name.value_or(parsed.spec.name);
    parsed.spec.devices.concurrent = options.concurrent.value_or(parsed.spec.devices.concurrent);
    parsed.spec.run.retries = options.retries.value_or(parsed.spec.run.retries);
    parsed.spec.trials = options.trials.value_or(parsed.spec.trials);
    const bool isUnchanged = options.file.empty() && parsed.spec == before;
    return isUnchanged || parsed.spec == asWritten ? text : sweep::sweepFile(parsed.spec, text);
}

int edit(const EditOptions &options)
{
    const Expected<sweep::SweepRecord> sweep = findStored(StoredSweeps::open(options.workspace), options.sweep);
    if (!sweep)
        return complain(sweep.error());
    if (options.print) {
        std::cout << sweep->toml;
        return good;
    }
    if (options.undo ? (!options.file.empty() || options.setsKeys()) : (options.file.empty() && !options.setsKeys())) {
        std::cerr << "nothing to change: name a sweep file, --name, --concurrent, --retries or --trials, or use --undo "
                     "alone\n";
        return badInput;
    }
    const std::optional<std::string> toml =
        options.undo ? std::optional<std::string>(std::string()) : newDefinition(options, *sweep);
    if (!toml)
        return badInput;
    return requestOfEngine(
        options.workspace, sweep->folder, Wanted::Any,
        [&](protocol::EngineClient &client, const sweep::SweepRecord &record) {
            if (options.undo)
                client.undoEdit(record.id, options.dryRun);
            else
                client.editSweep(record.id, QString::fromStdString(*toml), options.dryRun);
        },
        options.dryRun ? wording::preview : wording::sentences);
}

struct EnqueueOptions {
    std::string workspace;
    std::string sweep;
    std::vector<std::string> values;
    int from = 0;
};

/// Leaves out what the other trial has, but a chosen value switches off.
void dropSwitchedOff(const sweep::SweepSpec &spec, const std::set<std::string> &named,
                     std::map<std::string, std::string> &point)
{
    const auto space = sweep::SearchSpace::compile(spec);
    const Expected<sweep::ParameterSet> parameters = sweep::parsePoint(spec, point);
    if (!space || !parameters)
        return;  // the engine says what is wrong
    for (const std::string &name : sweep::switchedOffParameters(spec, *space, *parameters)) {
        if (!named.contains(name))
            point.erase(name);
    }
}

/// "lr=0.01" -> {"lr", "0.01"}
Expected<std::map<std::string, std::string>> namedValues(const std::vector<std::string> &texts)
{
    std::map<std::string, std::string> values;
    for (const std::string &text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return makeError(ErrorCode::BadInput, "'" + text + "' is not NAME=VALUE, such as lr=0.01");
        values[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return values;
}

/// Starts from the parameters of another trial if one is named.
Expected<std::map<std::string, std::string>> pointOf(const EnqueueOptions &options)
{
    std::map<std::string, std::string> point;
    std::optional<sweep::SweepSpec> spec;
    if (options.from != 0) {
        const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
        const Expected<sweep::SweepRecord> sweep = findStored(stored, options.sweep);
        if (!sweep)
            return tl::unexpected<Error>(sweep.error());
        const Expected<std::vector<sweep::TrialRecord>> trials = stored->trials(sweep->id);
        if (!trials)
            return tl::unexpected<Error>(trials.error());
        if (options.from > static_cast<int>(trials->size()))
            return makeError(ErrorCode::BadInput,
                             "the sweep " + sweep->folder + " has no trial " + std::to_string(options.from));
        for (const auto &[name, value] : (*trials)[static_cast<std::size_t>(options.from - 1)].parameters)
            point[name] = sweep::toText(value);
        spec = sweep::parseSweep(sweep->toml).spec;
    }
    const auto values = namedValues(options.values);
    if (!values)
        return values;
    std::set<std::string> named;
    for (const auto &[name, value] : *values)
        point[*named.insert(name).first] = value;
    if (spec)
        dropSwitchedOff(*spec, named, point);
    if (point.empty())
        return makeError(ErrorCode::BadInput, "name a value for each parameter, such as lr=0.01");
    return point;
}

int enqueue(const EnqueueOptions &options)
{
    const Expected<std::map<std::string, std::string>> point = pointOf(options);
    if (!point)
        return complain(point.error());
    return requestOfEngine(options.workspace, options.sweep, Wanted::Any,
                           [&](protocol::EngineClient &client, const sweep::SweepRecord &sweep) {
                               client.enqueueTrial(sweep.id, *point);
                           });
}

struct ContinueOptions {
    std::string workspace;
    std::string sweep;
    std::vector<std::string> values;
    std::vector<int> trials;
    int best = 0;
};

/// The best of those that have ended.
Expected<std::vector<int>> bestOf(const ContinueOptions &options)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    const Expected<sweep::SweepRecord> sweep = findStored(stored, options.sweep, Wanted::Any);
    if (!sweep)
        return tl::unexpected<Error>(sweep.error());
    Expected<std::vector<sweep::TrialRecord>> trials = stored->trials(sweep->id);
    if (!trials)
        return tl::unexpected<Error>(trials.error());
    std::erase_if(*trials, [](const sweep::TrialRecord &trial) { return !sweep::isFinal(trial.state); });
    std::vector<int> best = sweep::bestTrials(*trials, sweep->goal, options.best);
    if (best.empty())
        return makeError(ErrorCode::BadInput,
                         "no trial of the sweep " + sweep->folder + " has ended with a value of " + sweep->objective);
    return best;
}

int continueTrials(const ContinueOptions &options)
{
    const auto changes = namedValues(options.values);
    if (!changes)
        return complain(changes.error());
    if (options.best == 0 && options.trials.empty())
        return complain({ErrorCode::BadInput, "name the trials to continue: --best K, or --trial N"});
    const Expected<std::vector<int>> trials = options.best != 0 ? bestOf(options) : options.trials;
    if (!trials)
        return complain(trials.error());
    return requestOfEngine(options.workspace, options.sweep, Wanted::Any,
                           [&](protocol::EngineClient &client, const sweep::SweepRecord &sweep) {
                               client.continueTrials(sweep.id, *trials, *changes);
                           });
}

}  // namespace

Subcommand makeEditCommand(CLI::App &app)
{
    auto options = std::make_shared<EditOptions>();
    CLI::App *command = app.add_subcommand("edit", "Edit the definition of a sweep, even while it runs");
    addSweepOption(*command, options->sweep);
    command->add_option("FILE", options->file, "Changed sweep file; relative paths start in the sweep's folder")
        ->type_name("");
    command->add_option("--name", options->name, "Rename the sweep; its folder keeps its name");
    command->add_option("--concurrent", options->concurrent, "Maximum concurrent trials")->check(atLeast(1));
    command->add_option("--retries", options->retries, "Further attempts after a failed one")->check(atLeast(0));
    command->add_option("--trials", options->trials, "Number of trials of a search, including those that have run")
        ->check(atLeast(1));
    command->add_flag("--undo", options->undo, "Restore the definition before the last edit");
    command->add_flag("--dry-run", options->dryRun, "Print what would change, and change nothing");
    command->add_flag("--print", options->print, "Print the current definition, to edit it");
    addWorkspaceOption(*command, options->workspace);
    command->footer("You can add and remove values of parameters, extend ranges, and change how trials run. "
                    "Finished and running\n"
                    "trials are kept. New points are queued, and queued trials that are no longer in the "
                    "space are removed.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl edit 3 --print > changed.toml\n"
                    "  sweepctl edit 3 changed.toml --dry-run\n"
                    "  sweepctl edit 3 changed.toml\n"
                    "  sweepctl edit 3 --concurrent 4\n"
                    "  sweepctl edit 3 --name 'wide layers'\n"
                    "  sweepctl edit 3 --undo");
    return {command, [options] { return edit(*options); }};
}

Subcommand makeEnqueueCommand(CLI::App &app)
{
    auto options = std::make_shared<EnqueueOptions>();
    CLI::App *command =
        app.add_subcommand("enqueue", "Add one trial with chosen parameters to a sweep; it starts next");
    addSweepOption(*command, options->sweep);
    command->add_option("VALUES", options->values, "Parameters, such as lr=0.01; values outside the space are allowed")
        ->type_name("");
    command->add_option("--from", options->from, "Take all other parameters from this trial")
        ->type_name("N")
        ->check(atLeast(1));
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Examples:\n  sweepctl enqueue 3 lr=0.03 hidden=128\n  sweepctl enqueue digits-mlp --from 7 lr=0.03");
    return {command, [options] { return enqueue(*options); }};
}

Subcommand makeContinueCommand(CLI::App &app)
{
    auto options = std::make_shared<ContinueOptions>();
    CLI::App *command = app.add_subcommand("continue", "Continue the checkpoints of trials in new trials");
    addSweepOption(*command, options->sweep);
    command
        ->add_option("VALUES", options->values,
                     "What changes, such as epochs=60: parameters, and settings of the built-in worker")
        ->type_name("");
    const CLI::Option *best =
        command->add_option("--best", options->best, "Continue the best K of the trials that have ended")
            ->type_name("K")
            ->check(atLeast(1));
    const CLI::Option *trials = command->add_option("--trial,-t", options->trials, "Continue these trials")
                                    ->type_name("N")
                                    ->allow_extra_args(false)
                                    ->check(atLeast(1));
    allowOneOf(*command, {best, trials});
    addWorkspaceOption(*command, options->workspace);
    command->footer("Each new trial starts from the last checkpoint of another trial, with its seed and parameters "
                    "except VALUES.\n"
                    "The trials that are continued keep their results.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl continue 3 epochs=60 --best 3\n"
                    "  sweepctl continue digits-mlp epochs=60 lr=0.001 --trial 7");
    return {command, [options] { return continueTrials(*options); }};
}

}  // namespace sweepscope::ctl
