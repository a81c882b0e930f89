#include "snapshot/gitprogram.h"

#include "base/childprogram.h"
#include "base/filedescriptor.h"
#include "base/files.h"
#include "base/printable.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <sstream>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sweepscope::snapshot {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr std::size_t mostErrors = 64U << 10;

Expected<FileDescriptor> memoryFile()
{
    FileDescriptor file(::memfd_create("git", MFD_CLOEXEC));
    if (!file)
        return makeErrnoError("cannot make a file in memory", errno);
    return file;
}

std::size_t sizeOf(const FileDescriptor &file)
{
    struct stat info {};
    return ::fstat(file.get(), &info) == 0 ? static_cast<std::size_t>(info.st_size) : 0;
}

std::string contentOf(const FileDescriptor &file, std::size_t most)
{
    std::string text(std::min(sizeOf(file), most), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::pread(file.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (count <= 0 && errno != EINTR)
            break;
        done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
    text.resize(done);
    return text;
}

/// Variables of git choose another repository, run programs or write traces.
std::vector<std::string> environmentFor(const std::map<std::string, std::string> &more)
{
    std::map<std::string, std::string> wanted{{"LC_ALL", "C"}, {"GIT_OPTIONAL_LOCKS", "0"}};
    for (const auto &[name, value] : more)
        wanted.insert_or_assign(name, value);
    std::vector<std::string> lines = environmentWith(wanted);
    std::erase_if(lines, [&](const std::string &line) {
        const std::string name = line.substr(0, line.find('='));
        return name.starts_with("GIT_") && name != "GIT_CONFIG_GLOBAL" && !wanted.contains(name);
    });
    return lines;
}

/// Returns its wait status; nullopt if it was killed because it wrote too much.
Expected<std::optional<int>> waitFor(pid_t child, const GitCommand &command, const FileDescriptor &output,
                                     const std::atomic<bool> &cancelled)
{
    const auto until = steady_clock::now() + command.limit;
    auto pause = 1ms;
    int status = 0;
    for (;;) {
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child)
            return status;
        if (ended < 0 && errno != EINTR)
            return makeErrnoError("cannot wait for git", errno);
        const bool isTooMuch = command.output < 0 && sizeOf(output) > command.mostOutput;
        if (isTooMuch || cancelled || steady_clock::now() >= until) {
            ::kill(-child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            if (isTooMuch)
                return std::optional<int>();
            if (cancelled)
                return makeError(ErrorCode::Unavailable, "cancelled");
            return makeError(ErrorCode::Timeout, "git " + command.arguments.front() + " in " + command.folder.string()
                                                     + " did not finish within " + std::to_string(command.limit / 1s)
                                                     + " seconds");
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, 20ms);
    }
}

}  // namespace

Expected<GitOutput> runGit(const GitCommand &command, const std::atomic<bool> &cancelled)
{
    Expected<FileDescriptor> input = memoryFile();
    Expected<FileDescriptor> output = memoryFile();
    Expected<FileDescriptor> errors = memoryFile();
    for (const Expected<FileDescriptor> *made : {&input, &output, &errors}) {
        if (!*made)
            return tl::unexpected<Error>(made->error());
    }
    if (const Expected<void> written = writeAll(input->get(), command.input, "the input of git"); !written)
        return tl::unexpected<Error>(written.error());
    if (::lseek(input->get(), 0, SEEK_SET) < 0)
        return makeErrnoError("cannot rewind the input of git", errno);
    std::error_code error;
    if (!std::filesystem::is_directory(command.folder, error))
        return makeError(ErrorCode::NotFound, "there is no folder " + command.folder.string());
    ChildProgram program{{"git"}, command.folder, environmentFor(command.environment), command.inherited};
    program.command.insert(program.command.end(), command.arguments.begin(), command.arguments.end());
    const Expected<pid_t> child =
        startChild(program, {input->get(), command.output < 0 ? output->get() : command.output, errors->get()});
    if (!child && child.error().code == ErrorCode::NotFound)
        return makeError(ErrorCode::Unavailable, "git is not installed, or not on PATH; snapshots of code need it");
    if (!child)
        return tl::unexpected<Error>(child.error());
    const Expected<std::optional<int>> status = waitFor(*child, command, *output, cancelled);
    if (!status)
        return tl::unexpected<Error>(status.error());
    if (*status && WIFSIGNALED(**status))
        return makeError(ErrorCode::Unavailable, "git " + command.arguments.front() + " was killed by signal "
                                                     + std::to_string(WTERMSIG(**status)));
    GitOutput result;
    result.isCut = !*status || sizeOf(*output) > command.mostOutput;
    result.exitCode = *status ? WEXITSTATUS(**status) : 0;
    result.text = contentOf(*output, command.mostOutput);
    result.complaint = complaintIn(contentOf(*errors, mostErrors));
    return result;
}

std::vector<std::string> namesIn(const std::string &zeroTerminated)
{
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin < zeroTerminated.size();) {
        const std::size_t end = std::min(zeroTerminated.find('\0', begin), zeroTerminated.size());
        if (end > begin)
            names.push_back(zeroTerminated.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

std::string complaintIn(const std::string &untrustedErrors)
{
    std::string first;
    std::istringstream lines(untrustedErrors);
    for (std::string line; std::getline(lines, line);) {
        for (const std::string_view kind : {"fatal: ", "error: "}) {
            if (line.starts_with(kind))
                return printable(line.substr(kind.size()));
        }
        if (first.empty())
            first = line;
    }
    return printable(first);
}

}  // namespace sweepscope::snapshot
