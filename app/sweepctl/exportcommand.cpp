#include "exitcode.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "exporting/sweepexport.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>

namespace sweepscope::ctl {

namespace {

struct ExportOptions {
    std::string workspace;
    std::string sweep;
    std::string trialsFile;
    std::string curvesFile;
    std::string devicesFile;
    std::string findingsFile;
};

/// Selects standard output instead of a file.
const std::string standardOutput = "-";

void printFileName(const std::string &file)
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
    const std::string *files[] = {&options.trialsFile, &options.curvesFile, &options.devicesFile,
                                  &options.findingsFile};
    const auto count = [&files](const auto &is) { return std::count_if(std::begin(files), std::end(files), is); };
    if (count([](const std::string *file) { return !file->empty(); }) == 0) {
        std::cerr << "nothing to export: use --trials FILE, --curves FILE, --devices FILE or --findings FILE\n";
        return badInput;
    }
    if (count([](const std::string *file) { return *file == standardOutput; }) > 1) {
        std::cerr << "only one of --trials, --curves, --devices and --findings can go to standard output: name files "
                     "for the others\n";
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
        printFileName(options.trialsFile);
    }
    if (!options.curvesFile.empty()) {
        const Expected<void> done = exporting::exportCurves(stored->workspace(), sweep, *trials, options.curvesFile);
        if (!done)
            return complain(done.error(), badInput);
        printFileName(options.curvesFile);
    }
    if (!options.devicesFile.empty()) {
        const Expected<void> done = exporting::exportDevices(stored->workspace(), sweep, *trials, options.devicesFile);
        if (!done)
            return complain(done.error(), badInput);
        printFileName(options.devicesFile);
    }
    if (!options.findingsFile.empty()) {
        const Expected<void> done =
            exporting::exportFindings(stored->workspace(), sweep, *trials, options.findingsFile);
        if (!done)
            return complain(done.error(), badInput);
        printFileName(options.findingsFile);
    }
    return good;
}

}  // namespace

Subcommand makeExportCommand(CLI::App &app)
{
    auto options = std::make_shared<ExportOptions>();
    CLI::App *command = app.add_subcommand("export", "Export the results of a sweep as CSV or JSON");
    addSweepOption(*command, options->sweep);
    command
        ->add_option("--trials", options->trialsFile,
                     "One row per trial: parameters, objective, times, cause. JSON if the name ends in .json; "
                     "- is standard output")
        ->type_name("FILE");
    command
        ->add_option("--curves", options->curvesFile,
                     "One row per point of each rank's curves. JSON if the name ends in .json; - is standard "
                     "output")
        ->type_name("FILE");
    command
        ->add_option("--devices", options->devicesFile,
                     "One row per reading of GPUs, cores and rank processes; - is standard output")
        ->type_name("FILE");
    command
        ->add_option("--findings", options->findingsFile,
                     "Findings of sweepctl diagnose, by rule; - is standard output")
        ->type_name("FILE");
    addWorkspaceOption(*command, options->workspace);
    command->footer("In curves, a row of the series \"gap\" has no step; its value is the number of records "
                    "dropped at that time.\n"
                    "Works while the sweep runs, and needs no engine.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl export digits-mlp --trials trials.csv --curves curves.csv\n"
                    "  sweepctl export digits-mlp --trials trials.json --devices devices.csv\n"
                    "  sweepctl export 3 --trials - | column -s, -t\n"
                    "\n"
                    "If a feed is damaged, its readable part is written, stderr names what is missing, and "
                    "the exit code is 2.");
    return {command, [options] { return exportSweep(*options); }};
}

}  // namespace sweepscope::ctl
