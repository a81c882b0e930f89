#include "engine/attemptrecovery.h"

#include "base/files.h"
#include "feed/ring.h"
#include "launch/childnotes.h"
#include "launch/leftovers.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string_view>
#include <system_error>

namespace sweepscope::engine {

namespace {

std::filesystem::path withdrawn(const AttemptLayout &files)
{
    return files.launchFile().string() + ".withdrawn";
}

bool isNumber(const std::string &name)
{
    for (const char c : name) {
        if (std::isdigit(static_cast<unsigned char>(c)) == 0)
            return false;
    }
    return !name.empty();
}

}  // namespace

Recovery recoverAttempt(const AttemptLayout &files, const std::string &attemptId, int ranks)
{
    Recovery recovery;
    // First: what still runs could still write to a ring.
    launch::killLeftovers(attemptId, launch::readChildNotes(files.childNotes()));
    std::error_code ignored;  // not there, or tried again
    std::filesystem::remove(files.childNotes(), ignored);
    for (int rank = 0; rank < ranks; ++rank) {
        std::error_code error;
        const std::filesystem::path link = files.rankRing(rank);
        const std::filesystem::path ring = std::filesystem::read_symlink(link, error);
        if (error)
            continue;
        const Expected<std::uint64_t> recovered = feed::recoverRing(ring, files.rankFeed(rank));
        if (!recovered && recovered.error().code != ErrorCode::NotFound) {
            recovery.undone += (recovery.undone.empty() ? "" : "; ") + recovered.error().message;
            recovery.needsRoom = recovery.needsRoom || recovered.error().code == ErrorCode::NoSpace;
            continue;
        }
        std::filesystem::remove(link, error);
    }
    return recovery;
}

void withdrawLaunchFile(const AttemptLayout &files)
{
    std::error_code error;  // not there: it was never written, or was withdrawn before
    std::filesystem::rename(files.launchFile(), withdrawn(files), error);
}

void restoreLaunchFile(const AttemptLayout &files)
{
    std::error_code error;
    std::filesystem::rename(withdrawn(files), files.launchFile(), error);
}

bool agentRunsFor(const std::filesystem::path &attemptFolder)
{
    const std::string wanted = attemptFolder.string();
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", error)) {
        if (!isNumber(entry.path().filename().string()))
            continue;
        // Not a regular file with a size: it ends where reading ends. A process that goes meanwhile is no agent of
        // ours.
        const Expected<std::string> arguments = readFile(entry.path() / "cmdline", 64 * 1024);
        if (!arguments)
            continue;
        for (std::string_view rest = *arguments; !rest.empty();) {
            const std::size_t end = rest.find('\0');
            if (rest.substr(0, end) == wanted)
                return true;
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
    }
    return false;
}

std::string lastLineOf(const std::filesystem::path &log)
{
    constexpr std::streamoff most = 64 * 1024;
    std::ifstream file(log, std::ios::binary | std::ios::ate);
    const std::streamoff size = file.tellg();
    file.seekg(std::max<std::streamoff>(0, size - most));
    std::string last;
    for (std::string line; std::getline(file, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos)
            last = line;
    }
    return last.empty() ? log.string() + " says nothing" : last;
}

}  // namespace sweepscope::engine
