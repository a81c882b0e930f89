#include "diagnosis/rule.h"

#include "diagnosis/examinations.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sweepscope::diagnosis {

namespace {

// docs/diagnosis.md says the same at more length.
constexpr std::array table{
    Rule{"not-finite", Severity::Problem, "Lightning check_finite, TORCH_NCCL_NAN_CHECK: none is right",
         "lower the learning rate or warm it up, clip gradients, look at the batch of that step", examineNotFinite},
    Rule{"diverged-replicas", Severity::Problem,
         "Megatron-LM's check of weight hashes across replicas: equal bit by bit",
         "something changes weights outside of DDP: wrap the model before the optimiser is made, initialise on all "
         "ranks alike, synchronise buffers",
         examineReplicas},
    Rule{"hang", Severity::Problem, "5 times the longest time between two reports, as NVIDIA's resiliency extension",
         "look at the rank that is named and its log; ranks that call collectives in another order wait for ever",
         examineHang},
    Rule{"same-samples", Severity::Problem, "DistributedSampler: no sample is on two ranks",
         "give every rank its own part: DistributedSampler, with rank and world size from the environment",
         examineSameSamples},
    Rule{"same-order", Severity::Warning, "DistributedSampler: the order depends on the epoch",
         "call sampler.set_epoch(epoch) at the start of every epoch", examineSameOrder},
    Rule{"power-brake", Severity::Problem, "NVML's clock event reasons 0x8 and 0x80; alarms in DCGM",
         "the server's power supply or cooling brakes the GPU: tell who runs the machine", examinePowerBrake},
    Rule{"thermal-throttle", Severity::Warning, "NVML's clock event reasons 0x20 and 0x40",
         "look at fans, dust and the room; a lower power limit costs less speed than heat does",
         examineThermalThrottle},
    Rule{"foreign-process", Severity::Warning, "none may be there",
         "sweepctl devices says whose it is; exclude the GPU or have the process ended", examineForeignProcess},
    Rule{"straggler", Severity::Warning,
         "between MegaScale's slow machines (10 %) and the 0.75 of NVIDIA's resiliency extension (33 %)",
         "compare the rank's GPU clocks, CPU cores and data with the others'; other programs on its cores slow it down",
         examineStraggler},
    Rule{"clock-mismatch", Severity::Warning, "10 %, as MegaScale's slow machines; Meta's gcm checks clocks too",
         "look at the GPU's throttle reasons, power limit and application clocks (nvidia-smi -q -d CLOCK,PERFORMANCE)",
         examineClockMismatch},
    Rule{"data-wait", Severity::Warning, "twice the 5 % from which PyTorch's profiler advises",
         "more loader_threads (or num_workers), cheaper transforms, data on a faster disk", examineDataWait},
    Rule{"loss-spike", Severity::Warning,
         "Lightning's SpikeDetection (twice the running level), above 10 standard deviations, 3 steps long",
         "lower the learning rate, warm it up, clip gradients, or go back to the checkpoint before it",
         examineLossSpike},
    Rule{"pcie-link", Severity::Warning, "the link's own maximum, under load",
         "reseat the board or riser, look at the slot's lanes and at the BIOS", examinePcieLink},
    Rule{"hollow-gpu", Severity::Note,
         "KempnerPulse: busy, and SM activity below 25 %; DCGM: below 50 % is ineffective",
         "larger batches, fused or compiled kernels, fewer synchronisations with the host", examineHollowGpu},
    Rule{"low-utilization", Severity::Note, "PyTorch's profiler advises below 50 %",
         "there is room for a larger batch size, or for several trials on one GPU", examineLowUtilization},
    Rule{"memory-limit", Severity::Note, "95 %: no tool publishes a threshold",
         "a longer sequence or a fragmented cache ends it: a smaller batch, checkpointed activations, bf16",
         examineMemoryLimit},
    Rule{"monitor-cost", Severity::Note, "5 times what monitoring of 8 GPUs should take (1 % of a core)",
         "tell us which driver and GPUs: sweepctl devices --json shows the slowest call", examineMonitorCost},
};

void complete(Finding &finding, const Rule &rule, const AttemptEvidence &evidence)
{
    finding.rule = rule.name;
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
