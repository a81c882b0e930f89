#include "argumentchecks.h"
#include "exitcode.h"
#include "hostoption.h"
#include "subcommand.h"
#include "sweeplaunch.h"

#include "base/files.h"
#include "workspaceoption.h"

#include "base/workspaceaccess.h"
#include "engine/attemptlaunch.h"
#include "engine/studydatabase.h"
#include "engine/studyimport.h"
#include "importing/pythonspace.h"
#include "importing/sourcefile.h"
#include "importing/studyjournal.h"
#include "importing/tensorboardruns.h"
#include "importing/yamlvalue.h"
#include "protocol/engineclient.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ctl {

namespace {

struct ImportOptions {
    std::string file;
    std::string output;
    bool replaces = false;
    std::string study;
    std::string objective;
    std::string goal;
    std::string workspace;
};

/// A journal with the curves of thousands of trials.
constexpr std::uint64_t mostJournalBytes = std::uint64_t{1} << 30U;

Expected<void> writeSweepFile(const std::string &text, const ImportOptions &options)
{
    if (options.replaces)
        return writeFileAtomically(options.output, text);
    const FileDescriptor file(::open(options.output.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file)
        return errno == EEXIST ? makeError(ErrorCode::AlreadyExists,
                                           options.output + " exists: name another file, or replace it with --force")
                               : makeErrnoError("cannot write " + options.output, errno);
    return writeAll(file.get(), text, options.output);
}

Expected<importing::ImportedSweep> readSource(const std::filesystem::path &file)
{
    const Expected<std::string> source = readFile(file, importing::mostSourceBytes, Accepted::AnyFile);
    if (!source)
        return tl::unexpected(source.error());
    if (file.extension() == ".py")
        return importing::importPython(file, engine::Programs::installed().pythonPath);
    return importing::importYaml(*source, file.stem().string());
}

std::string listOf(const std::vector<importing::Study> &studies)
{
    std::string names;
    for (const importing::Study &study : studies)
        names += (names.empty() ? "" : ", ") + study.name;
    return names;
}

Expected<importing::Study> chooseStudy(std::vector<importing::Study> studies, const std::string &name)
{
    if (studies.empty())
        return makeError(ErrorCode::NotFound, "has no study");
    if (name.empty() && studies.size() > 1)
        return makeError(ErrorCode::BadInput, "has several studies: choose one with --study: " + listOf(studies));
    for (importing::Study &study : studies) {
        if (name.empty() || study.name == name)
            return std::move(study);
    }
    return makeError(ErrorCode::NotFound, "has no study '" + name + "': it has " + listOf(studies));
}

std::string counted(int count, const std::string &noun)
{
    return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

enum class Results { Runs, Journal, Database };

Expected<importing::Study> readResults(const ImportOptions &options, Results kind)
{
    if (kind == Results::Runs) {
        importing::RunsChoice choice{options.objective, {}};
        if (!options.goal.empty())
            choice.goal = options.goal == "maximize" ? sweep::Goal::Maximize : sweep::Goal::Minimize;
        return importing::readRuns(options.file, choice);
    }
    return (kind == Results::Database
                ? engine::readStudyDatabase(options.file)
                : readFile(options.file, mostJournalBytes, Accepted::AnyFile).and_then([](const std::string &text) {
                      return importing::parseJournal(text);
                  }))
        .and_then([&options](std::vector<importing::Study> studies) {
            return chooseStudy(std::move(studies), options.study);
        });
}

/// Lets the engine take over the sweep that was stored for it.
Launch addToEngine(protocol::EngineClient &client, const std::string &name)
{
    const auto send = [&] { client.importSweep(QString::fromStdString(name)); };
    return requestSweep(client, send, describeAll);
}

int importResults(const ImportOptions &options, Results kind)
{
    Expected<importing::Study> study = readResults(options, kind);
    if (!study) {
        std::cerr << typedFile(options.file) << ": " << study.error().message << '\n';
        return badInput;
    }
    protocol::EngineClient client;
    client.leaveOutTrials();
    if (const int exitCode = connectToEngine(client, options.workspace); exitCode != good)
        return exitCode;
    const std::filesystem::path root = client.workspace().toStdString();
    (void)enterUmaskOf(root);
    const std::vector<std::string> notes = study->notes;
    const sweep::Objective objective = study->objectives.front();
    const std::string name = engine::newImportName();
    const std::filesystem::path folder = engine::importFolder(WorkspaceLayout{root}, name);
    const Expected<engine::StudyReport> report = engine::importStudy(
        WorkspaceLayout{folder}, *std::move(study), std::filesystem::absolute(options.file).parent_path());
    const Launch added = report ? addToEngine(client, name) : Launch{0, badInput};
    if (!report)
        std::cerr << report.error().message << '\n';
    if (added.exitCode != good) {
        std::error_code error;
        std::filesystem::remove_all(folder, error);
        return added.exitCode;
    }
    const sweep::SweepRecord *const sweep = client.sweep(added.sweepId);
    int trials = 0;
    std::string states;
    for (const auto &[state, count] : report->trials) {
        trials += count;
        states += (states.empty() ? "" : ", ") + std::to_string(count) + ' ' + sweep::toString(state);
    }
    std::cout << (sweep != nullptr ? sweep->folder : std::to_string(added.sweepId)) << ": " << counted(trials, "trial")
              << ", " << states << '\n';
    if (report->unfinished > 0)
        std::cout << counted(report->unfinished, "trial") << " that had not finished left out\n";
    if (kind == Results::Runs)
        std::cout << (objective.goal == sweep::Goal::Minimize ? "Minimizes " : "Maximizes ") << objective.name
                  << "; choose another objective with --objective and --goal\n";
    for (const std::string &note : notes)
        std::cout << note << '\n';
    return good;
}

/// The kind of results that the file begins as; nullopt for others.
std::optional<Results> resultsIn(const std::string &file)
{
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        return Results::Runs;
    if (!std::filesystem::is_regular_file(file, error))
        return std::nullopt;  // what is read from a pipe is gone
    std::ifstream stream(file, std::ios::binary);
    std::string start(64, '\0');
    stream.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    if (start.starts_with("SQLite format 3"))
        return Results::Database;
    if (start.starts_with("{\"op_code\""))
        return Results::Journal;
    return std::nullopt;
}

int importSweep(const ImportOptions &options)
{
    if (const std::optional<Results> kind = resultsIn(options.file))
        return importResults(options, *kind);
    Expected<importing::ImportedSweep> read = readSource(options.file);
    if (!read) {
        std::cerr << read.error().message << '\n';
        return badInput;
    }
    importing::ImportedSweep &imported = *read;
    const std::string text = importing::sweepFileOf(imported);
    for (const sweep::Problem &problem : imported.problems)
        std::cerr << sweep::describe(problem, typedFile(options.file)) << '\n';
    if (!imported.problems.empty())
        return badInput;
    if (options.output.empty()) {
        std::cout << text;
    } else if (const Expected<void> written = writeSweepFile(text, options); !written) {
        std::cerr << written.error().message << '\n';
        return badInput;
    }
    const std::size_t notes = imported.notes.size();
    if (notes > 0)
        std::cerr << notes << (notes == 1 ? " difference" : " differences")
                  << " from the original: see the comments in the sweep file\n";
    return good;
}

}  // namespace

Subcommand makeImportCommand(CLI::App &app)
{
    auto options = std::make_shared<ImportOptions>();
    CLI::App *command =
        app.add_subcommand("import", "Convert a sweep of another program to a sweep file, or import results");
    command
        ->add_option(
            "FILE", options->file,
            "YAML file of a W&B sweep or of Hydra (config.yaml, multirun.yaml), or a Python script that uses Optuna, "
            "Ray Tune or wandb.sweep(). The script is not run. Or a journal or SQLite database with Optuna results, "
            "or "
            "a folder of runs with TensorBoard event files")
        ->required()
        ->type_name("");
    command->add_option("--output", options->output, "File to write, instead of standard output")->type_name("FILE");
    command->add_flag("--force", options->replaces, "Replaces an existing file");
    command->add_option("--study", options->study, "Study to import, if the file has several")->type_name("NAME");
    command->add_option("--objective", options->objective, "Objective of runs with event files, by its tag")
        ->type_name("NAME");
    command->add_option("--goal", options->goal, "Goal of this objective; without it, its name decides")
        ->type_name("minimize|maximize")
        ->check(oneOf({"minimize", "maximize"}));
    addWorkspaceOption(*command, options->workspace);
    command->footer("Lines that are not exact have a comment. What has no equivalent is an error with its line and the "
                    "reason, nothing is written, and the exit code is 2.\n"
                    "Optuna results and TensorBoard runs become a finished sweep in the workspace.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl import sweep.yaml\n"
                    "  sweepctl import tune.py\n"
                    "  sweepctl import study.db --study digits\n"
                    "  sweepctl import runs --objective eval/accuracy --goal maximize\n"
                    "  sweepctl import multirun/2026-05-01/10-30-00/multirun.yaml\n"
                    "  sweepctl import sweep.yaml --output digits-mlp.toml && sweepctl validate digits-mlp.toml");
    return {command, [options] { return importSweep(*options); }};
}

}  // namespace sweepscope::ctl
