#include "sweep/torchrun.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>

namespace sweepscope::sweep {

namespace {

using Words = std::vector<std::string>;

/// Returns the place of the first option of torchrun; nullopt if the command starts another program.
std::optional<std::size_t> beginOfOptions(const Words &command)
{
    if (command.empty())
        return std::nullopt;
    const std::string program = std::filesystem::path(command[0]).filename().string();
    if (program == "torchrun")
        return 1;
    if (!program.starts_with("python"))
        return std::nullopt;
    for (std::size_t i = 1; i + 1 < command.size() && command[i].starts_with('-'); ++i) {
        if (command[i] == "-m") {
            const bool isTorchrun = command[i + 1] == "torch.distributed.run";
            return isTorchrun ? std::optional(i + 2) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<int> torchrunNumber(std::string_view text)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// These concern how torchrun's processes find each other and where it writes their output, which an attempt does itself.
bool hasNoMeaningHere(const std::string &option)
{
    constexpr std::array options{"rdzv-backend", "rdzv-endpoint",
                                 "rdzv-id",      "rdzv-conf",
                                 "master-addr",  "master-port",
                                 "local-addr",   "log-dir",
                                 "redirects",    "r",
                                 "tee",          "t",
                                 "role",         "monitor-interval",
                                 "logs-specs",   "start-method",
                                 "node-rank",    "signals-to-handle"};
    return std::ranges::find(options, option) != options.end();
}

}  // namespace

std::optional<Expected<TorchrunCommand>> parseTorchrun(const Words &command, const std::string &python)
{
    const std::optional<std::size_t> begin = beginOfOptions(command);
    if (!begin)
        return std::nullopt;
    // The flags of the interpreter apply to its scripts, too.
    TorchrunCommand torchrun;
    if (*begin == 1)
        torchrun.command = {python};
    else
        torchrun.command.assign(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(*begin) - 2);
    bool isModule = false;
    bool isProgram = false;
    std::size_t at = *begin;
    for (; at < command.size() && command[at].starts_with('-'); ++at) {
        const std::string &word = command[at];
        const std::size_t equals = std::min(word.find('='), word.size());
        std::string option = word.substr(std::min(word.find_first_not_of('-'), equals), std::string::npos);
        option.erase(std::min(option.find('='), option.size()));
        std::ranges::replace(option, '_', '-');
        if (option == "m" || option == "module") {
            isModule = true;
            continue;
        }
        if (option == "no-python") {
            isProgram = true;
            continue;
        }
        if (option == "standalone")
            continue;
        if (equals == word.size() && ++at == command.size())
            break;
        const std::string value = equals == word.size() ? command[at] : word.substr(equals + 1);
        const std::optional<int> number = torchrunNumber(value);
        if (option == "nproc-per-node")
            torchrun.processes = value;
        else if (option == "max-restarts" && number && *number >= 0)
            torchrun.restarts = *number;
        else if (option == "nnodes" && value != "1" && value != "1:1")
            return makeError(ErrorCode::BadInput,
                             "torchrun: " + word
                                 + ": a run is on one machine; for several, use devices.nodes of a sweep file");
        else if (option != "nnodes" && !hasNoMeaningHere(option))
            return makeError(ErrorCode::BadInput, "torchrun: the option " + word + " is not supported here; remove it");
    }
    if (at >= command.size())
        return makeError(ErrorCode::BadInput, "torchrun: the command names no script");
    if (isProgram)
        torchrun.command.clear();
    else if (isModule)
        torchrun.command.push_back("-m");
    torchrun.command.insert(torchrun.command.end(), command.begin() + static_cast<std::ptrdiff_t>(at), command.end());
    return torchrun;
}

std::optional<int> processesOf(const std::string &processes, int gpus, int cpuCores)
{
    constexpr int mostProcesses = 1024;
    std::optional<int> number = torchrunNumber(processes);
    if (processes == "gpu")
        number = gpus;
    else if (processes == "cpu")
        number = cpuCores;
    else if (processes == "auto")
        number = gpus > 0 ? gpus : cpuCores;
    return number && *number >= 1 && *number <= mostProcesses ? number : std::nullopt;
}

}  // namespace sweepscope::sweep
