#include "process/processstat.h"

#include "base/files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace sweepscope::process {

namespace {

constexpr std::uint64_t maxProcFileBytes = 1024 * 1024;

/// Fields of /proc/PID/stat after the name, proc(5): state is field 3, so field n is at n - 3.
constexpr std::size_t fieldState = 0, fieldParent = 1, fieldGroup = 2, fieldUser = 11, fieldSystem = 12,
                      fieldChildUser = 13, fieldChildSystem = 14, fieldStart = 19, fieldResident = 21, fieldCount = 22;

std::optional<std::uint64_t> parseUnsigned(std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<pid_t> parsePid(std::string_view text)
{
    pid_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::vector<std::string_view> words(std::string_view text)
{
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const std::size_t begin = text.find_first_not_of(" \n");
        if (begin == std::string_view::npos)
            break;
        text.remove_prefix(begin);
        const std::size_t length = std::min(text.find_first_of(" \n"), text.size());
        found.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return found;
}

/// Returns the children of every thread of `pid`; nullopt if the kernel has no such file.
std::optional<std::vector<pid_t>> childrenFromTasks(pid_t pid, const std::string &procFolder)
{
    const std::string tasks = procFolder + "/" + std::to_string(pid) + "/task";
    std::error_code error;
    std::vector<pid_t> children;
    bool anyFile = false;
    for (std::filesystem::directory_iterator entry(tasks, error), end; !error && entry != end; entry.increment(error)) {
        const auto content = readFile(entry->path() / "children", maxProcFileBytes);
        if (!content)
            continue;
        anyFile = true;
        for (const std::string_view word : words(*content)) {
            if (const auto child = parsePid(word))
                children.push_back(*child);
        }
    }
    if (!anyFile)
        return std::nullopt;
    return children;
}

bool hasChildrenFiles(pid_t root, const std::string &procFolder)
{
    const std::string name = std::to_string(root);
    std::error_code error;
    return std::filesystem::exists(procFolder + "/" + name + "/task/" + name + "/children", error);
}

}  // namespace

std::optional<ProcessStat> readProcessStat(pid_t pid, const std::string &procFolder)
{
    const auto content = readFile(procFolder + "/" + std::to_string(pid) + "/stat", maxProcFileBytes);
    if (!content)
        return std::nullopt;
    // The name may contain any characters, even parentheses and spaces: it ends at the last parenthesis.
    const std::size_t nameBegin = content->find('(');
    const std::size_t nameEnd = content->rfind(')');
    if (nameEnd == std::string::npos || nameBegin > nameEnd)
        return std::nullopt;
    const auto fields = words(std::string_view(*content).substr(nameEnd + 1));
    if (fields.size() < fieldCount || fields[fieldState].size() != 1)
        return std::nullopt;

    const auto parent = parsePid(fields[fieldParent]);
    const auto group = parsePid(fields[fieldGroup]);
    const auto user = parseUnsigned(fields[fieldUser]);
    const auto system = parseUnsigned(fields[fieldSystem]);
    const auto start = parseUnsigned(fields[fieldStart]);
    if (!parent || !group || !user || !system || !start)
        return std::nullopt;

    static const auto pageBytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    ProcessStat stat;
    stat.pid = pid;
    stat.parent = *parent;
    stat.group = *group;
    stat.name = content->substr(nameBegin + 1, nameEnd - nameBegin - 1);
    stat.state = fields[fieldState].front();
    stat.cpuTicks = *user + *system;
    // The kernel prints these signed; negative values count as 0.
    stat.reapedTicks =
        parseUnsigned(fields[fieldChildUser]).value_or(0) + parseUnsigned(fields[fieldChildSystem]).value_or(0);
    stat.startTime = *start;
    stat.residentBytes = parseUnsigned(fields[fieldResident]).value_or(0) * pageBytes;
    return stat;
}

std::optional<ProcessIo> readProcessIo(pid_t pid, const std::string &procFolder)
{
    const auto content = readFile(procFolder + "/" + std::to_string(pid) + "/io", maxProcFileBytes);
    if (!content)
        return std::nullopt;
    const auto fields = words(*content);
    const auto valueOf = [&fields](std::string_view key) -> std::optional<std::uint64_t> {
        const auto name = std::find(fields.begin(), fields.end(), key);
        return name == fields.end() || name + 1 == fields.end() ? std::nullopt : parseUnsigned(*(name + 1));
    };
    const auto read = valueOf("read_bytes:"), written = valueOf("write_bytes:");
    if (!read || !written)
        return std::nullopt;
    return ProcessIo{*read, *written};
}

std::vector<pid_t> allProcesses(const std::string &procFolder)
{
    std::vector<pid_t> pids;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(procFolder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (const auto pid = parsePid(entry->path().filename().native()))
            pids.push_back(*pid);
    }
    return pids;
}

std::vector<ProcessStat> readProcessTree(pid_t root, const std::string &procFolder)
{
    if (!hasChildrenFiles(root, procFolder)) {
        std::vector<ProcessStat> everybody;
        for (const pid_t pid : allProcesses(procFolder)) {
            if (const auto stat = readProcessStat(pid, procFolder))
                everybody.push_back(*stat);
        }
        return subtree(everybody, root);
    }

    std::vector<ProcessStat> tree;
    std::vector<pid_t> pending{root};
    while (!pending.empty()) {
        const pid_t pid = pending.back();
        pending.pop_back();
        const auto stat = readProcessStat(pid, procFolder);
        if (!stat)
            continue;
        tree.push_back(*stat);
        if (const auto children = childrenFromTasks(pid, procFolder))
            pending.insert(pending.end(), children->begin(), children->end());
    }
    // During reading, a process may have changed its parent and been seen twice.
    return subtree(tree, root);
}

std::vector<ProcessStat> subtree(const std::vector<ProcessStat> &processes, pid_t root)
{
    std::map<pid_t, const ProcessStat *> byPid;
    std::multimap<pid_t, const ProcessStat *> byParent;
    for (const ProcessStat &process : processes) {
        if (byPid.emplace(process.pid, &process).second)
            byParent.emplace(process.parent, &process);
    }
    const auto start = byPid.find(root);
    if (start == byPid.end())
        return {};

    std::vector<ProcessStat> found{*start->second};
    byPid.erase(start);  // visit each process once, so that untrusted parent ids cannot form a cycle
    for (std::size_t next = 0; next < found.size(); ++next) {
        const auto [first, last] = byParent.equal_range(found[next].pid);
        for (auto child = first; child != last; ++child) {
            if (byPid.erase(child->second->pid) == 1)
                found.push_back(*child->second);
        }
    }
    return found;
}

}  // namespace sweepscope::process
