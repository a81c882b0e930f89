#include "hostoption.h"

#include "checkpointplace.h"
#include "exitcode.h"

#include "base/printable.h"
#include "remote/foldercopy.h"
#include "remote/ssh.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::ctl {

namespace {

constexpr const char *hostOption = "--host";
constexpr const char *hostVariable = "SWEEPSCOPE_TYPED_HOST";
constexpr const char *fileVariable = "SWEEPSCOPE_TYPED_FILE";

/// The value of an hostOption, which is removed from the words; nullopt without it.
std::optional<std::string> take(const std::string &name, std::vector<std::string> &words)
{
    const std::string withValue = name + "=";
    const auto end = std::ranges::find(words, "--");  // then comes the command of exec
    const auto found = std::find_if(
        words.begin(), end, [&](const std::string &word) { return word == name || word.starts_with(withValue); });
    if (found == end)
        return std::nullopt;
    if (found->starts_with(withValue)) {
        std::string value = found->substr(withValue.size());
        words.erase(found);
        return value;
    }
    std::string value = found + 1 != words.end() ? *(found + 1) : std::string();
    words.erase(found, found + 1 != words.end() ? found + 2 : found + 1);
    return value;
}

/// A sweep file that is here goes there on standard input. Returns its path here, empty if there is none; nullopt if it
/// could not be opened.
std::optional<std::string> sendSweepFile(std::vector<std::string> &words)
{
    constexpr std::array<std::string_view, 6> readers{"validate", "plan", "run", "edit", "probe", "suggest"};
    if (std::ranges::none_of(readers,
                             [&](std::string_view name) { return std::ranges::find(words, name) != words.end(); }))
        return std::string();
    std::error_code error;
    const auto file = std::ranges::find_if(words, [&](const std::string &word) {
        return word.ends_with(".toml") && std::filesystem::is_regular_file(word, error);
    });
    if (file == words.end())
        return std::string();
    const int opened = ::open(file->c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0 || ::dup2(opened, STDIN_FILENO) < 0) {
        std::cerr << "cannot read " << *file << ": " << std::strerror(errno) << '\n';
        return std::nullopt;
    }
    return std::exchange(*file, "/dev/stdin");
}

/// For the messages of the sweepctl there: see typedHost() and typedFile().
std::string typedHere(remote::SshTarget target, const std::string &file)
{
    target.folder.clear();  // is behind --workspace
    return std::string(hostVariable) + "=" + remote::shellWord(target.port == 0 ? target.destination : toString(target))
           + (file.empty() ? "" : " " + std::string(fileVariable) + "=" + remote::shellWord(file));
}

constexpr int sshFailed = 255;
/// Longer than its ConnectTimeout (core/remote/ssh.cpp): an ssh that fails later had been connected.
constexpr std::chrono::seconds longestConnecting{20};

/// Runs ssh, and returns its exit code. What ends it, ends this as well.
int runSsh(std::vector<std::string> arguments)
{
    std::vector<char *> pointers;
    for (std::string &argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const pid_t ssh = ::fork();
    if (ssh == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        ::execvp("ssh", pointers.data());
        std::cerr << "ssh cannot be started: install OpenSSH's client\n";
        ::_exit(noEngine);
    }
    for (const int signal : {SIGINT, SIGQUIT})  // typed on the terminal, they reach ssh, too
        ::signal(signal, SIG_IGN);
    int status = 0;
    while (::waitpid(ssh, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        ::signal(WTERMSIG(status), SIG_DFL);
        ::raise(WTERMSIG(status));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : sshFailed;
}

/// Runs a program that may take over the terminal. If the connection breaks, the program there cannot give it back.
int runWithTerminal(const std::vector<std::string> &arguments)
{
    termios before{};
    const bool isKnown = ::tcgetattr(STDIN_FILENO, &before) == 0;
    const int code = runSsh(arguments);
    if (code == sshFailed && isKnown) {
        ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
        std::cout << "\033[?1049l\033[?25h\033[0m" << std::flush;  // the usual screen, its cursor and colors
    }
    return code;
}

/// `sweepctl checkpoint … --to FOLDER`: the folder is on this machine. `words`: without --to.
int fetchCheckpoint(const remote::SshTarget &target, std::vector<std::string> words, const std::string &to)
{
    constexpr std::chrono::milliseconds limit = std::chrono::minutes(2);
    const auto fail = [](const std::string &problem) {
        std::cerr << problem << '\n';
        return badInput;
    };
    int argc = 1;
    std::string name = "sweepctl";
    std::array<char *, 2> argv{name.data(), nullptr};
    const QCoreApplication application(argc, argv.data());
    remote::Ssh ssh(target, questionsOfCopies());
    if (const Expected<void> connected = ssh.connect(); !connected)
        return fail(connected.error().message);
    words.emplace_back("--json");
    const auto answer = ssh.run(remote::sweepctlThere(words, typedHere(target, {})), {}, limit);
    if (!answer)
        return fail(answer.error().message);
    if (answer->exitCode != 0) {
        std::cerr << answer->errors.toStdString();
        return answer->exitCode;
    }
    const Expected<CheckpointPlace> place = checkpointPlaceFrom(answer->output.toStdString());
    if (!place)
        return fail(place.error().message);
    std::cout << inWords(*place) << std::endl;
    if (!place->machine.empty())
        return fail("it is on " + place->machine + ", which " + target.destination
                    + " reaches: run sweepctl checkpoint on " + target.destination + " first");
    const auto size = remote::sizeOf(ssh, place->folder);
    const Expected<void> fetched = size ? remote::fetchFolder(ssh, place->folder, size->state, to)
                                        : Expected<void>(tl::unexpected<Error>(size.error()));
    if (!fetched)
        return fail(fetched.error().message);
    std::cout << "copied to " << printable(to) << '\n';
    return good;
}

}  // namespace

std::string typedHost()
{
    const char *host = std::getenv(hostVariable);
    return host != nullptr ? host : "";
}

std::string typedFile(const std::string &file)
{
    const char *typed = file == "/dev/stdin" ? std::getenv(fileVariable) : nullptr;
    return typed != nullptr ? typed : file;
}

std::optional<int> runOnHost(const std::vector<std::string> &given)
{
    std::vector<std::string> words = given;
    const std::optional<std::string> host = take(hostOption, words);
    if (!host)
        return std::nullopt;
    const Expected<remote::SshTarget> target = remote::parseSshTarget(*host);
    if (!target) {
        std::cerr << hostOption << ' ' << target.error().message << '\n';
        return badInput;
    }
    const std::optional<std::string> file = sendSweepFile(words);
    if (!file)
        return badInput;
    if (!target->folder.empty() && std::ranges::find(words, "--workspace") == words.end())
        words.insert(words.end(), {"--workspace", target->folder});
    if (std::ranges::find(words, "checkpoint") != words.end()) {
        if (const std::optional<std::string> to = take("--to", words))
            return fetchCheckpoint(*target, words, *to);
    }
    const remote::Ssh ssh(*target, remote::Questions::OnTerminal);
    std::vector<std::string> arguments{"ssh"};
    const bool needsTerminal = std::ranges::find(words, "watch") != words.end() && ::isatty(STDOUT_FILENO) == 1;
    for (const QString &argument : ssh.arguments(remote::sweepctlThere(words, typedHere(*target, *file))))
        arguments.push_back(argument.toStdString());
    if (needsTerminal)
        arguments.insert(std::ranges::find(arguments, "--"), "-t");
    const auto begin = std::chrono::steady_clock::now();
    const int code = needsTerminal ? runWithTerminal(arguments) : runSsh(std::move(arguments));
    // ssh says why, but not that it had been connected.
    if (code == sshFailed && std::chrono::steady_clock::now() - begin > longestConnecting)
        std::cerr << "The connection to " << target->destination
                  << " is lost. Sweeps keep running there; sweepctl --host " << *host << " status shows them.\n";
    return code;
}

}  // namespace sweepscope::ctl
