#include "argumentchecks.h"
#include "exitcode.h"
#include "launchwords.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "base/printable.h"
#include "engine/trialhistory.h"
#include "launch/attemptenvironment.h"
#include "snapshot/snapshot.h"
#include "wording/placeholders.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>

namespace sweepscope::ctl {

namespace {

constexpr std::size_t mostOfDifference = std::size_t{64} << 20;
/// Ctrl-C ends this program.
const std::atomic<bool> notCancelled = false;

struct CodeOptions {
    std::string workspace;
    std::string sweep;
    int trial = 0;
    int attempt = 0;  ///< 0: the last one
    int other = 0;    ///< a trial to compare with; 0: none
    bool list = false;
    bool packages = false;
    std::string checkout;
};

struct RecordedCode {
    std::string name;  ///< "trial 7, attempt 1"
    sweep::AttemptLaunch launch;
    std::optional<launch::AttemptEnvironment> environment;

    const sweep::SourceState &source() const { return *launch.source; }
};

/// NotFound if the attempt left no record of what it ran.
Expected<RecordedCode> codeOf(const StoredSweeps &stored, const sweep::SweepRecord &sweep, int trial, int attempt)
{
    const std::string name = "trial " + std::to_string(trial);
    if (trial > sweep.trialsTotal)
        return makeError(ErrorCode::BadInput, "the sweep " + sweep.folder + " has no " + name + "; it has "
                                                  + std::to_string(sweep.trialsTotal));
    engine::StoreReader reader = stored.reader();
    Expected<sweep::TrialHistory> past = engine::readTrialHistory(reader, stored.workspace(), sweep, trial);
    if (!past)
        return tl::unexpected<Error>(past.error());
    if (past->attempts.empty())
        return makeError(ErrorCode::NotFound, name + " has not started yet");
    const auto found = attempt == 0
                           ? std::prev(past->attempts.end())
                           : std::find_if(past->attempts.begin(), past->attempts.end(),
                                          [&](const sweep::AttemptRecord &each) { return each.number == attempt; });
    if (found == past->attempts.end())
        return makeError(ErrorCode::BadInput, name + " has no attempt " + std::to_string(attempt) + "; the last one is "
                                                  + std::to_string(past->attempts.back().number));
    const std::string full = name + ", attempt " + std::to_string(found->number);
    if (!found->launch)
        return makeError(ErrorCode::NotFound, "the code of " + full + " was not recorded");
    return RecordedCode{full, std::move(*found->launch),
                        launch::readEnvironment(stored.workspace().attempt(sweep.folder, trial, found->number))};
}

/// NotFound if there is none; the message says why.
Expected<void> requireSnapshot(const RecordedCode &code)
{
    if (!code.launch.source)
        return makeError(ErrorCode::NotFound, "the code of " + code.name + " was not recorded");
    if (!code.source().tree.empty())
        return {};
    return makeError(ErrorCode::NotFound, "there is no snapshot of the code of " + code.name
                                              + (code.source().problem.empty()
                                                     ? ": it ran the built-in worker, or an older version recorded it"
                                                     : ": " + printable(code.source().problem)));
}

Expected<launch::AttemptEnvironment> environmentOf(const RecordedCode &code)
{
    if (!code.environment)
        return makeError(ErrorCode::NotFound, "the environment of " + code.name + " was not recorded");
    return *code.environment;
}

void show(const launch::AttemptEnvironment &environment)
{
    const auto count = static_cast<std::int64_t>(environment.packages.size() + environment.conda.size());
    if (!environment.python.empty())
        std::cout << "  python       " << printable(environment.python)
                  << (count == 0   ? std::string()
                      : count == 1 ? ", 1 package"
                                   : ", " + wording::grouped(count) + " packages")
                  << '\n';
    for (const auto &[name, value] : environment.machine)
        std::cout << "  " << name << std::string(13 - std::min<std::size_t>(name.size(), 12), ' ') << printable(value)
                  << '\n';
    for (const auto &[name, value] : environment.variables)
        std::cout << "  variable     " << printable(name) << '=' << printable(value) << '\n';
}

/// In pip's format; packages of Conda are comments in it.
Expected<void> listPackages(const RecordedCode &code)
{
    return environmentOf(code).map([](const launch::AttemptEnvironment &environment) {
        for (const auto &[name, version] : environment.packages)
            std::cout << printable(name) << "==" << printable(version) << '\n';
        for (const auto &[name, version] : environment.conda)
            std::cout << "# conda " << printable(name) << ' ' << printable(version) << '\n';
    });
}

/// Before the differences of the code: git and patch skip what comes before the first "diff --git".
Expected<void> compareEnvironments(const RecordedCode &before, const RecordedCode &after)
{
    using Part = launch::EnvironmentChange::Part;
    const Expected<launch::AttemptEnvironment> old = environmentOf(before);
    const Expected<launch::AttemptEnvironment> now = environmentOf(after);
    if (!old || !now)
        return tl::unexpected<Error>(!old ? old.error() : now.error());
    const auto headOf = [](Part part) -> std::string_view {
        switch (part) {
        case Part::Python:
            return "Python:\n";
        case Part::Package:
            return "packages:\n";
        case Part::CondaPackage:
            return "packages of Conda:\n";
        case Part::Variable:
            return "variables:\n";
        case Part::Machine:
            break;
        }
        return "machine:\n";
    };
    std::optional<Part> head;
    for (const launch::EnvironmentChange &change : launch::changesBetween(*old, *now)) {
        if (head != change.part)
            std::cout << headOf(change.part);
        head = change.part;
        const std::string name = printable(change.name) + (change.part == Part::Variable ? "=" : " ");
        if (change.before)
            std::cout << "  -" << name << printable(*change.before) << '\n';
        if (change.after)
            std::cout << "  +" << name << printable(*change.after) << '\n';
    }
    return {};
}

Expected<void> showSnapshot(const std::filesystem::path &store, const RecordedCode &code)
{
    if (const Expected<void> taken = requireSnapshot(code); !taken)
        return taken;
    const auto files = snapshot::filesOf(store, code.source().tree, notCancelled);
    if (!files)
        return tl::unexpected<Error>(files.error());
    std::uint64_t bytes = 0;
    for (const snapshot::CodeFile &file : *files)
        bytes += file.bytes;
    std::cout << "  snapshot     " << code.source().tree << '\n'
              << "  files        " << wording::grouped(static_cast<std::int64_t>(files->size())) << ", "
              << wording::bytes(static_cast<double>(bytes)) << '\n'
              << "  revision     " << revisionInWords(code.source()) << '\n';
    return {};
}

/// What is known, also if there is no snapshot.
Expected<void> show(const std::filesystem::path &store, const RecordedCode &code)
{
    std::cout << code.name << '\n';
    const Expected<void> shown = showSnapshot(store, code);
    std::cout << "  folder       " << printable(code.launch.folder) << '\n'
              << "  command      " << commandInWords(code.launch.command) << '\n';
    if (code.environment)
        show(*code.environment);
    return shown;
}

Expected<void> compare(const std::filesystem::path &store, const RecordedCode &before, const RecordedCode &after)
{
    // What cannot be compared does not hide the rest.
    const Expected<void> compared = compareEnvironments(before, after);
    std::cout.flush();
    if (!compared)
        std::cerr << compared.error().message << '\n';
    for (const RecordedCode *code : {&before, &after}) {
        if (const Expected<void> taken = requireSnapshot(*code); !taken)
            return taken;
    }
    return snapshot::difference(store, before.source().tree, after.source().tree, mostOfDifference, notCancelled)
        .map([](const std::string &text) { std::cout << text; });
}

Expected<void> list(const std::filesystem::path &store, const RecordedCode &code)
{
    const auto files = snapshot::filesOf(store, code.source().tree, notCancelled);
    if (!files)
        return tl::unexpected<Error>(files.error());
    for (const snapshot::CodeFile &file : *files)
        std::cout << file.bytes << '\t' << printable(file.path) << '\n';
    return {};
}

Expected<void> checkOut(const std::filesystem::path &store, const RecordedCode &code, const std::string &folder)
{
    if (const auto done = snapshot::checkOut(store, code.source().tree, folder, notCancelled); !done)
        return done;
    std::vector<std::string> words{"env"};
    for (const auto &[name, value] : code.launch.environment) {
        if (name != "SWEEPSCOPE_PARAMS_FILE" && !name.starts_with("SWEEPSCOPE_PARENT"))  // files of the attempt
            words.push_back(name + "=" + value);
    }
    words.insert(words.end(), code.launch.command.begin(), code.launch.command.end());
    std::cout << "the code of " << code.name << " is in " << folder << "; to run it by hand:\n  cd "
              << commandInWords({(std::filesystem::path(folder) / code.source().below).string()}) << "\n  "
              << commandInWords(words) << '\n';
    return {};
}

Expected<void> run(const StoredSweeps &stored, const CodeOptions &options)
{
    const std::filesystem::path store = stored.workspace().codeStore();
    const Expected<const sweep::SweepRecord *> sweep = selectSweep(stored.sweeps(), options.sweep, Wanted::Any);
    if (!sweep)
        return tl::unexpected<Error>(sweep.error());
    const Expected<RecordedCode> code = codeOf(stored, **sweep, options.trial, options.attempt);
    if (!code)
        return tl::unexpected<Error>(code.error());
    if (options.packages)
        return listPackages(*code);
    if (options.other != 0) {
        const Expected<RecordedCode> other = codeOf(stored, **sweep, options.other, 0);
        if (!other)
            return tl::unexpected<Error>(other.error());
        return compare(store, *code, *other);
    }
    if (!options.list && options.checkout.empty())
        return show(store, *code);
    if (const Expected<void> taken = requireSnapshot(*code); !taken)
        return taken;
    return options.list ? list(store, *code) : checkOut(store, *code, options.checkout);
}

}  // namespace

Subcommand makeCodeCommand(CLI::App &app)
{
    auto options = std::make_shared<CodeOptions>();
    CLI::App *command = app.add_subcommand("code", "Show, compare or restore the code and the environment of a trial");
    addSweepOption(*command, options->sweep);
    command->add_option("TRIAL", options->trial, "Number of the trial")->required()->check(atLeast(1));
    command->add_option("--attempt", options->attempt, "Attempt (default: the last one)")
        ->type_name("N")
        ->check(atLeast(1));
    const CLI::Option *list = command->add_flag("--list", options->list, "List the files with their size in bytes");
    const CLI::Option *packages = command->add_flag(
        "--packages", options->packages, "List the Python packages with their versions, as requirements for pip");
    const CLI::Option *difference =
        command
            ->add_option(
                "--diff", options->other,
                "Print the differences in packages, variables, machine and code from TRIAL to the last attempt "
                "of this trial")
            ->type_name("TRIAL")
            ->check(atLeast(1));
    const CLI::Option *checkout =
        command
            ->add_option("--checkout", options->checkout, "Write the files to this folder, which must be empty or new")
            ->type_name("FOLDER")
            ->check(notEmpty());
    allowOneOf(*command, {list, packages, difference, checkout});
    addWorkspaceOption(*command, options->workspace);
    command->footer("Needs git, but no engine. In a git repository, the code is all files that git does not ignore; "
                    "elsewhere, it is\nall files in the working directory except virtual environments, caches and "
                    "checkpoints. Packages are\nread from the folders of the Python that the command runs. Values of "
                    "secret variables are masked.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl code 3 7\n"
                    "  sweepctl code digits-mlp 7 --diff 12\n"
                    "  sweepctl code digits-mlp 7 --packages > requirements.txt\n"
                    "  sweepctl code digits-mlp 7 --checkout /tmp/trial-7");
    return {command, [options] {
                const Expected<StoredSweeps> stored = StoredSweeps::open(options->workspace);
                if (!stored) {
                    std::cerr << stored.error().message << '\n';
                    return noEngine;
                }
                const Expected<void> done = run(*stored, *options);
                if (!done)
                    std::cerr << done.error().message << '\n';
                return done ? good : badInput;
            }};
}

}  // namespace sweepscope::ctl
