#include "wording/devicesentence.h"

#include "wording/placeholders.h"
#include "wording/sentence.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace sweepscope::wording {

using facts::Code;
using facts::Fact;
using facts::Facts;
using facts::Field;

namespace {

constexpr std::size_t mostNamed = 4;  ///< GPUs listed in a sentence

struct KnownXid {
    std::int64_t number;
    const char *words;
};
/// docs.nvidia.com/deploy/xid-errors
constexpr std::array knownXids{
    KnownXid{13, "program error: exception in a kernel"},
    KnownXid{31, "program error: invalid memory access"},
    KnownXid{43, "program error: its work was stopped"},
    KnownXid{45, "a program's work was cleaned up after an error"},
    KnownXid{48, "uncorrectable memory error"},
    KnownXid{63, "a memory row was remapped"},
    KnownXid{64, "a memory row could not be remapped"},
    KnownXid{74, "NVLink error"},
    KnownXid{79, "the GPU has fallen off the bus"},
    KnownXid{94, "memory error, contained in one program"},
    KnownXid{95, "memory error, not contained"},
    KnownXid{119, "the GPU's system processor does not respond"},
    KnownXid{120, "the GPU's system processor failed"},
    KnownXid{154, "the GPU needs to be recovered"},
};

bool isOfGpus(const Fact &fact)
{
    return fact.text(Field::Kind) == "gpu";
}

/// "1 GPU", "4 CPU slots"
std::string devices(const Fact &fact, Field count)
{
    const std::int64_t number = fact.integer(count).value_or(0);
    if (isOfGpus(fact))
        return grouped(number) + (number == 1 ? text(" GPU") : text(" GPUs"));
    return grouped(number) + (number == 1 ? text(" CPU slot") : text(" CPU slots"));
}

std::string gpu(const Fact &fact)
{
    if (fact.integer(Field::Index))
        return fill(text("GPU {index}"), fact);
    return fact.text(Field::Device).empty() ? std::string() : fill(text("MIG instance {device}"), fact);
}

std::string excluded(const Facts &causes)
{
    std::vector<std::string> gpus;
    for (const Fact &cause : causes) {
        if (cause.code == Code::GpuExcluded)
            gpus.push_back(gpu(cause));
    }
    if (gpus.size() > mostNamed)
        return grouped(static_cast<std::int64_t>(gpus.size())) + text(" others are excluded");
    std::string list;
    for (std::size_t i = 0; i < gpus.size(); ++i)
        list += (i == 0 ? "" : i + 1 == gpus.size() ? text(" and ") : ", ") + gpus[i];
    return list + (gpus.size() == 1 ? text(" is excluded") : text(" are excluded"));
}

/// Groups the obstacles of single GPUs, which can be many.
std::string obstacles(const Facts &causes)
{
    std::string list;
    const auto add = [&list](const std::string &obstacle) { list += (list.empty() ? "" : "; ") + obstacle; };
    std::int64_t ofGpus = 0;
    bool areExcluded = false;
    for (const Fact &cause : causes) {
        const bool isOfGpu = !gpu(cause).empty();
        if (cause.code == Code::GpuExcluded)
            areExcluded = true;
        else if (isOfGpu && ++ofGpus > static_cast<std::int64_t>(mostNamed))
            continue;
        else if (cause.code != Code::GpusNotPinned)
            add(clause(cause));
    }
    if (ofGpus > static_cast<std::int64_t>(mostNamed))
        add(text("and ") + grouped(ofGpus - static_cast<std::int64_t>(mostNamed)) + text(" more"));
    if (areExcluded)
        add(excluded(causes));
    if (const auto unpinned = std::ranges::find(causes, Code::GpusNotPinned, &Fact::code); unpinned != causes.end())
        add(clause(*unpinned));
    return list;
}

std::string lackOfGpus(const Fact &fact)
{
    const std::int64_t present = fact.integer(Field::Present).value_or(0);
    std::string lack = fact.integer(Field::Limit) == present
                           ? text("this machine has ") + (present == 0 ? text("none") : grouped(present))
                           : fill(text("devices.pin and devices.exclude leave {limit} of the "), fact)
                                 + devices(fact, Field::Present) + text(" of this machine");
    if (fact.integer(Field::Bytes))
        lack += fill(text(", and not all of them have {bytes} of memory (devices.memory)"), fact);
    return lack + text(": lower run.ranks or devices.per_rank, or set devices.kind to \"cpu\"");
}

std::string lackOfSlots(const Fact &fact)
{
    if (fact.integer(Field::Present).value_or(0) == 0)
        return text("the cores of this machine are unknown");
    return fill(fact.integer(Field::Limit) == 1 ? text("there is 1") : text("there are {limit}"), fact)
           + (fact.text(Field::Key).empty() ? text(" (one per core)") : fill(text(" ({key})"), fact))
           + text(": lower run.ranks or devices.per_rank, or raise devices.cpu_slots, so that ranks share cores");
}

std::string memoryInUse(const Fact &fact)
{
    if (!fact.integer(Field::Bytes))
        return text("has not been read since its last trial ended");
    return fill(fact.number(Field::Seconds)
                    ? text("still has {bytes} of its memory in use, {seconds} after its last trial ended: a process "
                           "may be left on it (nvidia-smi), or it needs a reset")
                    : text("has not released the memory of its last trial yet: {bytes} are in use"),
                fact);
}

std::string users(const Fact &fact)
{
    std::string users =
        fact.text(Field::Process).empty() ? text("is used by pid ") : text("is used by {process}, pid ");
    users += fact.text(Field::User).empty() ? text("{pid}, which is not visible here") : text("{pid} of {user}");
    if (fact.integer(Field::Bytes))
        users += text(", {bytes}");
    if (fact.integer(Field::Count).value_or(0) > 0)
        users += text(", and {count} more");
    return fill(users, fact);
}

std::string leased(const Fact &fact)
{
    if (fact.because.empty())
        return text("leased to another engine on this machine");
    std::string holders;
    for (const Fact &holder : fact.because)
        holders += (holders.empty() ? text("leased to ") : text("; and to ")) + clause(holder);
    return holders;
}

std::string reserved(const Fact &fact)
{
    const Fact first = fact.because.empty() ? Fact(Code::BehindOlderSweep) : fact.because.front();
    return fill(first.code == Code::BehindPriority
                    ? text("is kept for the sweep {sweep}, which has a higher priority and waits for devices")
                    : text("is kept for the sweep {sweep}, which is older and waits for devices"),
                first);
}

std::string reportedXid(const Fact &fact)
{
    const auto known = std::ranges::find(knownXids, fact.integer(Field::Number).value_or(0), &KnownXid::number);
    return fill(text("reported Xid {number}"), fact)
           + (known != knownXids.end() ? std::string(" (") + known->words + ")" : std::string());
}

/// Of a GPU, without its name.
std::string condition(const Fact &fact)
{
    switch (fact.code) {
    case Code::GpuMemoryShort:
        return fill(text("has {bytes} of memory left, and each rank needs {needed_bytes}"), fact);
    case Code::GpuReserved:
        return reserved(fact);
    case Code::GpuDraining:
        return memoryInUse(fact);
    case Code::GpuLeased:
        return leased(fact);
    case Code::GpuUsed:
        return users(fact);
    case Code::GpuLost:
        return text("is lost: the driver no longer reaches it; reset it or restart this machine");
    case Code::GpuNeedsReset:
        return text("needs a reset before it can be used again: nvidia-smi --gpu-reset, or restart this machine");
    case Code::GpuNotPermitted:
        return text("belongs to another user, and this user may not open it");
    case Code::GpuBlocked:
        return text("is blocked by the operating system (cgroup): this session may not use it");
    case Code::GpuTakenAway:
        return fill(text("answers with {detail}; in a container this means that its devices were taken away: restart "
                         "the container"),
                    fact);
    case Code::GpuUnusable:
        return fill(text("cannot be read: {detail}"), fact);
    case Code::GpuNotAnswering:
    case Code::GpuAnswersLate:
        return (fact.code == Code::GpuAnswersLate ? text("responds very slowly") : text("does not respond"))
               + (fact.text(Field::Detail).empty() ? std::string() : fill(text(" ({detail})"), fact));
    case Code::GpuReportedXid:
        return reportedXid(fact);
    case Code::GpuSplit:
        return plural(fact, text("is split into 1 MIG instance, which trials use instead"),
                      text("is split into {count} MIG instances, which trials use instead"));
    case Code::GpuWithoutUuid:
        return text("has no UUID, so trials cannot use it");
    case Code::GpuUuidRepeated:
        return fill(text("has the same UUID as GPU {number}"), fact);
    case Code::GpuNotRead:
        return text("has not been read yet");
    default:
        return text("is excluded");
    }
}

}  // namespace

std::string waitingForDevices(const Fact &fact)
{
    std::string sentence = text("waits for ");
    if (fact.integer(Field::Places))
        sentence +=
            fill(fact.integer(Field::Limit) == 1 ? text("{needed} of 1 place") : text("{needed} of {limit} places"),
                 fact)
            + text(" on ") + devices(fact, Field::Places);
    else if (fact.integer(Field::Needed) == fact.integer(Field::Limit))
        sentence += devices(fact, Field::Needed);
    else
        sentence += fill(text("{needed} of "), fact) + devices(fact, Field::Limit);
    return fact.because.empty() ? sentence : sentence + ": " + obstacles(fact.because);
}

std::string devicesImpossible(const Fact &fact)
{
    const std::int64_t each = fact.integer(Field::PerRank).value_or(0);
    const std::int64_t needed = fact.integer(Field::Needed).value_or(0);
    if (each < 1 || needed < 1)
        return text("needs at least one rank (run.ranks) and one device per rank (devices.per_rank)");
    const std::int64_t ranks = needed / each;
    return text("needs ") + devices(fact, Field::Needed) + " (" + grouped(ranks)
           + (ranks == 1 ? text(" rank") : text(" ranks")) + fill(text(" with {per_rank} each), but "), fact)
           + (isOfGpus(fact) ? lackOfGpus(fact) : lackOfSlots(fact));
}

std::string predicate(const Fact &fact)
{
    return condition(fact);
}

std::string connectionOfGpus(const Fact &fact)
{
    static constexpr std::array<std::pair<std::string_view, const char *>, 7> paths{{
        {"nvlink", text("by NVLink")},
        {"board", text("on one board")},
        {"switch", text("by one PCIe switch")},
        {"switches", text("by several PCIe switches")},
        {"host_bridge", text("through the CPU's PCIe root")},
        {"node", text("through the CPU, within one NUMA node")},
        {"system", text("through two CPUs, from one NUMA node to another")},
    }};
    const auto path =
        std::ranges::find(paths, fact.text(Field::Path), &std::pair<std::string_view, const char *>::first);
    const bool isPair = fact.integer(Field::Count) == 2;
    std::string sentence = fill(text("its {count} GPUs are connected "), fact);
    if (path == paths.end())
        return sentence + text("in an unknown way");
    sentence += path->second;
    if (fact.integer(Field::Links))
        sentence += fill(fact.integer(Field::Links) == 1 ? text(" ({links} link between any two")
                                                         : text(" ({links} links between any two"),
                         fact)
                    + (isPair ? ")" : text(" at least)"));
    else if (!isPair)
        sentence += text(" at worst");
    return sentence;
}

std::string conditionOfGpu(const Fact &fact)
{
    const std::string subject = gpu(fact);
    if (subject.empty())
        return condition(fact);
    return subject + (fact.code == Code::GpuLeased ? text(" is ") : " ") + condition(fact);
}

}  // namespace sweepscope::wording
