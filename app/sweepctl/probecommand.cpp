#include "argumentchecks.h"
#include "exitcode.h"
#include "jsonvalues.h"
#include "storedsweeps.h"
#include "subcommand.h"
#include "sweepinput.h"
#include "sweeplaunch.h"
#include "sweepselection.h"
#include "workspaceoption.h"

#include "diagnosis/batchprobe.h"
#include "protocol/engineclient.h"
#include "sweep/duration.h"
#include "sweep/keytext.h"
#include "sweep/probe.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

using diagnosis::BatchMeasurement;
using diagnosis::BatchProbe;

struct ProbeOptions {
    std::string what;
    std::string workspace;
    std::string measure;
    sweep::ProbeRequest request;
    bool json = false;
};

std::string formatted(const char *format, const std::optional<double> &value, double unit = 1)
{
    if (!value)
        return "-";
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), format, *value / unit);
    return text.data();
}

std::string stateOf(const BatchMeasurement &measurement)
{
    return measurement.outOfMemory ? "out of memory" : sweep::toString(measurement.state);
}

void print(const BatchProbe &probe)
{
    constexpr double mebibyte = 1024.0 * 1024.0;
    double peak = 0;
    for (const BatchMeasurement &measurement : probe.measurements)
        peak = std::max(peak, measurement.samplesPerSecond.value_or(0));
    std::printf("%-12s %-13s %14s %8s %14s %14s\n", probe.parameter.c_str(), "state", "samples/s", "of peak",
                probe.onGpus ? "GPU busy" : "CPU per rank", probe.onGpus ? "GPU memory" : "memory");
    std::string remark;
    std::string untried;
    for (const BatchMeasurement &measurement : probe.measurements) {
        if (measurement.state == sweep::TrialState::Stopped && !measurement.outOfMemory) {
            untried += (untried.empty() ? "" : ", ") + formatted("%.0f", measurement.value);
            continue;
        }
        const std::string value = formatted("%.0f", measurement.value);
        std::string memory = formatted("%.0f MiB", measurement.memory, mebibyte);
        if (measurement.memory && measurement.memoryTotal && *measurement.memoryTotal > 0)
            memory += formatted(" (%.0f%%)", 100 * *measurement.memory / *measurement.memoryTotal);
        std::printf("%-12s %-13s %14s %8s %14s %14s%s\n", value.c_str(), stateOf(measurement).c_str(),
                    formatted("%.1f", measurement.samplesPerSecond).c_str(),
                    formatted("%.0f%%", measurement.samplesPerSecond, peak / 100).c_str(),
                    formatted("%.0f%%", measurement.utilization).c_str(), memory.c_str(),
                    probe.knee == measurement.value ? "  <- suggested" : "");
        if (measurement.state == sweep::TrialState::Completed && !measurement.remark.empty())
            remark = measurement.remark;
        else if (measurement.state == sweep::TrialState::Failed || measurement.state == sweep::TrialState::Lost)
            std::printf("    %s\n", measurement.remark.c_str());
    }
    if (!untried.empty())
        std::printf("not tried: %s\n", untried.c_str());
    if (!remark.empty())
        std::printf("samples/s: %s\n", remark.c_str());
    if (probe.simulated)
        std::printf("The GPUs are simulated.\n");
    std::printf("%s\n", probe.sentence.c_str());
    std::fflush(stdout);
}

void printJson(const BatchProbe &probe)
{
    Json measurements = Json::array();
    for (const BatchMeasurement &measurement : probe.measurements)
        measurements.push_back({{"trial", measurement.trial},
                                {"value", measurement.value},
                                {"state", stateOf(measurement)},
                                {"samples_per_second", orNull(measurement.samplesPerSecond)},
                                {"utilization_percent", orNull(measurement.utilization)},
                                {"memory_bytes", orNull(measurement.memory)},
                                {"memory_total_bytes", orNull(measurement.memoryTotal)},
                                {"remark", measurement.remark}});
    const Json json{{"parameter", probe.parameter},
                    {"on_gpus", probe.onGpus},
                    {"simulated", probe.simulated},
                    {"measurements", std::move(measurements)},
                    {"suggested", orNull(probe.knee)},
                    {"fastest", orNull(probe.fastest)},
                    {"upper_bound", orNull(probe.upperBound)},
                    {"sentence", probe.sentence}};
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

/// Prints the measurements so far.
int printMeasurements(const ProbeOptions &options, const std::string &words)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(options.workspace);
    if (!stored) {
        std::cerr << stored.error().message << '\n';
        return noEngine;
    }
    const Expected<const sweep::SweepRecord *> sweep = selectSweep(stored->sweeps(), words, Wanted::Any);
    const auto trials = sweep ? stored->trials((*sweep)->id)
                              : Expected<std::vector<sweep::TrialRecord>>(tl::unexpected<Error>(sweep.error()));
    if (!trials) {
        std::cerr << trials.error().message << '\n';
        return badInput;
    }
    const sweep::SweepSpec spec = sweep::parseSweep((*sweep)->toml).spec;
    if (!spec.probe) {
        std::cerr << "the sweep " << (*sweep)->folder << " is not a probe; start one with sweepctl probe FILE\n";
        return badInput;
    }
    diagnosis::DeviceHistories devices(stored->workspace());
    const BatchProbe probe = diagnosis::readBatchProbe(stored->workspace(), **sweep, spec, *trials, devices, wallNow());
    if (options.json)
        printJson(probe);
    else
        print(probe);
    return probe.knee ? good : trialsFailed;
}

int runProbe(const ProbeOptions &options)
{
    const std::optional<SweepInput> input = readSweepInput(
        options.what, [&](sweep::SweepSpec spec) { return sweep::probeOf(std::move(spec), options.request); });
    if (!input)
        return badInput;
    protocol::EngineClient client;
    const Launch launched = launch(client, options.workspace, *input, options.what);
    int exitCode = launched.exitCode;
    if (exitCode != good || !waitForEnd(client, launched.sweepId, input->spec.devices.concurrent, exitCode))
        return exitCode;
    std::cout << std::endl;
    return printMeasurements(options, std::to_string(launched.sweepId));
}

int probe(ProbeOptions options)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(options.what, error))
        return printMeasurements(options, options.what);
    if (!options.measure.empty()) {
        const sweep::Key &key = *sweep::findKey("probe.measure");
        const auto measure = sweep::parseDuration(options.measure);
        const std::string problem = measure ? sweep::checkValue(key, *measure)
                                            : "must be " + sweep::expectation(key) + ", not '" + options.measure + "'";
        if (!problem.empty()) {
            std::cerr << "--measure " << problem << '\n';
            return badInput;
        }
        options.request.measure = *measure;
    }
    return runProbe(options);
}

}  // namespace

Subcommand makeProbeCommand(CLI::App &app)
{
    auto options = std::make_shared<ProbeOptions>();
    CLI::App *command = app.add_subcommand(
        "probe", "Find a good batch size: train briefly at each size, smallest first, until memory runs "
                 "out");
    command->add_option("FILE|SWEEP", options->what, "Sweep file to probe, or an earlier probe")
        ->required()
        ->type_name("");
    command->add_option("--parameter", options->request.parameter, "Name of the batch size parameter")
        ->type_name("NAME")
        ->capture_default_str();
    command->add_option("--values", options->request.values, "Sizes to try (default: 8,16,…,65536)")
        ->type_name("N,N,…")
        ->delimiter(',')
        ->check(atLeast(1));
    command->add_option("--measure", options->measure, "Time to measure each size (default: 20s)")->type_name("TIME");
    command->add_flag("--json", options->json, "Print JSON; unknown values are null");
    addWorkspaceOption(*command, options->workspace);
    command->footer("All other parameters have their first value. The suggestion is the smallest size that "
                    "reaches 90% of the highest\n"
                    "throughput; the first size that runs out of memory is the upper bound. A probe is a "
                    "sweep, and the window shows its\n"
                    "curves. Exit code 3: nothing was measured.\n"
                    "\n"
                    "Examples:\n"
                    "  sweepctl probe digits-mlp.toml --measure 5s\n"
                    "  sweepctl probe train.toml --values 16,32,64,128\n"
                    "  sweepctl probe digits-mlp-probe --json");
    return {command, [options] { return probe(*options); }};
}

}  // namespace sweepscope::ctl
