#include "schedule/cpunotes.h"

#include "base/printable.h"
#include "process/cpulist.h"
#include "schedule/leaseholder.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sched.h>
#include <string_view>
#include <unistd.h>

namespace sweepscope::schedule {

namespace {

constexpr const char *coreNotes = "cores";
constexpr std::size_t mostOfNote = 4 * CPU_SETSIZE;  ///< CPUs and slots; bounded, because any user may have written it

std::string_view cutTo(char separator, std::string_view &text)
{
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

std::optional<CpuUse> parseUse(std::string_view untrusted, const std::string &notOf)
{
    const auto holder = parseLeaseHolder(cutTo('\n', untrusted));
    if (!holder || holder->workspace == notOf)
        return std::nullopt;
    CpuUse use{*holder};
    std::size_t named = 0;
    for (std::string_view lists = cutTo('\n', untrusted); !lists.empty();) {
        const auto cpus = process::parseCpuList(std::string(cutTo(';', lists)), CPU_SETSIZE);
        if (!cpus || (named += cpus->size()) > mostOfNote)
            return std::nullopt;
        if (!cpus->empty())
            use.cpus.push_back(*cpus);
    }
    for (std::string_view slots = cutTo('\n', untrusted); !slots.empty() && use.slots.size() < mostOfNote;) {
        const std::string_view slot = cutTo(';', slots);
        int core = 0;
        const auto read = std::from_chars(slot.data(), slot.data() + slot.size(), core);
        if (read.ec == std::errc() && read.ptr == slot.data() + slot.size())
            use.slots.push_back(core);
    }
    return use.cpus.empty() && use.slots.empty() ? std::nullopt : std::optional(std::move(use));
}

}  // namespace

std::vector<CpuUse> cpusOfOthers(const SharedFolder &folder, const std::string &workspace)
{
    const std::string ourName = printable(workspace);
    std::vector<CpuUse> others;
    for (const std::string &untrusted : folder.notes(coreNotes)) {
        if (auto use = parseUse(untrusted, ourName))
            others.push_back(std::move(*use));
    }
    return others;
}

Expected<FileDescriptor> noteCpus(const SharedFolder &folder, const std::string &workspace, const CpuUse &use)
{
    Expected<FileDescriptor> note = folder.claimNote(coreNotes);
    if (!note)
        return note;
    std::string text = holderHere(::getpid(), workspace, use.holder.trial).line();
    for (std::size_t i = 0; i < use.cpus.size(); ++i)
        text += (i == 0 ? "" : ";") + process::cpuListText(use.cpus[i]);
    text += '\n';
    for (std::size_t i = 0; i < use.slots.size(); ++i)
        text += (i == 0 ? "" : ";") + std::to_string(use.slots[i]);
    if (!replaceText(*note, text + '\n'))
        return makeError(ErrorCode::NoSpace,
                         "the cores of trial " + std::to_string(use.holder.trial.number) + " cannot be recorded");
    return note;
}

void signCpus(const FileDescriptor &note, pid_t pid, const std::string &workspace, const TrialName &trial)
{
    const std::string text = textOf(note);
    const std::size_t rest = text.find('\n');
    if (rest != std::string::npos)
        replaceText(note, holderHere(pid, workspace, trial).line() + text.substr(rest + 1));
}

}  // namespace sweepscope::schedule
