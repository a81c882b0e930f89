#pragma once

#include "base/error.h"
#include "remote/sshtarget.h"
#include "slurm/settings.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::remote {

/// A machine on which trials may run, as machines.toml of a workspace has it. It holds no secrets: ssh has them.
struct Machine {
    std::string name;
    SshTarget ssh;            ///< its folder is not used
    std::string folder{};     ///< for all that Sweepscope keeps there; empty: in the home folder
    std::string setup{};      ///< shell commands that set up the environment of trials, in a login shell
    std::string container{};  ///< what a shell puts before the command of a trial: "apptainer exec --nv torch.sif"
    std::string python = "python3";
    std::string address{};  ///< at which ranks on other machines reach it; empty: the one at which ssh does
    std::map<std::string, std::string> data{};  ///< folders of data sets there, by name
    int concurrent = 0;                         ///< trials at once, at most; 0: as many as fit
    std::optional<std::chrono::seconds>
        lostAfter{};                         ///< unreachable for so long, its attempts count as lost; nullopt: never
    std::optional<slurm::Settings> slurm{};  ///< it is a login node: attempts are jobs

    bool operator==(const Machine &) const = default;
};

/// Returns the setup as a script that ends with its exit code if its last command fails; empty if there is none.
std::string setupScript(const Machine &machine);

/// Returns what a shell puts before a command, its setup done, so that it runs in the machine's container.
std::string inContainer(const Machine &machine);

/// Returns a shell command that runs the script in a login shell, and ends it with all that it started after the limit, with
/// exit code `setupTimedOut`, where the machine has timeout(1).
std::string inLoginShell(const std::string &script, std::chrono::seconds limit);
inline constexpr int setupTimedOut = 124;

/// Returns a name for a machine at this address, which none of `known` has.
std::string freeMachineName(const SshTarget &target, const std::vector<Machine> &known);

/// Returns the machines by name; empty if there is no file. BadInput names the file, and the machine and key.
Expected<std::vector<Machine>> readMachines(const std::filesystem::path &file);
Expected<std::vector<Machine>> machinesIn(const std::string &toml, const std::string &nameOfFile);
Expected<void> writeMachines(const std::filesystem::path &file, const std::vector<Machine> &machines);
std::string toToml(const std::vector<Machine> &machines);

}  // namespace sweepscope::remote
