#include "exporting/sweepexport.h"

#include "base/agentfolders.h"
#include "exporting/csv.h"
#include "exporting/feedcurves.h"
#include "exporting/outputfile.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::exporting {

namespace {

/// Marks a device of a simulated driver (core/device/reading.h).
constexpr std::string_view simulatedSeries = "simulated";

/// "GPU-….power" is the power of "GPU-…".
struct SeriesName {
    std::string_view owner;
    std::string_view series;
};

SeriesName split(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? SeriesName{{}, name} : SeriesName{name.substr(0, dot), name.substr(dot + 1)};
}

class DevicesTable {
public:
    DevicesTable(std::ostream &out, const std::string &sweepName) : m_csv(out), m_sweepName(sweepName)
    {
        for (const char *name : {"sweep", "trial", "attempt", "rank", "device", "series", "time", "value", "simulated"})
            m_csv.field(name);
        m_csv.endRow();
    }

    void device(const std::string &machine, const SeriesName &name, const feed::Point &point, bool simulated)
    {
        m_csv.field(m_sweepName);
        for (int i = 0; i < 3; ++i)
            m_csv.emptyField();
        m_csv.field(sweep::deviceOn(machine, std::string(name.owner)));
        end(name, point, simulated);
    }

    void rank(int trial, int attempt, const SeriesName &name, const feed::Point &point)
    {
        m_csv.field(m_sweepName);
        m_csv.field(std::int64_t{trial});
        m_csv.field(std::int64_t{attempt});
        m_csv.field(name.owner.substr(std::min(name.owner.size(), std::string_view("rank").size())));
        m_csv.emptyField();
        end(name, point, false);
    }

private:
    void end(const SeriesName &name, const feed::Point &point, bool simulated)
    {
        m_csv.field(name.series);
        m_csv.field(toIso8601(point.timeNs));
        m_csv.field(point.value);
        m_csv.field(simulated ? "true" : "false");
        m_csv.endRow();
    }

    CsvWriter m_csv;
    const std::string &m_sweepName;
};

/// A feed, point by point; what is wrong with it is added to `damage`. False: stopped.
template <typename Sink>
bool readFeed(const std::filesystem::path &file, const Progress &progress, std::string &damage, const Sink &sink)
{
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return true;
    FeedCurves curves(file, {});
    const auto shouldContinue = [&progress](double share) { return !progress || progress(share); };
    const bool wentOn =
        curves.scan(shouldContinue)
        && curves.read([&](const FeedCurves::Curve &curve, const feed::Point &point) { sink(curves, curve, point); },
                       shouldContinue);
    if (!curves.damage().empty())
        damage += (damage.empty() ? "" : "; ") + curves.damage();
    return wentOn;
}

/// Machines on which its trials ran, that of the engine (empty) included.
std::set<std::string> machinesOf(const std::vector<sweep::TrialRecord> &trials)
{
    std::set<std::string> machines{std::string()};
    for (const sweep::TrialRecord &trial : trials) {
        for (const std::string &device : trial.devices) {
            if (!sweep::isJobDevice(device))
                machines.insert(sweep::machineOf(device));
        }
    }
    return machines;
}

bool readDevices(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep, const std::string &machine,
                 DevicesTable &table, const Progress &progress, std::string &damage)
{
    const std::int64_t end = sweep.ended.value_or(std::numeric_limits<std::int64_t>::max());
    std::set<std::string, std::less<>> simulated;
    bool isFirst = true;
    return readFeed(workspace.devicesFeed(machine), progress, damage,
                    [&](const FeedCurves &curves, const FeedCurves::Curve &curve, const feed::Point &point) {
                        if (std::exchange(isFirst, false)) {
                            for (const FeedCurves::Curve &any : curves.curves()) {
                                if (split(any.name).series == simulatedSeries)
                                    simulated.emplace(split(any.name).owner);
                            }
                        }
                        const SeriesName name = split(curve.name);
                        if (point.timeNs >= sweep.created && point.timeNs <= end && name.series != simulatedSeries)
                            table.device(machine, name, point, simulated.find(name.owner) != simulated.end());
                    });
}

bool readRanks(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
               DevicesTable &table, const Progress &progress, std::string &damage)
{
    for (int attempt = 1; attempt <= trial.attempts; ++attempt) {
        const auto sink = [&](const FeedCurves &, const FeedCurves::Curve &curve, const feed::Point &point) {
            table.rank(trial.number, attempt, split(curve.name), point);
        };
        for (const AttemptLayout &agent : agentFolders(workspace.attempt(sweep.folder, trial.number, attempt))) {
            if (!readFeed(agent.hostFeed(), progress, damage, sink))
                return false;
        }
    }
    return true;
}

}  // namespace

Expected<void> exportDevices(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                             const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                             const Progress &progress)
{
    auto output = OutputFile::create(file);
    if (!output)
        return tl::unexpected(output.error());
    DevicesTable table(output->stream(), sweep.name);
    const std::set<std::string> machines = machinesOf(trials);
    const auto parts = static_cast<double>(trials.size() + machines.size());
    std::string damage;
    const auto partOf = [&](std::size_t part) -> Progress {
        return [&progress, parts, part](double share) {
            return !progress || progress((static_cast<double>(part) + share) / parts);
        };
    };
    bool wentOn = true;
    std::size_t part = 0;
    for (auto machine = machines.begin(); wentOn && machine != machines.end(); ++machine)
        wentOn = readDevices(workspace, sweep, *machine, table, partOf(part++), damage);
    for (std::size_t i = 0; wentOn && i < trials.size(); ++i)
        wentOn = readRanks(workspace, sweep, trials[i], table, partOf(part++), damage);
    if (!wentOn)
        return makeError(ErrorCode::Unavailable, "the export was canceled; " + file.string() + " was not written");
    return finish(*output, file, damage, progress);
}

}  // namespace sweepscope::exporting
