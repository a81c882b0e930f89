#include "argumentchecks.h"
#include "costs.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "engine/trialhistory.h"
#include "exporting/followedjournal.h"
#include "exporting/htmlreport.h"
#include "exporting/optunajournal.h"
#include "exporting/reportedrun.h"
#include "exporting/sweepexport.h"
#include "exporting/sweepstable.h"
#include "exporting/tensorboard.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace sweepscope::ctl {

namespace {

struct ExportOptions {
    std::string workspace;
    std::vector<std::string> sweeps;
    std::string trialsFile;
    std::string curvesFile;
    std::string devicesFile;
    std::string findingsFile;
    std::string optunaFile;
    std::string tensorboardFolder;
    std::string htmlFile;
    bool allRanks = false;
    bool follow = false;
    std::optional<std::uint64_t> points;
};

/// Selects standard output instead of a file.
const std::string standardOutput = "-";

int complain(const Error &error, int exitCode)
{
    std::cerr << error.message << '\n';
    return exitCode;
}

/// One of the options that name what to write.
struct Output {
    const char *option;
    const std::string &file;
    std::function<Expected<void>(const StoredSweeps &, const sweep::SweepRecord &,
                                 const std::vector<sweep::TrialRecord> &, const std::filesystem::path &)>
        write;
};

std::optional<exporting::ReportedRun> runOf(const StoredSweeps &stored, const sweep::SweepRecord &sweep,
                                            const std::vector<sweep::TrialRecord> &trials)
{
    const int trial = exporting::reportedTrial(trials);
    engine::StoreReader reader = stored.reader();
    if (trial == 0)
        return std::nullopt;
    const auto history = engine::readTrialHistory(reader, stored.workspace(), sweep, trial);
    return history ? exporting::reportedRun(stored.workspace(), sweep, trial, *history) : std::nullopt;
}

std::vector<Output> outputsOf(const ExportOptions &options)
{
    using Sweep = sweep::SweepRecord;
    using Trials = std::vector<sweep::TrialRecord>;
    using Path = std::filesystem::path;
    return {{"--trials FILE", options.trialsFile,
             [](const StoredSweeps &stored, const Sweep &sweep, const Trials &trials, const Path &file) {
                 return exporting::exportTrials(
                     sweep, trials, file, {},
                     launch::readEnergy(launch::energyFile(stored.workspace().sweepFolder(sweep.folder))),
                     costFactors());
             }},
            {"--curves FILE", options.curvesFile,
             [](const StoredSweeps &stored, const Sweep &sweep, const Trials &trials, const Path &file) {
                 return exporting::exportCurves(stored.workspace(), sweep, trials, file);
             }},
            {"--devices FILE", options.devicesFile,
             [](const StoredSweeps &stored, const Sweep &sweep, const Trials &trials, const Path &file) {
                 return exporting::exportDevices(stored.workspace(), sweep, trials, file);
             }},
            {"--findings FILE", options.findingsFile,
             [](const StoredSweeps &stored, const Sweep &sweep, const Trials &trials, const Path &file) {
                 return exporting::exportFindings(stored.workspace(), sweep, trials, file);
             }},
            {"--optuna FILE", options.optunaFile,
             [&options](const StoredSweeps &stored, const Sweep &sweep, const Trials &trials, const Path &file) {
                 return exporting::exportOptuna(stored.workspace(), sweep, trials, file, {},
                                                options.points.value_or(exporting::mostJournalPoints));
             }},
            {"--tensorboard FOLDER", options.tensorboardFolder,
             [&options](const StoredSweeps &stored, const Sweep &sweep, const Trials &trials, const Path &folder) {
                 return exporting::exportTensorBoard(stored.workspace(), sweep, trials, folder, {},
                                                     {options.allRanks, options.points.value_or(0)});
             }},
            {"--html FILE", options.htmlFile,
             [](const StoredSweeps &stored, const Sweep &sweep, const Trials &trials, const Path &file) {
                 return exporting::exportHtml(stored.workspace(), sweep, trials, file, runOf(stored, sweep, trials),
                                              costFactors());
             }}};
}

std::string listed(const std::vector<Output> &outputs)
{
    std::string list;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        list += (i == 0 ? "" : i + 1 == outputs.size() ? " or " : ", ") + std::string(outputs[i].option);
    return list;
}

/// Writes the trials of several sweeps as one table.
int exportTable(const StoredSweeps &stored, const std::vector<const sweep::SweepRecord *> &sweeps,
                const std::string &file)
{
    std::vector<std::vector<sweep::TrialRecord>> trials;
    for (const sweep::SweepRecord *sweep : sweeps) {
        auto read = stored.trials(sweep->id);
        if (!read)
            return complain(read.error(), badInput);
        trials.push_back(*std::move(read));
    }
    std::vector<exporting::SweepOfTable> table;
    for (std::size_t i = 0; i < sweeps.size(); ++i)
        table.push_back({*sweeps[i], trials[i],
                         launch::readEnergy(launch::energyFile(stored.workspace().sweepFolder(sweeps[i]->folder)))});
    if (const Expected<void> done = exporting::exportSweeps(table, file, costFactors()); !done)
        return complain(done.error(), badInput);
    if (file != standardOutput)
        std::cout << file << '\n';
    return good;
}

/// Adds to the journal until the sweep ends, in a tenth of the time at most.
int followSweep(const ExportOptions &options)
{
    using std::chrono::steady_clock;
    std::optional<exporting::FollowedJournal> journal;
    std::int64_t sweepId = 0;
    for (;;) {
        const auto begin = steady_clock::now();
        const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
        if (!stored)
            return complain(stored.error(), noEngine);
        const Expected<const sweep::SweepRecord *> sweep =
            selectSweep(stored->sweeps(), journal ? std::to_string(sweepId) : options.sweeps.front(), Wanted::Any);
        if (!sweep)
            return complain(sweep.error(), badInput);
        if (!journal) {
            auto opened = exporting::FollowedJournal::open(options.optunaFile, **sweep);
            if (!opened)
                return complain(opened.error(), badInput);
            journal = std::move(*opened);
            sweepId = (*sweep)->id;
            std::cout << options.optunaFile << std::endl;
        }
        const Expected<std::vector<sweep::TrialRecord>> trials = stored->trials(sweepId);
        if (!trials)
            return complain(trials.error(), badInput);
        if (const auto updated = journal->update(stored->workspace(), **sweep, *trials,
                                                 options.points.value_or(exporting::mostJournalPoints));
            !updated)
            return complain(updated.error(), badInput);
        if (!sweep::isActive((*sweep)->state))
            break;
        std::this_thread::sleep_for(
            std::max<steady_clock::duration>(std::chrono::seconds(1), 9 * (steady_clock::now() - begin)));
    }
    return journal->damage().empty() ? good : complain({ErrorCode::Corrupt, journal->damage()}, badInput);
}

int exportSweep(const ExportOptions &options)
{
    const std::vector<Output> outputs = outputsOf(options);
    const auto isWanted = [](const Output &output) { return !output.file.empty(); };
    if (options.follow) {
        const bool isAlone = std::ranges::count_if(outputs, isWanted) == 1 && options.sweeps.size() == 1;
        if (isAlone && !options.optunaFile.empty() && options.optunaFile != standardOutput)
            return followSweep(options);
        std::cerr << "--follow needs one sweep and --optuna FILE, and no other export\n";
        return badInput;
    }
    if (options.points && options.optunaFile.empty() && options.tensorboardFolder.empty()) {
        std::cerr << "--points needs --optuna or --tensorboard\n";
        return badInput;
    }
    if (options.allRanks && options.tensorboardFolder.empty()) {
        std::cerr << "--ranks needs --tensorboard\n";
        return badInput;
    }
    const auto isPrinted = [](const Output &output) { return output.file == standardOutput; };
    if (std::ranges::none_of(outputs, isWanted)) {
        std::cerr << "nothing to export: use " << listed(outputs) << '\n';
        return badInput;
    }
    if (std::ranges::count_if(outputs, isPrinted) > 1) {
        std::cerr << "only one export can go to standard output: name files for the others\n";
        return badInput;
    }
    if (options.tensorboardFolder == standardOutput) {
        std::cerr << "--tensorboard writes several files: name a folder\n";
        return badInput;
    }
    if (options.sweeps.size() > 1 && std::ranges::count_if(outputs, isWanted) != (options.trialsFile.empty() ? 0 : 1)) {
        std::cerr << "only --trials can have several sweeps: export the others one by one, or join the sweeps with "
                     "sweepctl join\n";
        return badInput;
    }
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored)
        return complain(stored.error(), noEngine);
    const auto sweeps = selectSweeps(stored->sweeps(), options.sweeps);
    if (!sweeps)
        return complain(sweeps.error(), badInput);
    if (sweeps->size() > 1)
        return exportTable(*stored, *sweeps, options.trialsFile);
    const sweep::SweepRecord &sweep = *sweeps->front();
    const Expected<std::vector<sweep::TrialRecord>> trials = stored->trials(sweep.id);
    if (!trials)
        return complain(trials.error(), badInput);
    for (const Output &output : outputs) {
        if (!isWanted(output))
            continue;
        if (const Expected<void> done = output.write(*stored, sweep, *trials, output.file); !done)
            return complain(done.error(), badInput);
        if (!isPrinted(output))
            std::cout << output.file << '\n';
    }
    return good;
}

}  // namespace

Subcommand makeExportCommand(CLI::App &app)
{
    auto options = std::make_shared<ExportOptions>();
    CLI::App *command = app.add_subcommand("export", "Export the results of a sweep");
    addSweepsOption(*command, options->sweeps, "; several only with --trials");
    const auto addOutput = [command](const char *name, std::string &file, const char *description) {
        return command->add_option(name, file, description)->check(notAnOption())->type_name("FILE");
    };
    addOutput("--trials", options->trialsFile,
              "One row per trial of one or several sweeps: parameters, objective, times, cause. JSON if the name ends "
              "in .json");
    addOutput("--curves", options->curvesFile,
              "One row per point of each rank's curves. JSON if the name ends in .json");
    addOutput("--devices", options->devicesFile, "One row per reading of GPUs, cores and rank processes");
    addOutput("--findings", options->findingsFile, "One row per finding of sweepctl diagnose, or rule without one");
    addOutput("--optuna", options->optunaFile,
              "An Optuna study as a journal file, for optuna.load_study and optuna-dashboard");
    command->add_flag("--follow", options->follow,
                      "Keeps adding to the file of --optuna until the sweep ends; continues an existing file");
    addOutput("--tensorboard", options->tensorboardFolder,
              "TensorBoard event files in a new folder: a run for each trial, with the HParams tab")
        ->type_name("FOLDER");
    command->add_flag("--ranks", options->allRanks, "Adds a run for each further rank to --tensorboard");
    addOutput("--html", options->htmlFile,
              "A report in one HTML file: best trials, curves, plots, failures, findings, code, environment");
    command
        ->add_option("--points", options->points,
                     "Maximum number of points of a curve for --optuna (default 1000) and --tensorboard (default all); "
                     "the best one is kept")
        ->check(between(10, 1'000'000'000))
        ->type_name("N");
    addWorkspaceOption(*command, options->workspace);
    command->footer("FILE may be - for standard output.\n"
                    "In curves, a row of the series \"gap\" has no step; its value is the number of records "
                    "dropped at that time.\n"
                    "Works while the sweep runs, and needs no engine.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl export digits-mlp --trials trials.csv --curves curves.csv\n"
                    "  sweepctl export digits-mlp --trials trials.json --devices devices.csv\n"
                    "  sweepctl export 3 --trials - | column -s, -t\n"
                    "  sweepctl export digits-mlp digits-cnn --trials both.csv\n"
                    "  sweepctl export 3 --optuna study.journal && optuna-dashboard study.journal\n"
                    "  sweepctl export 3 --optuna study.journal --follow\n"
                    "  sweepctl export 3 --tensorboard runs && tensorboard --logdir runs\n"
                    "  sweepctl export 3 --html report.html\n"
                    "\n"
                    "If a feed is damaged, its readable part is written, stderr names what is missing, and "
                    "the exit code is 2.");
    return {command, [options] { return exportSweep(*options); }};
}

}  // namespace sweepscope::ctl
