#include "slurm/clusterprobe.h"

#include "slurm/cluster.h"
#include "wording/sentence.h"

#include "base/clock.h"
#include "base/printable.h"

#include <algorithm>
#include <set>

namespace sweepscope::slurm {

namespace {

constexpr int oldestYear = 22;
constexpr WallNs second = 1'000'000'000;

std::string counted(int count, const std::string &what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string describe(const Partition &partition)
{
    std::string text = partition.name + (partition.isDefault ? ", the default: " : ": ");
    text += counted(partition.nodes, "node");
    if (partition.gpus > 0)
        text += ", " + counted(partition.gpus, "GPU") + (partition.nodes == 1 ? "" : " each")
                + (partition.gpuTypes.empty() ? "" : " (" + partition.gpuTypes + ")");
    text += partition.longest ? ", up to " + wording::duration(static_cast<double>(partition.longest->count()))
                              : ", no time limit";
    if (partition.usualTime)
        text += ", " + wording::duration(static_cast<double>(partition.usualTime->count())) + " by default";
    return text;
}

class ClusterProbe {
public:
    ClusterProbe(const Commands &commands, const std::function<void(const CheckRow &)> &report)
        : m_commands(commands), m_report(report)
    {}

    Probe run(const Settings &known)
    {
        Probe probe{known, false};
        if (!readConfiguration() || !readPartitions())
            return probe;
        readAccounts(known);
        reportLimits();
        reportPreemption();
        reportContainers();
        probe.settings = proposeSettings(m_cluster, known);
        probe.canSubmit = submitForTest(probe.settings);
        return probe;
    }

private:
    bool readConfiguration()
    {
        const Expected<std::string> text = m_commands.ask({"scontrol", "show", "config"});
        if (!text) {
            const bool isAbsent = text.error().code == ErrorCode::NotFound;
            m_report({"Slurm", Finding::Bad, text.error().message,
                      isAbsent ? "probe a login node of the cluster: sweepctl cluster probe MACHINE"
                               : "try again later, or ask an administrator"});
            return false;
        }
        m_cluster.configuration = parseConfiguration(*text);
        const std::string version = m_cluster.value("SLURM_VERSION");
        if (version.empty()) {
            m_report({"Slurm", Finding::Bad, "scontrol printed no version", {}});
            return false;
        }
        const bool isOld = m_cluster.year() < oldestYear;
        m_report({"Slurm", isOld ? Finding::Warning : Finding::Good,
                  version + ", cluster " + m_cluster.value("ClusterName"),
                  isOld ? "Sweepscope is tested with 22.05 and newer" : ""});
        return true;
    }

    bool readPartitions()
    {
        const Expected<std::string> text = m_commands.ask({"scontrol", "show", "partition", "--oneliner"});
        const Expected<std::string> nodes =
            text ? m_commands.ask({"sinfo", "--noheader", std::string("--format=") + nodeFormat}) : text;
        if (!nodes) {
            m_report({"partitions", Finding::Bad, nodes.error().message, {}});
            return false;
        }
        m_cluster.partitions = parsePartitions(*text);
        addNodes(m_cluster.partitions, *nodes);
        if (m_cluster.partitions.empty()) {
            m_report({"partitions", Finding::Bad, "none that you may use", "ask an administrator"});
            return false;
        }
        for (const Partition &partition : m_cluster.partitions)
            m_report({"partition",
                      partition.isUp ? Finding::Good : Finding::Warning,
                      describe(partition) + (partition.isUp ? "" : "; closed to new starts"),
                      {}});
        return true;
    }

    void readAccounts(const Settings &known)
    {
        const Expected<std::string> user = m_commands.ask({"id", "-un"});
        const std::string name = user ? user->substr(0, user->find('\n')) : std::string();
        const Expected<std::string> text =
            m_commands.ask({"sacctmgr", "--noheader", "--parsable2", "show", "associations", "user=" + name,
                            std::string("format=") + associationFormat});
        if (!text) {
            const bool isAbsent = text.error().code == ErrorCode::Unsupported;
            m_report({"accounts",
                      isAbsent ? Finding::Good : Finding::Warning,
                      isAbsent ? "none: " + text.error().message : text.error().message,
                      {}});
            return;
        }
        m_cluster.associations = parseAssociations(*text);
        std::set<std::string> accounts;
        std::set<std::string> qos;
        for (const Association &association : m_cluster.associations) {
            accounts.insert(association.account);
            qos.insert(association.qos.begin(), association.qos.end());
        }
        if (accounts.empty())
            return m_report(
                {"accounts", Finding::Warning, "none for " + printable(name), "ask an administrator for an account"});
        m_report({"accounts", Finding::Good, list(accounts),
                  accounts.size() > 1 && known.account.empty()
                      ? "the default one is used unless you set account in its slurm table"
                      : ""});
        if (!qos.empty())
            m_report({"QOS", Finding::Good, list(qos)});
    }

    static std::string list(const std::set<std::string> &names)
    {
        std::string text;
        for (const std::string &name : names)
            text += (text.empty() ? "" : ", ") + name;
        return text;
    }

    void reportLimits()
    {
        std::string text;
        for (const Association &association : m_cluster.associations) {
            if (association.mostSubmitted)
                text += std::to_string(*association.mostSubmitted) + " submitted jobs in " + association.account + "; ";
        }
        text += "MaxJobCount " + m_cluster.value("MaxJobCount") + ", MaxArraySize " + m_cluster.value("MaxArraySize")
                + ", KillWait " + m_cluster.value("KillWait") + ", MinJobAge " + m_cluster.value("MinJobAge");
        m_report({"limits", Finding::Good, text});
    }

    void reportPreemption()
    {
        if (!m_cluster.preempts())
            return m_report({"preemption", Finding::Good, "off"});
        std::string partitions;
        for (const Partition &partition : m_cluster.partitions) {
            if (partition.preemptMode != "OFF")
                partitions += (partitions.empty() ? "" : ", ") + partition.name + " ("
                              + std::to_string(partition.grace.count()) + " s)";
        }
        if (m_cluster.signalsPreempted())
            return m_report({"preemption", Finding::Good,
                             "attempts are asked for a checkpoint first; time to save it: " + partitions});
        m_report({"preemption", Finding::Warning,
                  "attempts lose their work since the last checkpoint, because Slurm sends no signal first; in "
                      + partitions,
                  "an administrator can set PreemptParameters=send_user_signal (before 23.02: "
                  "SlurmctldParameters=preempt_send_user_signal)"});
    }

    void reportContainers()
    {
        const std::string type = m_cluster.value("JobContainerType");
        if (type.empty() || type.find("none") != std::string::npos)
            return;
        m_report({"containers", Finding::Warning, "jobs have their own /tmp (" + type + ")",
                  "keep the workspace outside of /tmp"});
    }

    bool submitForTest(const Settings &settings)
    {
        const auto used = std::ranges::find_if(m_cluster.partitions, [&settings](const Partition &partition) {
            return settings.partition.empty() ? partition.isDefault : partition.name == settings.partition;
        });
        BatchJob job;
        job.name = jobName("probe");
        job.folder = "/";
        job.command = {"true"};
        job.gpus = used != m_cluster.partitions.end() && used->gpus > 0 ? 1 : 0;
        const bool isClosed = used != m_cluster.partitions.end() && !used->isUp;  // --test-only does not look at that
        const std::string what = (job.gpus > 0 ? std::string("a job with 1 GPU") : std::string("a job without GPUs"))
                                 + (used != m_cluster.partitions.end() ? " in " + used->name : std::string());
        const TestAnswer answer = m_commands.test(job, settings);
        if (const auto *estimate = std::get_if<StartEstimate>(&answer)) {
            std::string text = what + " would be accepted";
            if (isClosed) {
                m_report({"submission", Finding::Warning, text + ", and wait: the partition is closed",
                          "choose another partition in the slurm table, or ask an administrator"});
                return true;
            }
            if (estimate->starts) {
                const std::int64_t seconds = *estimate->starts - wallNow() / second;
                text += seconds < 60 ? " and start at once"
                                     : " and start in about " + wording::duration(static_cast<double>(seconds));
            }
            m_report({"submission", Finding::Good, text + (estimate->nodes.empty() ? "" : ", on " + estimate->nodes)});
            return true;
        }
        std::string why;
        if (const auto *refused = std::get_if<Refused>(&answer))
            why = wording::sentence(refused->fact);
        else if (const auto *postponed = std::get_if<Postponed>(&answer))
            why = wording::sentence(postponed->fact);
        else
            why = std::get<Uncertain>(answer).fact.text(facts::Field::Detail);
        m_report({"submission", Finding::Bad, what + ": " + why,
                  "change account, partition, qos, time or constraint in the slurm table"});
        return false;
    }

    const Commands &m_commands;
    const std::function<void(const CheckRow &)> &m_report;
    Cluster m_cluster;
};

}  // namespace

Probe probeCluster(const Commands &commands, const Settings &known, const std::function<void(const CheckRow &)> &report)
{
    return ClusterProbe(commands, report).run(known);
}

}  // namespace sweepscope::slurm
