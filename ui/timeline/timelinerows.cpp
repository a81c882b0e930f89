#include "ui/timeline/timelinerows.h"

#include "sweep/deviceplace.h"
#include "ui/models/devicenames.h"
#include "ui/models/devicewords.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace sweepscope::ui {

namespace {

struct Attempts {
    std::vector<TimelineBar> bars;
    std::vector<TimelineBar> breaks;
};
using ByDevice = std::map<std::string, Attempts>;

/// Slurm chooses the devices of each job, so all jobs of a cluster have the same rows.
std::set<std::string> rowsOf(const std::vector<std::string> &ids)
{
    std::set<std::string> rows;
    for (const std::string &id : ids)
        rows.insert(sweep::isJobDevice(id) ? sweep::jobDevice(0, sweep::machineOf(id)) : id);
    return rows;
}

void add(ByDevice &devices, const std::vector<std::string> &ids, const TimelineBar &bar)
{
    for (const std::string &row : rowsOf(ids)) {
        Attempts &attempts = devices[row];
        (bar.kind == TimelineBar::Kind::Break ? attempts.breaks : attempts.bars).push_back(bar);
    }
    if (ids.empty() && bar.kind != TimelineBar::Kind::Break)
        devices[{}].bars.push_back(bar);
}

/// Returns what is known of one attempt from any source.
std::optional<AttemptSpan> spanOf(const sweep::TrialRecord &trial, int attempt, const AttemptSpans &spans)
{
    const auto known = spans.find({trial.number, attempt});
    const bool isPresent = attempt == trial.attempts && sweep::isUnderWay(trial.state);
    if (known != spans.end() && (!isPresent || !trial.attemptStarted)) {
        AttemptSpan span = known->second;
        if (span.devices.empty())
            span.devices = trial.devices;
        if (isPresent)
            span.to.reset();  // files of a running attempt do not say so
        return span;
    }
    const std::optional<WallNs> from = trial.attempts == 1 ? trial.started : trial.attemptStarted;
    if (attempt < trial.attempts || !from)
        return std::nullopt;
    AttemptSpan span{*from, std::nullopt, trial.state, trial.devices};
    if (known != spans.end())
        span.queued = known->second.queued;
    if (sweep::isFinal(trial.state))
        span.to = std::max(*from, trial.ended.value_or(*from));
    else if (!sweep::isUnderWay(trial.state))
        return std::nullopt;  // its files contain the end
    return span;
}

sweep::TrialState stateOf(const sweep::TrialRecord &trial, int attempt, const AttemptSpan &span)
{
    if (attempt == trial.attempts && (sweep::isFinal(trial.state) || !span.to))
        return trial.state;
    return span.to ? span.state : sweep::TrialState::Lost;  // a later attempt has started
}

void addTrial(ByDevice &devices, const sweep::TrialRecord &trial, const AttemptSpans &spans, WallNs end,
              Timeline &timeline)
{
    std::optional<AttemptSpan> before;
    for (int attempt = 1; attempt <= trial.attempts; ++attempt) {
        const std::optional<AttemptSpan> span = spanOf(trial, attempt, spans);
        if (!span)
            continue;
        if (span->queued) {
            const bool waits = span->from == 0 && attempt == trial.attempts && sweep::isUnderWay(trial.state);
            const WallNs until = span->from != 0 ? span->from : waits ? end : span->to.value_or(*span->queued);
            const TimelineBar queue{trial.number,
                                    attempt,
                                    TimelineBar::Kind::Queue,
                                    sweep::TrialState::Starting,
                                    *span->queued,
                                    std::max(until, *span->queued),
                                    waits};
            add(devices, span->devices, queue);
            timeline.from = timeline.from == 0 ? queue.from : std::min(timeline.from, queue.from);
            timeline.to = std::max(timeline.to, queue.to);
        }
        if (span->from == 0)
            continue;
        TimelineBar bar{trial.number,
                        attempt,
                        TimelineBar::Kind::Attempt,
                        stateOf(trial, attempt, *span),
                        span->from,
                        span->to.value_or(std::max(end, span->from)),
                        !span->to};
        if (before && before->to)
            add(devices, span->devices,
                {trial.number, attempt, TimelineBar::Kind::Break,
                 before->state == sweep::TrialState::Paused ? before->state : sweep::TrialState::Queued, *before->to,
                 span->from, false});
        add(devices, span->devices, bar);
        ++timeline.attempts;
        timeline.from = timeline.from == 0 ? bar.from : std::min(timeline.from, bar.from);
        timeline.to = std::max(timeline.to, bar.to);
        before = span;
    }
    if (before && before->to && !sweep::isFinal(trial.state) && !sweep::isUnderWay(trial.state))
        add(devices, before->devices,
            {trial.number, trial.attempts, TimelineBar::Kind::Break, trial.state, *before->to,
             std::max(end, *before->to), true});
}

/// Assigns bars greedily in order of time: uses as many lanes as there are concurrent attempts.
std::vector<std::vector<TimelineBar>> lanesOf(std::vector<TimelineBar> bars)
{
    std::sort(bars.begin(), bars.end(), [](const TimelineBar &a, const TimelineBar &b) {
        return std::tie(a.from, a.trial) < std::tie(b.from, b.trial);
    });
    std::vector<std::vector<TimelineBar>> lanes;
    for (const TimelineBar &bar : bars) {
        const auto free =
            std::find_if(lanes.begin(), lanes.end(), [&bar](const auto &lane) { return lane.back().to <= bar.from; });
        if (free != lanes.end())
            free->push_back(bar);
        else
            lanes.push_back({bar});
    }
    return lanes;
}

using Spans = std::vector<std::pair<WallNs, WallNs>>;

Spans spansOf(const std::vector<std::vector<TimelineBar>> &lanes)
{
    Spans spans;
    for (const auto &lane : lanes) {
        for (const TimelineBar &bar : lane) {
            if (bar.kind == TimelineBar::Kind::Attempt)
                spans.emplace_back(bar.from, bar.to);
        }
    }
    return spans;
}

/// Returns the time that is covered by at least one of them.
WallNs coveredBy(Spans spans)
{
    std::sort(spans.begin(), spans.end());
    WallNs covered = 0;
    WallNs until = 0;
    for (const auto &[from, to] : spans) {
        covered += std::max<WallNs>(0, to - std::max(from, until));
        until = std::max(until, to);
    }
    return covered;
}

struct Place {
    QString title;
    std::string machine{};  ///< empty: that of the engine
    int group = 2;          ///< GPUs, cores, devices that no longer exist
    int index = 0;
};

Place placeOf(const std::string &id, const std::vector<protocol::DeviceStatus> &known)
{
    const std::string machine = sweep::machineOf(id);
    if (sweep::isJobDevice(id))
        return {jobsOn(machine), machine, 0, 0};
    if (const std::optional<int> core = coreNumber(id))
        return {deviceNameOrId(id, known), machine, 1, *core};
    for (const protocol::DeviceStatus &device : known) {
        if (device.id == QLatin1String(id))
            return {nameOnMachine(machine, deviceTitle(device)), machine, 0, device.index};
    }
    return {id.empty() ? QStringLiteral("–") : deviceNameOrId(id, known), machine, 2, 0};
}

/// If trials use GPUs of a machine, its unused ones are shown as idle. Cores are too many for that.
void addIdleGpus(ByDevice &devices, const std::vector<protocol::DeviceStatus> &known)
{
    std::set<std::string> machines;
    for (const protocol::DeviceStatus &device : known) {
        if (device.gpu && devices.contains(device.id.toStdString()))
            machines.insert(sweep::machineOf(device.id.toStdString()));
    }
    for (const protocol::DeviceStatus &device : known) {
        const std::string id = device.id.toStdString();
        if (device.gpu && device.offered && machines.contains(sweep::machineOf(id)))
            devices.try_emplace(id);
    }
}

}  // namespace

void addUses(qint64 sweepId, const std::vector<sweep::TrialRecord> &trials, WallNs from, WallNs to,
             std::vector<OtherUse> &uses)
{
    for (const sweep::TrialRecord &trial : trials) {
        const std::optional<WallNs> begin = trial.attempts == 1 ? trial.started : trial.attemptStarted;
        const bool isUnderWay = sweep::isUnderWay(trial.state);
        if (!begin || trial.devices.empty() || (!isUnderWay && !trial.ended))
            continue;
        const WallNs end = isUnderWay ? to : *trial.ended;
        if (*begin < to && end > from)
            uses.push_back({sweepId, std::max(*begin, from), std::min(end, to), trial.devices});
    }
}

Timeline makeTimeline(const std::vector<sweep::TrialRecord> &trials, const AttemptSpans &spans,
                      const std::vector<protocol::DeviceStatus> &known, WallNs to, const std::vector<OtherUse> &others)
{
    Timeline timeline;
    ByDevice devices;
    for (const sweep::TrialRecord &trial : trials)
        addTrial(devices, trial, spans, to, timeline);
    timeline.to = std::max(timeline.to, std::min(to, timeline.from == 0 ? to : std::max(to, timeline.from)));
    if (timeline.from == 0)
        timeline.from = timeline.to;  // nothing has started: show the present rather than 1970
    addIdleGpus(devices, known);
    std::vector<std::pair<Place, std::string>> order;
    for (const auto &[id, attempts] : devices)
        order.emplace_back(placeOf(id, known), id);
    std::stable_sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
        return std::tie(a.first.machine, a.first.group, a.first.index)
               < std::tie(b.first.machine, b.first.group, b.first.index);
    });
    const auto whole = static_cast<double>(std::max<WallNs>(1, timeline.to - timeline.from));
    for (const auto &[place, id] : order) {
        Attempts &attempts = devices[id];
        const auto lanes = lanesOf(std::move(attempts.bars));
        Spans covered = spansOf(lanes);
        const WallNs own = coveredBy(covered);
        std::vector<OtherUse> uses;
        for (const OtherUse &use : others) {
            if (use.from >= timeline.to || use.to <= timeline.from || !rowsOf(use.devices).contains(id))
                continue;
            uses.push_back(use);
            covered.emplace_back(std::max(use.from, timeline.from), std::min(use.to, timeline.to));
        }
        std::sort(uses.begin(), uses.end(), [](const OtherUse &a, const OtherUse &b) { return a.from < b.from; });
        const double busy = static_cast<double>(own) / whole;
        timeline.busy += busy / static_cast<double>(order.size());
        timeline.other +=
            static_cast<double>(coveredBy(std::move(covered)) - own) / whole / static_cast<double>(order.size());
        const std::size_t first = timeline.rows.size();
        for (std::size_t lane = 0; lane < std::max<std::size_t>(1, lanes.size()); ++lane) {
            timeline.rows.push_back({id,
                                     lane == 0 ? place.title : QString(),
                                     lane < lanes.size() ? lanes[lane] : std::vector<TimelineBar>(),
                                     {},
                                     {},
                                     busy});
        }
        timeline.rows[first].others = std::move(uses);
        if (lanes.empty())
            continue;
        std::sort(attempts.breaks.begin(), attempts.breaks.end(),
                  [](const TimelineBar &a, const TimelineBar &b) { return a.from < b.from; });
        timeline.rows[first].breaks = std::move(attempts.breaks);
    }
    return timeline;
}

const TimelineBar *barAt(const TimelineRow &row, WallNs time, WallNs tolerance)
{
    const auto after = std::upper_bound(row.bars.begin(), row.bars.end(), time,
                                        [](WallNs at, const TimelineBar &bar) { return at < bar.from; });
    const TimelineBar *nearest = nullptr;
    WallNs best = tolerance;
    if (after != row.bars.begin()) {
        const TimelineBar &before = *std::prev(after);
        if (time <= before.to)
            return &before;
        if (time - before.to <= best) {
            best = time - before.to;
            nearest = &before;
        }
    }
    if (after != row.bars.end() && after->from - time <= best)
        nearest = &*after;
    return nearest;
}

}  // namespace sweepscope::ui
