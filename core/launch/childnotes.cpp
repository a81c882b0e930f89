#include "launch/childnotes.h"

#include "base/files.h"

#include <sstream>
#include <string>
#include <unistd.h>

namespace sweepscope::launch {

namespace {
/// More than that is a fork bomb, which notes cannot cover.
constexpr std::size_t mostNotes = 4096;
constexpr std::uint64_t maxBytes = mostNotes * 32;
}  // namespace

void ChildNotes::update(const std::vector<process::ProcessStat> &tree, const std::set<pid_t> &ranks)
{
    std::set<std::pair<pid_t, std::uint64_t>> living;
    for (const process::ProcessStat &process : tree) {
        if (process.pid != ::getpid() && process.state != 'Z' && !ranks.contains(process.pid))
            living.emplace(process.pid, process.startTime);
    }
    if (living == m_noted)
        return;
    std::string text;
    std::size_t notes = 0;
    for (const auto &[pid, startTime] : living) {
        if (++notes > mostNotes)
            break;
        text += std::to_string(pid) + " " + std::to_string(startTime) + "\n";
    }
    if (writeFileAtomically(m_file, text, Survives::Kill))  // not synced: a loss of power ends the processes too
        m_noted = std::move(living);
}

std::vector<ProcessIdentity> readChildNotes(const std::filesystem::path &file)
{
    std::vector<ProcessIdentity> children;
    std::istringstream lines(readFile(file, maxBytes).value_or(std::string()));
    for (std::string line; children.size() < mostNotes && std::getline(lines, line);) {
        std::istringstream words(line);
        ProcessIdentity child;
        if (words >> child.pid >> child.startTime && child.pid > 0)
            children.push_back(child);
    }
    return children;
}

}  // namespace sweepscope::launch
