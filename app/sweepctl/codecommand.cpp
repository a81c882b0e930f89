#include "argumentchecks.h"
#include "exitcode.h"
#include "launchwords.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "base/printable.h"
#include "engine/trialhistory.h"
#include "snapshot/snapshot.h"
#include "wording/placeholders.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <memory>

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
    std::string checkout;
};

struct RecordedCode {
    std::string name;  ///< "trial 7, attempt 1"
    sweep::AttemptLaunch launch;

    const sweep::SourceState &source() const { return *launch.source; }
};

/// NotFound if there is no snapshot; the message says why.
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
    if (!found->launch || !found->launch->source)
        return makeError(ErrorCode::NotFound, "the code of " + full + " was not recorded");
    const sweep::SourceState &source = *found->launch->source;
    if (source.tree.empty())
        return makeError(ErrorCode::NotFound,
                         "there is no snapshot of the code of " + full
                             + (source.problem.empty() ? ": it ran the built-in worker, or an older version recorded it"
                                                       : ": " + printable(source.problem)));
    return RecordedCode{full, std::move(*found->launch)};
}

Expected<void> show(const std::filesystem::path &store, const RecordedCode &code)
{
    const auto files = snapshot::filesOf(store, code.source().tree, notCancelled);
    if (!files)
        return tl::unexpected<Error>(files.error());
    std::uint64_t bytes = 0;
    for (const snapshot::CodeFile &file : *files)
        bytes += file.bytes;
    std::cout << code.name << '\n'
              << "  snapshot     " << code.source().tree << '\n'
              << "  files        " << wording::grouped(static_cast<std::int64_t>(files->size())) << ", "
              << wording::bytes(static_cast<double>(bytes)) << '\n'
              << "  revision     " << revisionInWords(code.source()) << '\n'
              << "  folder       " << printable(code.launch.folder) << '\n'
              << "  command      " << commandInWords(code.launch.command) << '\n';
    return {};
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
    if (options.list)
        return list(store, *code);
    if (!options.checkout.empty())
        return checkOut(store, *code, options.checkout);
    if (options.other == 0)
        return show(store, *code);
    const Expected<RecordedCode> other = codeOf(stored, **sweep, options.other, 0);
    if (!other)
        return tl::unexpected<Error>(other.error());
    return snapshot::difference(store, code->source().tree, other->source().tree, mostOfDifference, notCancelled)
        .map([](const std::string &text) { std::cout << text; });
}

}  // namespace

Subcommand makeCodeCommand(CLI::App &app)
{
    auto options = std::make_shared<CodeOptions>();
    CLI::App *command = app.add_subcommand("code", "Show, compare or restore the code that a trial ran");
    addSweepOption(*command, options->sweep);
    command->add_option("TRIAL", options->trial, "Number of the trial")->required()->check(atLeast(1));
    command->add_option("--attempt", options->attempt, "Attempt (default: the last one)")
        ->type_name("N")
        ->check(atLeast(1));
    const CLI::Option *list = command->add_flag("--list", options->list, "List the files with their size in bytes");
    const CLI::Option *difference =
        command
            ->add_option("--diff", options->other, "Print the differences from TRIAL to the last attempt of this trial")
            ->type_name("TRIAL")
            ->check(atLeast(1));
    const CLI::Option *checkout =
        command
            ->add_option("--checkout", options->checkout, "Write the files to this folder, which must be empty or new")
            ->type_name("FOLDER")
            ->check(notEmpty());
    allowOneOf(*command, {list, difference, checkout});
    addWorkspaceOption(*command, options->workspace);
    command->footer("Needs git, but no engine. In a git repository, the code is all files that git does not ignore; "
                    "elsewhere, it is\nall files in the working directory except virtual environments, caches and "
                    "checkpoints.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl code 3 7\n"
                    "  sweepctl code digits-mlp 7 --diff 12\n"
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
