#include "memorytext.h"

#include "sweepwords.h"

#include "device/device.h"
#include "diagnosis/batchprobe.h"
#include "sweep/sweepfile.h"
#include "wording/memorysentence.h"
#include "wording/sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace sweepscope::ctl {

namespace {

using schedule::MemoryEstimate;

/// "16 and 64"
std::string listed(const std::vector<std::int64_t> &numbers)
{
    std::string list;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        list += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i]);
    return list;
}

std::string row(const std::array<std::string, 6> &cells)
{
    std::array<char, 512> text{};
    std::snprintf(text.data(), text.size(), "  %-36s %10s %10s %10s %11s  %s\n", cells[0].c_str(), cells[1].c_str(),
                  cells[2].c_str(), cells[3].c_str(), cells[4].c_str(), cells[5].c_str());
    return text.data();
}

std::string rowOf(const MemoryEstimate &estimate)
{
    const std::string layout =
        wording::parallelLayout(estimate.verdict) + (estimate.layout.isChosen ? " (this sweep)" : "");
    const std::string verdict = wording::memoryVerdict(estimate.verdict);
    if (estimate.verdict.code == facts::Code::ModelUnsplit)
        return row({layout, "-", "-", "-", "-", verdict});
    return row({layout, device::inBytes(estimate.largest.parameters), device::inBytes(estimate.largest.gradients),
                device::inBytes(estimate.largest.optimizer), device::inBytes(estimate.largest.activations), verdict});
}

/// A probe of the same model and data whose layout may differ.
bool isComparable(const sweep::SweepSpec &probe, const sweep::SweepSpec &spec)
{
    static const std::array<std::string, 8> free{"parallel",  "stages", "micro_batches", "batch_size",
                                                 "bucket_mb", "epochs", "max_steps",     "early_stop"};
    const auto bound = [](const sweep::SweepSpec &of) {
        std::map<std::string, sweep::ParameterValue> settings = of.run.settings;
        for (const std::string &name : free)
            settings.erase(name);
        return settings;
    };
    return probe.probe && probe.run.worker == sweep::WorkerKind::Builtin && bound(probe) == bound(spec);
}

struct MeasuredLayout {
    std::string sentence;
    double samplesPerSecond = 0;
};

}  // namespace

std::string memoryInWords(const schedule::MemoryPlan &plan)
{
    const std::string point = parametersInWords(plan.point);
    std::string text = "Memory of the largest trial" + (point.empty() ? "" : " (" + point + ")")
                       + ", per device, measured on the CPU with batches of " + listed(plan.profile.measuredSizes)
                       + " samples:\n";
    text += row({"", "parameters", "gradients", "optimizer", "activations", ""});
    for (const MemoryEstimate &estimate : plan.estimates)
        text += rowOf(estimate);
    return text;
}

Json memoryJson(const schedule::MemoryPlan &plan)
{
    Json point = Json::object();
    for (const auto &[name, value] : plan.point)
        std::visit([&point, &key = name](const auto &plain) { point[key] = plain; }, value);
    Json layouts = Json::array();
    for (const MemoryEstimate &estimate : plan.estimates) {
        const auto limit = estimate.verdict.integer(facts::Field::Limit);
        const bool isUsable = estimate.verdict.code != facts::Code::ModelUnsplit;
        const auto bytes = [&](std::uint64_t count) { return isUsable ? Json(count) : Json(nullptr); };
        layouts.push_back(
            {{"parallel", estimate.layout.parallel},
             {"ranks", estimate.layout.ranks},
             {"devices_per_rank", estimate.layout.devices},
             {"chosen", estimate.layout.isChosen},
             {"fits", estimate.verdict.code == facts::Code::MemoryFits},
             {"device", isUsable ? Json(estimate.verdict.text(facts::Field::Device)) : Json(nullptr)},
             {"available_bytes", isUsable ? Json(*estimate.verdict.integer(facts::Field::Bytes)) : Json(nullptr)},
             {"needed_bytes", bytes(estimate.needed)},
             {"parameter_bytes", bytes(estimate.largest.parameters)},
             {"gradient_bytes", bytes(estimate.largest.gradients)},
             {"optimizer_bytes", bytes(estimate.largest.optimizer)},
             {"activation_bytes", bytes(estimate.largest.activations)},
             {"largest_batch_size", isUsable && limit ? Json(*limit) : Json(nullptr)},
             {"sentence", wording::clause(estimate.verdict)}});
    }
    return {{"parameters", std::move(point)},
            {"measured_batch_sizes", plan.profile.measuredSizes},
            {"layouts", std::move(layouts)}};
}

std::string fastestInWords(const StoredSweeps *stored, const sweep::SweepSpec &spec)
{
    std::map<std::string, MeasuredLayout> measured;  // by layout; the last probe of each counts
    if (stored != nullptr) {
        diagnosis::DeviceHistories devices(stored->workspace());
        for (const sweep::SweepRecord &record : stored->sweeps()) {
            const sweep::SweepSpec probe = sweep::parseSweep(record.toml).spec;
            const auto trials =
                isComparable(probe, spec) ? stored->trials(record.id) : Expected<std::vector<sweep::TrialRecord>>();
            if (!trials || trials->empty())
                continue;
            const diagnosis::BatchProbe result =
                diagnosis::readBatchProbe(stored->workspace(), record, probe, *trials, devices, wallNow());
            const auto fastest =
                std::ranges::max_element(result.measurements, {}, [](const diagnosis::BatchMeasurement &measurement) {
                    return measurement.samplesPerSecond.value_or(0);
                });
            if (fastest == result.measurements.end() || !fastest->samplesPerSecond)
                continue;
            const schedule::ParallelLayout layout = schedule::layoutsOf(probe, {}).front();
            const std::string name = layout.parallel + ", " + std::to_string(layout.ranks)
                                     + (layout.ranks == 1 ? " rank" : " ranks")
                                     + (layout.devices > 1 ? " of " + std::to_string(layout.devices) + " devices" : "");
            measured[name] = {name + ": " + numberInWords(*fastest->samplesPerSecond) + " samples/s at "
                                  + result.parameter + " " + numberInWords(fastest->value) + " (probe " + record.folder
                                  + ")",
                              *fastest->samplesPerSecond};
        }
    }
    if (measured.empty())
        return "Speed: not measured; sweepctl probe measures a layout\n";
    std::string text;
    for (const auto &[name, layout] : measured)
        text += (text.empty() ? "Speed: " : "       ") + layout.sentence + '\n';
    if (measured.size() > 1) {
        const auto fastest =
            std::ranges::max_element(measured, {}, [](const auto &entry) { return entry.second.samplesPerSecond; });
        text += "       Fastest of these: " + fastest->first + '\n';
    }
    return text;
}

}  // namespace sweepscope::ctl
