#include "launch/failurekind.h"

#include "base/enumnames.h"
#include "base/files.h"
#include "launch/firsterror.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <span>

namespace sweepscope::launch {

namespace {

constexpr EnumNames<FailureKind, 12> kinds{{
    {FailureKind::ExitCode, "exit_code"},
    {FailureKind::Signal, "signal"},
    {FailureKind::OutOfMemory, "out_of_memory"},
    {FailureKind::NotANumber, "not_a_number"},
    {FailureKind::TimedOut, "timed_out"},
    {FailureKind::Hang, "hang"},
    {FailureKind::EarlyExit, "early_exit"},
    {FailureKind::LostPeer, "lost_peer"},
    {FailureKind::PortTaken, "port_taken"},
    {FailureKind::DeviceMismatch, "device_mismatch"},
    {FailureKind::NotStarted, "not_started"},
    {FailureKind::Lost, "lost"},
}};

// In lower case, as printed by PyTorch, LibTorch, CUDA, NCCL, Python and libstdc++.
constexpr std::array<std::string_view, 8> memoryWords{
    "out of memory",         "outofmemoryerror",         "std::bad_alloc",
    "memoryerror",           "cuda_error_out_of_memory", "cublas_status_alloc_failed",
    "can't allocate memory", "cannot allocate memory"};
constexpr std::array<std::string_view, 10> nanWords{
    "loss is nan",         "loss is inf",     "loss is -inf", "loss became nan",          "nan loss",
    "returned nan values", "non-finite loss", "nan or inf",   "gradients are not finite", "is not finite"};
constexpr std::array<std::string_view, 3> portWords{"address already in use", "eaddrinuse", "port is already in use"};
constexpr std::array<std::string_view, 9> deviceWords{"device mismatch:",
                                                      "invalid device ordinal",
                                                      "no cuda gpus are available",
                                                      "no cuda-capable device",
                                                      "driver version is insufficient",
                                                      "duplicate gpu detected",
                                                      "no kernel image is available",
                                                      "found no nvidia driver",
                                                      "invalid device function"};

bool hasOneOf(std::string_view text, std::span<const std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// Returns the number after "name " at the beginning of a line.
std::uint64_t figureIn(const std::string &file, std::string_view name)
{
    for (std::size_t begin = 0; begin < file.size();) {
        const std::size_t end = std::min(file.find('\n', begin), file.size());
        const std::string_view line(file.data() + begin, end - begin);
        std::uint64_t figure = 0;
        if (line.size() > name.size() + 1 && line.starts_with(name) && line[name.size()] == ' ') {
            std::from_chars(line.data() + name.size() + 1, line.data() + line.size(), figure);
            return figure;
        }
        begin = end + 1;
    }
    return 0;
}

std::string contentOf(const std::filesystem::path &file)
{
    constexpr std::uint64_t enough = 64 * 1024;
    return readFile(file, enough).value_or(std::string());
}

}  // namespace

std::string toString(FailureKind kind)
{
    return nameOf(kinds, kind);
}

std::optional<FailureKind> failureKindFromString(const std::string &text)
{
    return valueOf(kinds, text);
}

FailureKind failureKindOf(std::optional<int> signal, std::string_view words, bool memoryRanOut)
{
    std::string lower(words);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if ((signal == SIGKILL && memoryRanOut) || hasOneOf(lower, memoryWords))
        return FailureKind::OutOfMemory;
    if (hasOneOf(lower, nanWords))
        return FailureKind::NotANumber;
    if (hasOneOf(lower, portWords))
        return FailureKind::PortTaken;
    if (hasOneOf(lower, deviceWords))
        return FailureKind::DeviceMismatch;
    if (signal)
        return FailureKind::Signal;
    return blamesPeer(std::string(words)) ? FailureKind::LostPeer : FailureKind::ExitCode;
}

std::uint64_t outOfMemoryKills()
{
    const std::uint64_t machine = figureIn(contentOf("/proc/vmstat"), "oom_kill");
    // "0::/user.slice/…": the control group of version 2. In a container the machine's counter may be hidden.
    const std::string groups = contentOf("/proc/self/cgroup");
    const std::size_t unified = groups.find("0::");
    if (unified == std::string::npos)
        return machine;
    const std::size_t begin = unified + 3;
    const std::string group = groups.substr(begin, groups.find('\n', begin) - begin);
    return machine + figureIn(contentOf("/sys/fs/cgroup" + group + "/memory.events"), "oom_kill");
}

bool isWorthRetrying(FailureKind kind)
{
    return kind != FailureKind::NotANumber && kind != FailureKind::NotStarted && kind != FailureKind::DeviceMismatch;
}

}  // namespace sweepscope::launch
