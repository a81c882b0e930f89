#include "diagnosis/attemptfiles.h"

#include "base/agentfolders.h"
#include "base/thincopy.h"
#include "wording/sentence.h"

#include "base/files.h"
#include "diagnosis/rule.h"
#include "launch/attemptevents.h"
#include "launch/launchspec.h"
#include "launch/linktestfile.h"
#include "launch/printedoutput.h"
#include "process/processstat.h"
#include "sweep/deviceplace.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"

#include <algorithm>
#include <iterator>

namespace sweepscope::diagnosis {

namespace {

using launch::AttemptEvent;
using launch::AttemptEventKind;

constexpr std::size_t mostOutputBytes = 128 * 1024;
constexpr std::uint64_t mostLinkTestBytes = 16 << 20;

using Agents = std::vector<launch::LaunchSpec>;

/// When the attempt began and, if it has, ended.
struct Span {
    std::optional<WallNs> begin;
    std::optional<WallNs> end;
};

Span spanOf(const std::vector<AttemptEvent> &events)
{
    Span span;
    for (const AttemptEvent &event : events) {
        if (!span.begin)
            span.begin = event.time;
        if (event.kind == AttemptEventKind::Ended)
            span.end = event.time;
    }
    return span;
}

std::optional<HangEnd> hangIn(const std::vector<AttemptEvent> &events)
{
    for (const AttemptEvent &event : events) {
        const bool isHang =
            event.failure == launch::FailureKind::Hang || event.failure == launch::FailureKind::EarlyExit;
        if (event.kind == AttemptEventKind::FirstError && isHang)
            return HangEnd{event.time, event.rank >= 0 ? std::optional(event.rank) : std::nullopt,
                           wording::clause(event.reason)};
    }
    return std::nullopt;
}

bool isStopped(const std::vector<AttemptEvent> &events, int rank)
{
    for (const AttemptEvent &event : events) {
        if (event.kind != AttemptEventKind::RankStarted || event.rank != rank)
            continue;
        const auto stat = process::readProcessStat(event.pid);
        return stat && stat->startTime == event.startTime && (stat->state == 'T' || stat->state == 't');
    }
    return false;
}

bool isGpu(const std::string &device)
{
    return device.rfind("cpu:", 0) != 0;
}

std::vector<GpuEvidence> gpusOf(const Agents &agents, DeviceHistories &devices, WallNs from, WallNs to)
{
    std::vector<GpuEvidence> gpus;
    for (const launch::LaunchSpec &agent : agents) {
        int rank = agent.firstRank();
        for (const std::vector<std::string> &ofRank : agent.devices) {
            for (const std::string &id : ofRank) {
                if (!isGpu(id))
                    continue;
                const DeviceHistory &history = devices.of(agent.machine);
                gpus.push_back(
                    {sweep::deviceOn(agent.machine, id), rank, history.isSimulated(id), history.rows(id, from, to)});
            }
            ++rank;
        }
    }
    return gpus;
}

bool hasNoCurves(const AttemptEvidence &evidence)
{
    return std::ranges::all_of(evidence.ranks, [](const RankEvidence &rank) { return rank.curves.empty(); });
}

/// Whether the attempt never had an agent here: at most its curves were written (engine/studyimport.h).
bool isImported(const AttemptLayout &attempt)
{
    std::error_code error;
    return !std::filesystem::exists(attempt.launchFile(), error)
           && !std::filesystem::exists(attempt.eventsFile(), error);
}

/// Returns the events of all agents, in the order of their files.
std::vector<AttemptEvent> eventsOf(const AttemptLayout &attempt)
{
    std::vector<AttemptEvent> events;
    for (const AttemptLayout &agent : agentFolders(attempt)) {
        std::vector<AttemptEvent> more = launch::readAttemptEvents(agent.eventsFile());
        events.insert(events.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return events;
}

/// A run and a probe compare no trials by it.
bool usesObjective(const sweep::SweepSpec &spec)
{
    return !sweep::isRun(spec) && !spec.probe;
}

/// Whether trials depend on the results of others.
bool needsObjective(const sweep::SweepSpec &spec)
{
    using sweep::SearchMethod;
    const bool learns =
        spec.method != SearchMethod::Grid && spec.method != SearchMethod::Random && spec.method != SearchMethod::Sobol;
    return learns || spec.prune || spec.stop || spec.repeats > 1 || !spec.objectives.empty();
}

}  // namespace

std::vector<AttemptPlace> attemptsOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                     const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<AttemptPlace> places;
    std::optional<sweep::SweepSpec> spec;  // most sweeps report their objective
    for (const sweep::TrialRecord &trial : trials) {
        const bool isStarting = trial.state == sweep::TrialState::Starting;
        const std::size_t first = places.size();
        for (int attempt = 1; attempt <= trial.attempts - (isStarting ? 1 : 0); ++attempt)
            places.push_back({workspace.attempt(sweep.folder, trial.number, attempt), trial.number, attempt,
                              attempt == trial.attempts && trial.state == sweep::TrialState::Running});
        if (sweep.goal == sweep::Goal::Minimize) {
            for (std::size_t i = first; i < places.size(); ++i)
                places[i].minimized = sweep.objective;
        }
        if (trial.state != sweep::TrialState::Completed || trial.attempts == 0 || sweep.objective.empty())
            continue;
        places.back().objective = {sweep.objective, trial.objectiveLast.has_value()};
        if (trial.objectiveLast)
            continue;
        if (!spec)
            spec = sweep::parseSweep(sweep.toml).spec;
        places.back().objective->isNeeded = needsObjective(*spec);
        places.back().objective->isReported = !usesObjective(*spec);
    }
    return places;
}

Expected<AttemptFiles> AttemptFiles::read(const AttemptPlace &place, DeviceHistories &devices, WallNs now)
{
    const Expected<Agents> agents = launch::readLaunchSpecs(place.layout);
    if (!agents && isImported(place.layout))
        return makeError(ErrorCode::NotFound, "Imported; how it was started is not known");
    if (!agents)
        return tl::unexpected<Error>(agents.error());
    const launch::LaunchSpec &first = agents->front();
    for (int rank = 0; rank < first.worldSize(); ++rank) {
        std::error_code error;
        if (std::filesystem::exists(thinCopyNote(place.layout.rankFeed(rank)), error))
            return makeError(ErrorCode::Unavailable,
                             "only some points of the curves have been copied from the other machine: "
                             "fetch all of them on the Live page");
    }
    const std::vector<AttemptEvent> events = eventsOf(place.layout);
    const Span span = spanOf(events);
    const bool isRunning = place.isRunning && !span.end;
    AttemptFiles files(
        {place.trial, place.attempt, isRunning ? std::optional(now) : std::nullopt, {}, {}, {}, hangIn(events)});
    AttemptEvidence &evidence = files.m_evidence;
    for (int rank = 0; rank < first.worldSize(); ++rank) {
        files.readRank(place.layout, rank);
        evidence.ranks.back().isStopped = evidence.now && isStopped(events, rank);
    }
    const WallNs begin = span.begin.value_or(now);  // without an event, its GPUs have no readings
    const WallNs end = span.end.value_or(now);
    evidence.begin = begin;
    evidence.gpus = gpusOf(*agents, devices, begin, end);
    if (const auto text = readFile(launch::linkTestFile(place.layout), mostLinkTestBytes)) {
        if (auto test = sweep::parseLinkTest(*text))
            evidence.links = std::move(*test);
    }
    evidence.objective = place.objective;
    evidence.minimized = place.minimized;
    if (evidence.objective && !evidence.objective->isReported && hasNoCurves(evidence))
        evidence.objective->printed = launch::printedMetrics(readTail(place.layout.rankLog(0), mostOutputBytes));
    if (span.begin)
        evidence.monitor = devices.of(first.machine).monitor(begin, end);
    return files;
}

void AttemptFiles::readRank(const AttemptLayout &layout, int rank)
{
    m_feeds.push_back(std::make_unique<series::FeedSeries>(
        series::FeedFiles{layout.rankFeed(rank), layout.rankRing(rank), layout.rankIndex(rank)},
        series::IndexUse::Read));
    series::FeedSeries &feed = *m_feeds.back();
    RankEvidence evidence;
    evidence.rank = rank;
    std::string damage;
    for (;;) {
        const Expected<std::uint64_t> records = feed.poll();
        if (!records)
            damage = records.error().message;
        if (!records || *records == 0)
            break;
    }
    if (damage.empty())
        damage = feed.damage();
    if (!damage.empty())
        m_damage += (m_damage.empty() ? "" : "; ") + damage;
    for (const series::Series &series : feed.all())
        evidence.curves.push_back(&series);
    evidence.events = feed.events();
    m_evidence.ranks.push_back(std::move(evidence));
}

Expected<Report> diagnose(const AttemptPlace &place, DeviceHistories &devices, WallNs now)
{
    const Expected<AttemptFiles> files = AttemptFiles::read(place, devices, now);
    if (!files)
        return tl::unexpected<Error>(files.error());
    Report report = diagnose(files->evidence());
    report.damage = files->damage();
    return report;
}

}  // namespace sweepscope::diagnosis
