#include "remote/remotefolder.h"

#include "base/files.h"

#include <QProcess>

#include <chrono>
#include <sstream>
#include <system_error>

namespace sweepscope::remote {
using namespace Qt::StringLiterals;

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds sizeLimit = 60s;

/// In the folder here, while its copy is not complete: the state of the folder there.
constexpr const char *unfinished = ".sweepscope-copy";
constexpr std::uint64_t longestState = 64;

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
    std::error_code error;
    std::filesystem::create_directories(here, error);
    if (error)
        return makeError(ErrorCode::Io, "cannot create the folder " + here.string() + ": " + error.message());
    if ((there + here.string()).find('\n') != std::string::npos)
        return makeError(ErrorCode::BadInput, "a path with a line break cannot be copied");
    // Files of another state must not be completed: a newer checkpoint often has the same size.
    const std::filesystem::path note = here / unfinished;
    const bool isRest = !state.empty() && readFile(note, longestState).value_or(std::string()) == state;
    if (const Expected<void> noted = writeFileAtomically(note, state, Survives::Kill); !noted)
        return noted;
    QProcess sftp;
    sftp.setProcessChannelMode(QProcess::ForwardedOutputChannel);
    sftp.start(u"sftp"_s, ssh.sftpArguments() << u"-b"_s << u"-"_s << QString::fromStdString(ssh.target().destination));
    // What is in the folder, hidden files included, and not the folder itself.
    const std::string command = "lcd " + quoted(std::filesystem::absolute(here, error).string()) + "\ncd "
                                + quoted(there) + "\nget " + (isRest ? "-a " : "") + "-R -p . .\n";
    sftp.write(QByteArray::fromStdString(command));
    sftp.closeWriteChannel();
    if (!sftp.waitForStarted())
        return makeError(ErrorCode::NotFound, "sftp cannot be started: install OpenSSH's client");
    sftp.waitForFinished(-1);
    const std::string said = sshMessage(sftp.readAllStandardError());
    if (sftp.exitStatus() != QProcess::NormalExit || sftp.exitCode() != 0)
        return makeError(ErrorCode::Unavailable,
                         said.empty() ? "sftp ended with code " + std::to_string(sftp.exitCode()) : said);
    std::filesystem::remove(note, error);
    return {};
}

}  // namespace sweepscope::remote
