#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "exporting/sweepexport.h"

#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

struct ExportOptions {
    std::string workspace;
    std::string sweep;
    std::string trialsFile;
    std::string curvesFile;
};

/// What takes the file's place: standard output.
const std::string standardOutput = "-";

void sayWhere(const std::string &file)
{
    if (file != standardOutput)
        std::cout << file << '\n';
}

int complain(const Error &error, int exitCode)
{
    std::cerr << error.message << '\n';
    return exitCode;
}

int exportSweep(const ExportOptions &options)
{
    if (options.trialsFile.empty() && options.curvesFile.empty()) {
        std::cerr << "say what to export: --trials FILE, --curves FILE, or both\n";
        return badInput;
    }
    if (options.trialsFile == standardOutput && options.curvesFile == standardOutput) {
        std::cerr << "--trials and --curves cannot both go to standard output: name a file for one of them\n";
        return badInput;
    }
    Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored)
        return complain(stored.error(), noEngine);
    const Expected<const sweep::SweepRecord *> found = selectSweep(stored->sweeps(), options.sweep, Wanted::Any);
    if (!found)
        return complain(found.error(), badInput);
    const sweep::SweepRecord &sweep = **found;
    const Expected<std::vector<sweep::TrialRecord>> trials = stored->trials(sweep.id);
    if (!trials)
        return complain(trials.error(), badInput);
    if (!options.trialsFile.empty()) {
        if (const Expected<void> done = exporting::exportTrials(sweep, *trials, options.trialsFile); !done)
            return complain(done.error(), badInput);
        sayWhere(options.trialsFile);
    }
    if (!options.curvesFile.empty()) {
        const Expected<void> done = exporting::exportCurves(stored->workspace(), sweep, *trials, options.curvesFile);
        if (!done)
            return complain(done.error(), badInput);
        sayWhere(options.curvesFile);
    }
    return good;
}

}  // namespace

Subcommand makeExportCommand(CLI::App &app)
{
    auto options = std::make_shared<ExportOptions>();
    CLI::App *command = app.add_subcommand("export", "Write a sweep's results as CSV");
    addSweepOption(*command, options->sweep);
    command
        ->add_option("--trials", options->trialsFile,
                     "One row per trial: parameters, objective, times, cause; - is standard output")
        ->type_name("FILE");
    command
        ->add_option("--curves", options->curvesFile, "One row per point of every rank's curves; - is standard output")
        ->type_name("FILE");
    addWorkspaceOption(*command, options->workspace);
    command->footer("Works while the sweep runs, and without an engine.\n\n"
                    "Examples:\n  sweepctl export digits-mlp --trials trials.csv --curves curves.csv\n"
                    "  sweepctl export 3 --trials - | column -s, -t\n\n"
                    "Exit code 2 also when a feed is damaged: what can be read of it is written, and stderr says what "
                    "is missing.");
    return {command, [options] { return exportSweep(*options); }};
}

}  // namespace sweepscope::ctl
