#include "atleast.h"
#include "enginerequest.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "base/files.h"
#include "protocol/engineclient.h"
#include "sweep/launchpreparation.h"
#include "sweep/sweepfile.h"

#include <iostream>
#include <memory>
#include <optional>

namespace sweepscope::ctl {

namespace {

struct EditOptions {
    std::string workspace;
    std::string sweep;
    std::string file;
    std::optional<int> concurrent;
    std::optional<int> retries;
    std::optional<std::uint64_t> trials;
    bool undo = false;
    bool dryRun = false;
    bool print = false;

    bool setsFigures() const { return concurrent || retries || trials; }
};

Expected<sweep::SweepRecord> findStored(const Expected<StoredSweeps> &stored, const std::string &words)
{
    if (!stored)
        return tl::unexpected<Error>(stored.error());
    const Expected<const sweep::SweepRecord *> found = selectSweep(stored->sweeps(), words, Wanted::NotEnded);
    if (!found)
        return tl::unexpected<Error>(found.error());
    return **found;
}

int complain(const Error &error)
{
    std::cerr << error.message << '\n';
    return error.code == ErrorCode::NotFound ? noEngine : badInput;
}

/// The definition that is to hold from now on; nothing when the problems were told.
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
    const sweep::SweepSpec asWritten = parsed.spec;
    sweep::resolveForLaunch(parsed.spec);
    parsed.spec.devices.concurrent = options.concurrent.value_or(parsed.spec.devices.concurrent);
    parsed.spec.run.retries = options.retries.value_or(parsed.spec.run.retries);
    parsed.spec.trials = options.trials.value_or(parsed.spec.trials);
    return parsed.spec == asWritten ? text : sweep::toToml(parsed.spec);
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
    if (options.undo ? (!options.file.empty() || options.setsFigures())
                     : (options.file.empty() && !options.setsFigures())) {
        std::cerr << "say what is to change: a sweep file, --concurrent, --retries or --trials; or only --undo\n";
        return badInput;
    }
    const std::optional<std::string> toml =
        options.undo ? std::optional<std::string>(std::string()) : newDefinition(options, *sweep);
    if (!toml)
        return badInput;
    return requestOfEngine(options.workspace, sweep->folder, Wanted::Any,
                           [&](protocol::EngineClient &client, const sweep::SweepRecord &record) {
                               if (options.undo)
                                   client.undoEdit(record.id, options.dryRun);
                               else
                                   client.editSweep(record.id, QString::fromStdString(*toml), options.dryRun);
                           });
}

struct EnqueueOptions {
    std::string workspace;
    std::string sweep;
    std::vector<std::string> values;
    int from = 0;
};

/// "lr=0.01" -> {"lr", "0.01"}; before them, where it is asked for, what another trial has.
Expected<std::map<std::string, std::string>> pointOf(const EnqueueOptions &options)
{
    std::map<std::string, std::string> point;
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
    }
    for (const std::string &text : options.values) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return makeError(ErrorCode::BadInput, "'" + text + "' is no parameter with its value, as in lr=0.01");
        point[text.substr(0, equals)] = text.substr(equals + 1);
    }
    if (point.empty())
        return makeError(ErrorCode::BadInput, "give the point: a value for every parameter, as in lr=0.01");
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

}  // namespace

Subcommand makeEditCommand(CLI::App &app)
{
    auto options = std::make_shared<EditOptions>();
    CLI::App *command = app.add_subcommand("edit", "Change the definition of a sweep, also while it runs");
    addSweepOption(*command, options->sweep);
    command->add_option("FILE", options->file, "The changed sweep file; paths in it start where the sweep's did")
        ->type_name("");
    command->add_option("--concurrent", options->concurrent, "Maximum concurrent trials")->check(atLeast(1));
    command->add_option("--retries", options->retries, "Further attempts of a trial that failed")->check(atLeast(0));
    command->add_option("--trials", options->trials, "Trials of a random search, those that have run included")
        ->check(atLeast(1));
    command->add_flag("--undo", options->undo, "Back to the definition before the last edit");
    command->add_flag("--dry-run", options->dryRun, "Only say what it would do");
    command->add_flag("--print", options->print, "Print the definition as it is now, to be changed");
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Values can be added to and removed from the space, ranges extended, and everything that says how a "
        "trial is run.\nFinished and running trials stay as they are; points that are new are added, waiting "
        "ones that are in the space no\nmore are removed.\n\n"
        "Examples:\n  sweepctl edit 3 --print > changed.toml\n  sweepctl edit 3 changed.toml --dry-run\n"
        "  sweepctl edit 3 changed.toml\n  sweepctl edit 3 --concurrent 4\n  sweepctl edit 3 --undo");
    return {command, [options] { return edit(*options); }};
}

Subcommand makeEnqueueCommand(CLI::App &app)
{
    auto options = std::make_shared<EnqueueOptions>();
    CLI::App *command = app.add_subcommand("enqueue", "Add one trial of a chosen point to a sweep; it starts next");
    addSweepOption(*command, options->sweep);
    command->add_option("VALUES", options->values, "Its parameters, as in lr=0.01; also beyond their ranges")
        ->type_name("");
    command->add_option("--from", options->from, "Take what is not given from this trial: a clone with changes")
        ->type_name("N")
        ->check(atLeast(1));
    addWorkspaceOption(*command, options->workspace);
    command->footer(
        "Examples:\n  sweepctl enqueue 3 lr=0.03 hidden=128\n  sweepctl enqueue digits-mlp --from 7 lr=0.03");
    return {command, [options] { return enqueue(*options); }};
}

}  // namespace sweepscope::ctl
