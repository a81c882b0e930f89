#include "exitcode.h"
#include "hostoption.h"
#include "subcommand.h"

#include "base/files.h"
#include "engine/attemptlaunch.h"
#include "importing/pythonspace.h"
#include "importing/sourcefile.h"
#include "importing/yamlvalue.h"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

struct ImportOptions {
    std::string file;
    std::string output;
    bool replaces = false;
};

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

int importSweep(const ImportOptions &options)
{
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
    CLI::App *command = app.add_subcommand("import", "Make a sweep file of a sweep of another program");
    command
        ->add_option(
            "FILE", options->file,
            "YAML file of a W&B sweep or of Hydra (config.yaml, multirun.yaml), or a Python script that uses Optuna, "
            "Ray Tune or wandb.sweep(). The script is not run")
        ->required()
        ->type_name("");
    command->add_option("--output", options->output, "File to write, instead of standard output")->type_name("FILE");
    command->add_flag("--force", options->replaces, "Replaces an existing file");
    command->footer("Lines that are not exact have a comment. What has no equivalent is an error with its line and the "
                    "reason, nothing is written, and the exit code is 2.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl import sweep.yaml\n"
                    "  sweepctl import tune.py\n"
                    "  sweepctl import multirun/2026-05-01/10-30-00/multirun.yaml\n"
                    "  sweepctl import sweep.yaml --output digits-mlp.toml && sweepctl validate digits-mlp.toml");
    return {command, [options] { return importSweep(*options); }};
}

}  // namespace sweepscope::ctl
