#include "node/attemptrecovery.h"

#include "base/files.h"
#include "base/printable.h"
#include "feed/ring.h"
#include "feed/ringrecovery.h"
#include "launch/childnotes.h"
#include "launch/leftovers.h"
#include "launch/rankfeeds.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

namespace sweepscope::node {

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

std::string notKilled(pid_t pid, launch::SpareReason why)
{
    const std::string text = "process " + std::to_string(pid) + ", which is listed in children.txt, was not killed: ";
    switch (why) {
    case launch::SpareReason::BeganBefore:
        return text + "it started before the attempt";
    case launch::SpareReason::OfAnotherAttempt:
        return text + "it belongs to another attempt";
    case launch::SpareReason::OfSweepscope:
        return text + "it is a program of Sweepscope, or the parent of one";
    case launch::SpareReason::Unreadable:
        break;
    }
    return text + "its environment cannot be read";
}

void addSentence(std::string &sentences, const std::string &sentence)
{
    sentences += (sentences.empty() ? "" : "; ") + sentence;
}

void recoverRing(Recovery &recovery, const AttemptLayout &files, int rank, const std::string &ringName)
{
    std::error_code error;
    const std::filesystem::path link = files.rankRing(rank);
    const std::filesystem::path target = std::filesystem::read_symlink(link, error);
    const bool isLinked = !error;
    // Built from the name: a rank may have pointed the link at any file. The agent may use another ring folder than
    // this process.
    const std::filesystem::path ring =
        isLinked && target.filename() == ringName ? target : feed::ringFolder() / ringName;
    if (isLinked && ring != target)
        addSentence(recovery.undone, link.string() + " points to " + target.string() + ", which was left alone");
    if (std::filesystem::symlink_status(ring, error).type() == std::filesystem::file_type::regular) {
        if (!std::filesystem::exists(files.folder, error)) {
            std::filesystem::remove(ring, error);  // its content no longer has a place in the log
            return;
        }
        const Expected<std::uint64_t> recovered = feed::recoverRing(ring, files.rankFeed(rank));
        if (!recovered && recovered.error().code != ErrorCode::NotFound) {
            addSentence(recovery.undone, recovered.error().message);
            recovery.needsRoom = recovery.needsRoom || recovered.error().code == ErrorCode::NoSpace;
            return;
        }
    }
    if (isLinked)
        std::filesystem::remove(link, error);
}

std::vector<int> ranksIn(const AttemptLayout &files, int count)
{
    const auto range = rankRangeOf(files.folder);
    std::vector<int> ranks;
    for (int rank = range ? range->first : 0; rank < (range ? range->last + 1 : count); ++rank)
        ranks.push_back(rank);
    return ranks;
}

/// The arguments of a process in /proc, each with a zero byte; empty if it has none, or has ended. exec removes them before it
/// has the new ones, and who started the process may go on in between: then they are waited for.
std::string argumentsOf(const std::filesystem::path &process)
{
    constexpr int mostTries = 50;
    constexpr std::size_t most = 64 * 1024;
    std::string arguments;
    for (int tries = 0; tries < mostTries; ++tries) {
        arguments = readFile(process / "cmdline", most).value_or(std::string());
        std::error_code error;
        if (!arguments.empty() || std::filesystem::read_symlink(process / "exe", error).empty())
            break;  // without a program: a thread of the kernel, or a zombie
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return arguments;
}

}  // namespace

Recovery recoverAttempt(const AttemptLayout &files, const std::string &attemptId, int ranks,
                        const launch::ProcessIdentity &agent)
{
    Recovery recovery;
    // First, because processes that still run could still write to a ring.
    const launch::NotedChildren noted{launch::readChildNotes(files.childNotes()), agent.startTime};
    for (const auto &[pid, why] : launch::killLeftovers(attemptId, noted).spared)
        addSentence(recovery.undone, notKilled(pid, why));
    std::error_code ignored;  // already gone, or removed by the next attempt to recover
    std::filesystem::remove(files.childNotes(), ignored);
    const Recovery rings = recoverRings(files, attemptId, ranks, agent);
    if (!rings.undone.empty())
        addSentence(recovery.undone, rings.undone);
    recovery.needsRoom = rings.needsRoom;
    return recovery;
}

Recovery recoverRings(const AttemptLayout &files, const std::string &attemptId, int ranks,
                      const launch::ProcessIdentity &agent)
{
    Recovery recovery;
    for (const int rank : ranksIn(files, ranks))
        recoverRing(recovery, files, rank, launch::ringFileName(attemptId, agent, rank));
    return recovery;
}

bool hasRings(const AttemptLayout &files, int ranks)
{
    std::error_code error;
    for (const int rank : ranksIn(files, ranks)) {
        if (std::filesystem::is_symlink(files.rankRing(rank), error))
            return true;
    }
    return false;
}

void withdrawLaunchFile(const AttemptLayout &files)
{
    std::error_code error;  // ENOENT: it was never written, or is already withdrawn
    std::filesystem::rename(files.launchFile(), withdrawn(files), error);
}

void restoreLaunchFile(const AttemptLayout &files)
{
    std::error_code error;
    std::filesystem::rename(withdrawn(files), files.launchFile(), error);
}

std::optional<pid_t> findAgent(const std::filesystem::path &attemptFolder)
{
    const std::string wanted = attemptFolder.string();
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", error)) {
        if (!isNumber(entry.path().filename().string()))
            continue;
        const std::string arguments = argumentsOf(entry.path());
        for (std::string_view rest = arguments; !rest.empty();) {
            const std::size_t end = rest.find('\0');
            if (rest.substr(0, end) == wanted)
                return static_cast<pid_t>(std::stol(entry.path().filename().string()));
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
    }
    return std::nullopt;
}

std::string lastLineOf(const std::filesystem::path &log)
{
    constexpr std::size_t most = 64 * 1024;
    std::istringstream tail(readTail(log, most));
    std::string last;
    for (std::string line; std::getline(tail, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos)
            last = line;
    }
    return last.empty() ? log.string() + " contains no message" : printable(last);
}

}  // namespace sweepscope::node
