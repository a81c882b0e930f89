#include "device/corenotes.h"

#include "base/printable.h"
#include "device/cpulist.h"
#include "device/leaseholder.h"

#include <algorithm>
#include <unistd.h>

namespace sweepscope::device {

namespace {

constexpr const char *kind = "cores";

}  // namespace

std::vector<std::vector<int>> coresOfOthers(const SharedFolder &folder, const std::string &workspace)
{
    std::vector<std::vector<int>> others;
    for (const std::string &untrusted : folder.notes(kind)) {
        const std::size_t first = std::min(untrusted.find('\n'), untrusted.size());
        const auto holder = parseLeaseHolder(std::string_view(untrusted).substr(0, first));
        if (!holder || holder->workspace == printable(workspace))
            continue;
        const std::size_t last = std::min(untrusted.find('\n', first + 1), untrusted.size());
        for (std::size_t begin = first + 1; begin < last;) {
            const std::size_t end = std::min(untrusted.find(';', begin), last);
            if (const auto cpus = parseCpuList(untrusted.substr(begin, end - begin)); cpus && !cpus->empty())
                others.push_back(*cpus);
            begin = end + 1;
        }
    }
    return others;
}

Expected<FileDescriptor> noteCores(const SharedFolder &folder, const std::string &workspace, const std::string &purpose,
                                   const std::vector<std::vector<int>> &perRank)
{
    Expected<FileDescriptor> note = folder.claimNote(kind);
    if (!note)
        return note;
    std::string lists;
    for (const std::vector<int> &cpus : perRank)
        lists += (lists.empty() ? "" : ";") + cpuListText(cpus);
    if (!replaceText(*note, holderHere(::getpid(), workspace, purpose).line() + lists + '\n'))
        return makeError(ErrorCode::NoSpace, "the cores of " + purpose + " cannot be noted");
    return note;
}

}  // namespace sweepscope::device
