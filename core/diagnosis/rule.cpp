#include "diagnosis/rule.h"

#include "diagnosis/examinations.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sweepscope::diagnosis {

namespace {

// docs/diagnosis.md says the same at more length.
constexpr std::array table{
    Rule{"not-finite", "Value is NaN or infinite", Severity::Problem, Needs::Ranks,
         "no value may be NaN or infinite, as in Lightning's check_finite and "
         "TORCH_NCCL_NAN_CHECK",
         "lower or warm up the learning rate, clip gradients, check the batch of that step", examineNotFinite},
    Rule{"diverged", "Diverged", Severity::Problem, Needs::Ranks,
         "medians of 10 steps: 100 times the lowest, and above the first; with fewer than 20 steps, medians of 3: 1000 "
         "times",
         "lower or warm up the learning rate, clip gradients; a pruner (prune.method) ends such trials early",
         examineDivergence},
    Rule{"no-objective", "Objective not reported", Severity::Problem, Needs::Ranks,
         "a trial without a value of its objective cannot be compared",
         "read it from the output (format = \"auto\" in [run.metrics]), log it with run.log(), or choose another "
         "objective; sweepctl edit and the window change this without running trials again",
         examineUnreported},
    Rule{"diverged-replicas", "Replicas differ", Severity::Problem, Needs::SeveralRanks,
         "weights must be equal bit by bit, as in Megatron-LM's check of replicas",
         "something changes weights outside DDP: wrap the model before creating the optimizer, "
         "initialize all ranks alike, synchronize buffers",
         examineReplicas},
    Rule{"hang", "Hung", Severity::Problem, Needs::Ranks,
         "5 times the longest interval between reports, as in NVIDIA's resiliency extension",
         "check the named rank and its log; ranks that call collectives in different orders "
         "wait forever",
         examineHang},
    Rule{"same-samples", "Ranks see the same samples", Severity::Problem, Needs::SeveralRanks,
         "as with DistributedSampler, no two ranks may see the same sample",
         "use DistributedSampler with rank and world size from the environment, so that each "
         "rank gets its own samples",
         examineSameSamples},
    Rule{"same-order", "Same order in every epoch", Severity::Warning, Needs::Ranks,
         "as with DistributedSampler, the order must depend on the epoch",
         "call sampler.set_epoch(epoch) at the start of every epoch", examineSameOrder},
    Rule{"script-mistake", "Mistake in the script", Severity::Warning, Needs::Ranks,
         "PyTorch's documentation of distributed training",
         "change the named line; PyTorch's tutorial on DistributedDataParallel shows the usual sequence",
         examineScript},
    Rule{"power-brake", "Power brake", Severity::Problem, Needs::Gpus,
         "NVML's clock event reasons 0x8 and 0x80; alarms in DCGM",
         "the server's power supply or cooling limits the GPU: inform the administrator", examinePowerBrake},
    Rule{"thermal-throttle", "Thermal throttling", Severity::Warning, Needs::Gpus,
         "NVML's clock event reasons 0x20 and 0x40",
         "check fans, dust and room temperature; a lower power limit costs less speed than "
         "overheating",
         examineThermalThrottle},
    Rule{"foreign-process", "Other process on the GPU", Severity::Warning, Needs::Gpus,
         "no other process may use the GPU",
         "exclude the GPU, or ask the user of the process (shown by sweepctl devices) to end it",
         examineForeignProcess},
    Rule{"straggler", "Slow rank", Severity::Warning, Needs::SeveralRanks,
         "between MegaScale's threshold for slow machines (10%) and that of NVIDIA's resiliency "
         "extension (33%)",
         "compare the rank's GPU clocks, CPU cores and data with the others'; other programs on its cores slow it down",
         examineStraggler},
    Rule{"clock-mismatch", "Different GPU clocks", Severity::Warning, Needs::SeveralGpus,
         "10%, as MegaScale's threshold for slow machines; Meta's gcm checks clocks too",
         "check the GPU's throttle reasons, power limit and application clocks (nvidia-smi -q "
         "-d CLOCK,PERFORMANCE)",
         examineClockMismatch},
    Rule{"data-wait", "Waiting for data", Severity::Warning, Needs::Ranks,
         "twice the 5% at which PyTorch's profiler recommends action",
         "use more loader_threads (or num_workers), cheaper transforms, or a faster disk for "
         "the data",
         examineDataWait},
    Rule{"loss-spike", "Loss spike", Severity::Warning, Needs::Ranks,
         "twice the running level, as in Lightning's SpikeDetection, above 10 standard "
         "deviations, for 3 steps",
         "lower or warm up the learning rate, clip gradients, or resume from the checkpoint "
         "before the spike",
         examineLossSpike},
    Rule{"pcie-link", "Slow PCIe link", Severity::Warning, Needs::Gpus, "the link's own maximum, under load",
         "reseat the board or riser, check the slot's lanes and the BIOS settings", examinePcieLink},
    Rule{"slow-link", "Slow GPU link", Severity::Warning, Needs::SeveralGpus,
         "20% of the bandwidth that NVLink or PCIe promise, and half of the median of equal links",
         "look for disabled links (nvidia-smi nvlink --status), PCIe access control (ACS, IOMMU) and NCCL_P2P_DISABLE, "
         "or "
         "exclude one of the GPUs (devices.exclude)",
         examineSlowLink},
    Rule{"hollow-gpu", "GPU busy with little work", Severity::Note, Needs::Gpus,
         "busy with SM activity below 25%, as in KempnerPulse; DCGM calls less than 50% "
         "ineffective",
         "use larger batches, fused or compiled kernels, fewer synchronizations with the host", examineHollowGpu},
    Rule{"low-utilization", "Low GPU utilization", Severity::Note, Needs::Gpus,
         "50%, below which PyTorch's profiler recommends action",
         "there is room for a larger batch size, or for several trials on one GPU", examineLowUtilization},
    Rule{"memory-limit", "GPU memory nearly full", Severity::Note, Needs::Gpus, "95%",
         "a longer sequence or a fragmented cache may exceed it: use smaller batches, "
         "activation checkpointing, or bf16",
         examineMemoryLimit},
    Rule{"monitor-cost", "Costly monitoring", Severity::Note, Needs::Ranks,
         "5 times what monitoring 8 GPUs should take (1% of a core)",
         "report this with the driver and GPU models; sweepctl devices --json shows the slowest call",
         examineMonitorCost},
};

/// Why the rule cannot apply to this attempt, whatever it reports; empty if it can.
std::string inapplicable(Needs needs, const AttemptEvidence &evidence)
{
    switch (needs) {
    case Needs::Ranks:
        break;
    case Needs::SeveralRanks:
        return evidence.ranks.size() < 2 ? "the trial has one rank" : "";
    case Needs::Gpus:
        return evidence.gpus.empty() ? "the trial uses no GPU" : "";
    case Needs::SeveralGpus:
        return evidence.gpus.empty()      ? "the trial uses no GPU"
               : evidence.gpus.size() < 2 ? "the trial uses one GPU"
                                          : "";
    }
    return {};
}

void complete(Finding &finding, const Rule &rule, const AttemptEvidence &evidence)
{
    finding.rule = rule.name;
    if (!finding.hasOwnSeverity)
        finding.severity = rule.severity;
    finding.trial = evidence.trial;
    finding.attempt = evidence.attempt;
    finding.thresholdSource = rule.thresholdSource;
    finding.hint = rule.hint;
}

}  // namespace

Outcome Outcome::found(std::vector<Finding> findings)
{
    Outcome outcome;
    outcome.m_findings = std::move(findings);
    return outcome;
}

Outcome Outcome::found(Finding finding)
{
    Outcome outcome;
    outcome.m_findings.push_back(std::move(finding));
    return outcome;
}

Outcome Outcome::notEnoughData(std::string missing)
{
    Outcome outcome;
    outcome.m_missing = std::move(missing);
    return outcome;
}

std::string titleOf(const std::string &rule)
{
    const auto found = std::ranges::find(table, rule, [](const Rule &one) { return std::string(one.name); });
    return found != table.end() ? found->title : rule;
}

std::span<const Rule> rules()
{
    return table;
}

Report diagnose(const AttemptEvidence &evidence)
{
    return diagnose(evidence, rules());
}

Report diagnose(const AttemptEvidence &evidence, std::span<const Rule> rules)
{
    Report report;
    report.trial = evidence.trial;
    report.attempt = evidence.attempt;
    for (const Rule &rule : rules) {
        if (std::string reason = inapplicable(rule.needs, evidence); !reason.empty()) {
            report.results.push_back({rule.name, Verdict::NotApplicable, std::move(reason)});
            continue;
        }
        const Outcome outcome = rule.examine(evidence);
        const Verdict verdict = !outcome.findings().empty()  ? Verdict::Found
                                : !outcome.missing().empty() ? Verdict::NotEnoughData
                                                             : Verdict::Clear;
        report.results.push_back({rule.name, verdict, outcome.missing()});
        for (Finding finding : outcome.findings()) {
            complete(finding, rule, evidence);
            report.findings.push_back(std::move(finding));
        }
    }
    std::stable_sort(report.findings.begin(), report.findings.end(),
                     [](const Finding &a, const Finding &b) { return a.severity > b.severity; });
    return report;
}

}  // namespace sweepscope::diagnosis
