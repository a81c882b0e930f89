#include "device/nvmlprocesses.h"

#include "process/processowner.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>

namespace sweepscope::device::nvml {

namespace {

constexpr std::size_t smallestRecord = 16, largestRecord = 64, recordAlignment = 8, memoryOffset = 8;
constexpr unsigned char untouched = 0xA5;
constexpr unsigned firstCapacity = 64, mostProcesses = 65536, roomFactor = 4;
constexpr std::uint32_t largestPid = 4194304;  // the most that /proc/sys/kernel/pid_max can be
constexpr std::uint64_t unknownMemory = std::numeric_limits<std::uint64_t>::max();

/// pid -> bytes; empty when the bytes are not known.
using Users = std::map<std::uint32_t, std::optional<std::uint64_t>>;

std::optional<Users> parse(const std::vector<unsigned char> &untrusted, std::size_t count, std::size_t bytes)
{
    Users users;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t pid = 0;
        std::uint64_t memory = 0;
        std::memcpy(&pid, &untrusted[i * bytes], sizeof pid);
        std::memcpy(&memory, &untrusted[i * bytes + memoryOffset], sizeof memory);
        if (pid == 0 || pid > largestPid)
            return std::nullopt;
        const auto [user, isNew] = users.emplace(pid, memory);
        if (memory == unknownMemory)
            user->second.reset();
        else if (!isNew && user->second)
            *user->second += memory;  // once for each MIG instance
    }
    return users;
}

bool isTooOld(Return code)
{
    return code == errorFunctionNotFound || code == errorArgumentVersion || code == errorDeprecated
           || code == errorInvalidArgument;
}

/// Empty when this version of the function does not respond.
std::optional<Users> list(const Function<ListProcesses> &function, CallMeter &meter, DeviceHandle device, Return &code)
{
    for (unsigned capacity = firstCapacity; capacity <= mostProcesses;) {
        std::vector<unsigned char> buffer(capacity * largestRecord, untouched);
        unsigned count = capacity;
        code = function(meter, device, &count, static_cast<void *>(buffer.data()));
        const bool tooSmall = code == errorInsufficientSize || (code == success && count * roomFactor >= capacity);
        if (code != success && code != errorInsufficientSize)
            return std::nullopt;
        if (tooSmall) {
            capacity = std::max(capacity * 2, std::min(count, mostProcesses) * (roomFactor + 1));
            continue;
        }
        if (count == 0)
            return Users();
        const std::size_t bytes = recordBytes(buffer, untouched, count, capacity);
        return bytes == 0 ? std::nullopt : parse(buffer, count, bytes);
    }
    return std::nullopt;
}

std::optional<Users> list(const ListProcessesVersions &versions, CallMeter &meter, DeviceHandle device)
{
    for (const auto &function : versions) {
        if (!function)
            continue;
        Return code = success;
        if (auto users = list(function, meter, device, code))
            return users;
        if (!isTooOld(code))
            break;
    }
    return std::nullopt;
}

}  // namespace

std::size_t recordBytes(std::span<const unsigned char> buffer, unsigned char filler, std::size_t count,
                        std::size_t capacity)
{
    const auto last = std::find_if(buffer.rbegin(), buffer.rend(), [=](unsigned char byte) { return byte != filler; });
    const auto written = static_cast<std::size_t>(buffer.rend() - last);
    const auto fits = [written](std::size_t records) {
        const std::size_t bytes = (written + records - 1) / records;
        return (bytes + recordAlignment - 1) / recordAlignment * recordAlignment;
    };
    if (count == 0 || capacity < count || written < count * (smallestRecord - recordAlignment))
        return 0;
    std::size_t bytes = fits(count);
    if (bytes > largestRecord)
        bytes = fits(capacity);
    return bytes >= smallestRecord && bytes <= largestRecord ? bytes : 0;
}

std::optional<std::vector<DeviceProcess>> readProcesses(const Functions &functions, CallMeter &meter,
                                                        DeviceHandle device, const std::string &procFolder)
{
    std::optional<Users> everybody;
    std::set<std::uint32_t> computing;
    for (const ListProcessesVersions *versions :
         {&functions.computeProcesses, &functions.graphicsProcesses, &functions.mpsProcesses}) {
        const auto users = list(*versions, meter, device);
        if (!users)
            continue;
        if (!everybody)
            everybody.emplace();
        for (const auto &[pid, memory] : *users) {
            // A process that computes and draws is in two lists, with the same memory.
            auto &known = (*everybody)[pid];
            known = std::max(known, memory);
            if (versions != &functions.graphicsProcesses)
                computing.insert(pid);
        }
    }
    if (!everybody)
        return std::nullopt;

    std::vector<DeviceProcess> processes;
    for (const auto &[pid, memory] : *everybody) {
        const auto number = static_cast<pid_t>(pid);
        processes.push_back({number, process::userOfProcess(number, procFolder),
                             process::nameOfProcess(number, procFolder), memory, computing.contains(pid)});
    }
    return processes;
}

}  // namespace sweepscope::device::nvml
