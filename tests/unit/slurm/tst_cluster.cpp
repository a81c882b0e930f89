#include "slurm/cluster.h"

#include <doctest/doctest.h>

using namespace sweepscope::slurm;

namespace {

const std::string partitionLines =
    "PartitionName=main AllowGroups=ALL Default=YES QoS=N/A DefaultTime=00:10:00 GraceTime=0 MaxTime=1-00:00:00 "
    "Nodes=n[1-2] "
    "PreemptMode=OFF State=UP TotalCPUs=8\n"
    "PartitionName=gpu Default=NO DefaultTime=NONE GraceTime=20 MaxTime=UNLIMITED PreemptMode=REQUEUE State=UP\n"
    "PartitionName=old Default=NO MaxTime=01:00:00 PreemptMode=OFF State=DOWN\n\n";

Cluster clusterWith(const std::string &nodes)
{
    Cluster cluster;
    cluster.partitions = parsePartitions(partitionLines);
    addNodes(cluster.partitions, nodes);
    return cluster;
}

}  // namespace

TEST_CASE("partitions have their limits and GPUs")
{
    const auto partitions =
        clusterWith(
            "main|2|(null)\ngpu|3|gpu:h100:8(S:0-1),mps:400\ngpu|1|gpu:a100:2,gpu:t4:2\nelse|9|gpu:1\nold|1|gpu\n")
            .partitions;
    REQUIRE(partitions.size() == 3);
    CHECK(partitions[0].isDefault);
    CHECK(partitions[0].longest == std::chrono::hours(24));
    CHECK(partitions[0].usualTime == std::chrono::minutes(10));
    CHECK(partitions[0].gpus == 0);
    CHECK(!partitions[1].longest);
    CHECK(partitions[1].nodes == 4);
    CHECK(partitions[1].gpus == 8);
    CHECK(partitions[1].gpuTypes == "a100, h100, t4");
    CHECK(partitions[1].grace == std::chrono::seconds(20));
    CHECK(!partitions[2].isUp);
    CHECK(partitions[2].gpus == 1);
}

TEST_CASE("a partition with GPUs is proposed, and what the user has set stays")
{
    const Cluster cluster = clusterWith("main|2|(null)\ngpu|3|gpu:8\nold|90|gpu:1\n");
    CHECK(proposeSettings(cluster, {}).partition == "gpu");
    CHECK(proposeSettings(cluster, {}).time == "1-00:00:00");
    Settings mine;
    mine.partition = "old";
    mine.account = "lab";
    CHECK(proposeSettings(cluster, mine).partition == "old");
    CHECK(proposeSettings(cluster, mine).time == "01:00:00");
    CHECK(proposeSettings(cluster, mine).account == "lab");
    CHECK(proposeSettings(clusterWith("main|2|gpu:1\ngpu|3|gpu:8\n"), {}).partition.empty());
    CHECK(proposeSettings(clusterWith("main|2|(null)\n"), {}).partition.empty());
    CHECK(proposeSettings(Cluster(), {}) == Settings());
}

TEST_CASE("the configuration tells how preemption treats jobs")
{
    Cluster cluster;
    cluster.configuration =
        parseConfiguration("Configuration data as of 2026\nSLURM_VERSION           = 22.05.8\n"
                           "PreemptMode             = REQUEUE\nPreemptType             = preempt/partition_prio\n"
                           "SlurmctldParameters     = preempt_send_user_signal\nJobContainerType = (null)\n");
    CHECK(cluster.year() == 22);
    CHECK(cluster.preempts());
    CHECK(cluster.signalsPreempted());
    CHECK(cluster.value("JobContainerType").empty());
    cluster.configuration["SlurmctldParameters"] = "";
    CHECK(!cluster.signalsPreempted());
    cluster.configuration["PreemptParameters"] = "youngest_first,send_user_signal";
    CHECK(cluster.signalsPreempted());
    cluster.configuration["PreemptType"] = "preempt/none";
    CHECK(!cluster.preempts());
}

TEST_CASE("accounts and QOS of a user are read")
{
    const auto associations = parseAssociations("lab||normal,high|100\nteaching|gpu||\nnonsense\n");
    REQUIRE(associations.size() == 2);
    CHECK(associations[0].account == "lab");
    CHECK(associations[0].qos == std::vector<std::string>{"normal", "high"});
    CHECK(associations[0].mostSubmitted == 100);
    CHECK(associations[1].partition == "gpu");
    CHECK(!associations[1].mostSubmitted);
}
