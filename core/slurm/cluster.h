#pragma once

#include "slurm/settings.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::slurm {

struct Partition {
    std::string name;
    bool isDefault = false;
    bool isUp = true;
    std::optional<std::chrono::seconds> longest;    ///< nullopt: no limit
    std::optional<std::chrono::seconds> usualTime;  ///< of jobs that name none; nullopt: the longest
    int nodes = 0;
    int gpus = 0;                   ///< most on one node
    std::string gpuTypes;           ///< "a100, h100"; empty if they have none
    std::string preemptMode;        ///< "OFF", "REQUEUE", "CANCEL", …
    std::chrono::seconds grace{0};  ///< between preemption and the end of a job

    bool operator==(const Partition &) const = default;
};

/// What a user may use, by the accounting database.
struct Association {
    std::string account;
    std::string partition;  ///< empty: any
    std::vector<std::string> qos;
    std::optional<int> mostSubmitted;

    bool operator==(const Association &) const = default;
};

/// What a cluster says about itself, as far as it matters here.
struct Cluster {
    std::map<std::string, std::string> configuration;  ///< of `scontrol show config`, by name
    std::vector<Partition> partitions;
    std::vector<Association> associations;  ///< empty without a database

    std::string value(const std::string &name) const;
    /// Whether jobs that are preempted get the signal of their --signal first.
    bool signalsPreempted() const;
    bool preempts() const;
    /// Of its version "22.05.8"; 0 if unknown.
    int year() const;
};

std::map<std::string, std::string> parseConfiguration(std::string_view untrusted);
/// Of `scontrol show partition --oneliner`.
std::vector<Partition> parsePartitions(std::string_view untrusted);
/// The format of sinfo for addNodes().
inline constexpr const char *nodeFormat = "%R|%D|%G";
/// Adds nodes and GPUs of `sinfo --noheader` to their partitions.
void addNodes(std::vector<Partition> &partitions, std::string_view untrusted);
/// The fields of `sacctmgr --noheader --parsable2 show associations` for parseAssociations().
inline constexpr const char *associationFormat = "account,partition,qos,maxsubmitjobs";
std::vector<Association> parseAssociations(std::string_view untrusted);

/// Completes what the user has not set: a partition with GPUs, unless the default one has some or none has, and a time within
/// its limit.
Settings proposeSettings(const Cluster &cluster, Settings settings);

/// "1-12:00:00", as sbatch takes it.
std::string toSlurmTime(std::chrono::seconds time);

}  // namespace sweepscope::slurm
