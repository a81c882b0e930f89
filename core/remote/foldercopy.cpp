#include "remote/foldercopy.h"

#include "base/files.h"

#include <QProcess>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>
#include <system_error>

namespace sweepscope::remote {
using namespace Qt::StringLiterals;

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds sizeLimit = 60s;

/// In the folder here, while its copy is not complete: the state of the folder there.
constexpr const char *unfinished = ".sweepscope-copy";
constexpr std::uint64_t longestState = 64;

/// Makes the folder ready for a copy, and notes that it is not complete. Returns whether it has part of one of this state: a
/// later checkpoint often has files of the same names and sizes.
Expected<bool> prepare(const std::filesystem::path &here, const std::string &state)
{
    std::error_code error;
    std::filesystem::create_directories(here, error);
    if (error)
        return makeError(ErrorCode::Io, "cannot create the folder " + here.string() + ": " + error.message());
    const std::filesystem::path note = here / unfinished;
    const bool isNoted = std::filesystem::exists(note, error);
    if (!isNoted && !std::filesystem::is_empty(here, error))
        return makeError(ErrorCode::BadInput, "the folder " + here.string() + " is not empty: choose another one");
    if (isNoted && readFile(note, longestState).value_or(std::string()) != state)
        return makeError(ErrorCode::BadInput,
                         "the folder " + here.string() + " has part of another checkpoint: choose another one");
    if (const Expected<void> noted = writeFileAtomically(note, state, Survives::Kill); !noted)
        return tl::unexpected<Error>(noted.error());
    return isNoted;
}

bool isWithin(const std::filesystem::path &folder, const std::filesystem::path &other)
{
    std::error_code error;
    const std::filesystem::path relative = std::filesystem::weakly_canonical(folder, error)
                                               .lexically_relative(std::filesystem::weakly_canonical(other, error));
    return !relative.empty() && *relative.begin() != "..";
}

/// For a line that sftp reads.
std::string quoted(const std::string &path)
{
    std::string text = "\"";
    for (const char c : path)
        text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return text + "\"";
}

}  // namespace

Expected<FolderSize> sizeOf(const Ssh &ssh, const std::string &folder)
{
    // `du` counts blocks.
    const auto output = ssh.runScript(
        "cd " + shellWord(folder)
            + " 2>/dev/null || exit 0\n"
              "find . -type f -exec ls -ln {} + | awk '{ n += 1; b += $5 } END { printf \"%d %.0f\\n\", n, b }'\n"
              "find . -type f -exec ls -ln {} + -exec stat -c '%n %s %Y' {} + 2>/dev/null | cksum\n",
        sizeLimit);
    if (!output)
        return tl::unexpected(output.error());
    FolderSize size;
    std::istringstream text(output->output.toStdString());
    text >> size.files >> size.bytes >> size.state;
    return size;
}

Expected<void> fetchFolder(const Ssh &ssh, const std::string &there, const std::string &state,
                           const std::filesystem::path &here)
{
    if ((there + here.string()).find('\n') != std::string::npos)
        return makeError(ErrorCode::BadInput, "a path with a line break cannot be copied");
    const Expected<bool> isRest = prepare(here, state);
    if (!isRest)
        return tl::unexpected<Error>(isRest.error());
    std::error_code error;
    QProcess sftp;
    sftp.setProcessChannelMode(QProcess::ForwardedOutputChannel);
    sftp.start(u"sftp"_s, ssh.sftpArguments() << u"-b"_s << u"-"_s << QString::fromStdString(ssh.target().destination));
    // What is in the folder, hidden files included, and not the folder itself.
    const std::string command = "lcd " + quoted(std::filesystem::absolute(here, error).string()) + "\ncd "
                                + quoted(there) + "\nget " + (*isRest ? "-a " : "") + "-R -p . .\n";
    sftp.write(QByteArray::fromStdString(command));
    sftp.closeWriteChannel();
    if (!sftp.waitForStarted())
        return makeError(ErrorCode::NotFound, "sftp cannot be started: install OpenSSH's client");
    sftp.waitForFinished(-1);
    const std::string said = sshMessage(sftp.readAllStandardError());
    if (sftp.exitStatus() != QProcess::NormalExit || sftp.exitCode() != 0)
        return makeError(ErrorCode::Unavailable,
                         said.empty() ? "sftp ended with code " + std::to_string(sftp.exitCode()) : said);
    std::filesystem::remove(here / unfinished, error);
    return {};
}

Expected<FolderSize> sizeOf(const std::filesystem::path &folder)
{
    FolderSize size;
    std::filesystem::file_time_type newest{};
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (!entry->is_regular_file(error))
            continue;
        ++size.files;
        size.bytes += static_cast<std::int64_t>(entry->file_size(error));
        newest = std::max(newest, entry->last_write_time(error));
    }
    if (error)
        return makeError(ErrorCode::Io, "cannot read " + folder.string() + ": " + error.message());
    size.state = std::to_string(size.files) + " " + std::to_string(size.bytes) + " "
                 + std::to_string(newest.time_since_epoch().count());
    return size;
}

Expected<void> copyFolder(const std::filesystem::path &from, const std::string &state, const std::filesystem::path &to)
{
    using Options = std::filesystem::copy_options;
    if (isWithin(to, from))
        return makeError(ErrorCode::BadInput, "the folder " + to.string() + " is inside the one to copy");
    if (const Expected<bool> isReady = prepare(to, state); !isReady)
        return tl::unexpected<Error>(isReady.error());
    std::error_code error;
    std::filesystem::copy(from, to, Options::recursive | Options::overwrite_existing, error);
    if (error)
        return makeError(ErrorCode::Io, "cannot copy " + from.string() + " to " + to.string() + ": " + error.message());
    std::filesystem::remove(to / unfinished, error);
    return {};
}

}  // namespace sweepscope::remote
