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
    Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored)
        return complain(stored.error(), noEngine);
    const sweep::SweepRecord *found = selectSweep(stored->sweeps(), options.sweep);
    if (found == nullptr) {
        std::cerr << "there is no sweep '" << options.sweep << "'; " << sweepsInWords(stored->sweeps()) << '\n';
        return badInput;
    }
    const Expected<std::vector<sweep::TrialRecord>> trials = stored->trials(found->id);
    if (!trials)
        return complain(trials.error(), badInput);
    if (!options.trialsFile.empty()) {
        if (const Expected<void> done = exporting::exportTrials(*found, *trials, options.trialsFile); !done)
            return complain(done.error(), badInput);
        std::cout << options.trialsFile << '\n';
    }
    if (!options.curvesFile.empty()) {
        const Expected<void> done = exporting::exportCurves(stored->workspace(), *found, *trials, options.curvesFile);
        if (!done)
            return complain(done.error(), badInput);
        std::cout << options.curvesFile << '\n';
    }
    return good;
}

}  // namespace

Subcommand makeExportCommand(CLI::App &app)
{
    auto options = std::make_shared<ExportOptions>();
    CLI::App *command = app.add_subcommand("export", "Write a sweep's results as CSV");
    command->add_option("SWEEP", options->sweep, "Its id, name or folder, as sweepctl status shows them")
        ->required()
        ->type_name("");
    command->add_option("--trials", options->trialsFile, "One row per trial: parameters, objective, times, cause")
        ->type_name("FILE");
    command->add_option("--curves", options->curvesFile, "One row per point of every rank's curves")->type_name("FILE");
    addWorkspaceOption(*command, options->workspace);
    command->footer("Works while the sweep runs, and without an engine.\n\n"
                    "Example:\n  sweepctl export digits-mlp --trials trials.csv --curves curves.csv");
    return {command, [options] { return exportSweep(*options); }};
}

}  // namespace sweepscope::ctl
