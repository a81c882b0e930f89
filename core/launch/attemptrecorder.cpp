#include "launch/attemptrecorder.h"

#include "base/files.h"
#include "launch/agentmessage.h"
#include "launch/outputrequest.h"
#include "launch/printedoutput.h"
#include "process/processstat.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;

constexpr auto fullDiskPause = 200ms;
constexpr auto lookInterval = 1s;
/// Importing a framework takes seconds; on a network file system, tens of seconds.
constexpr auto silence = 20s;
constexpr std::uint64_t mostRequestBytes = 64 * 1024;
/// The limit at the end for reading what the ranks have printed.
constexpr auto outputPatience = 30s;

}  // namespace

AttemptRecorder::AttemptRecorder(const LaunchSpec &spec, const AttemptLayout &layout, RankFeeds feeds)
    : m_spec(spec),
      m_layout(layout),
      m_feeds(std::move(feeds)),
      m_indexer(layout, spec.firstRank(), spec.ranks),
      m_sampler(spec, layout),
      m_childNotes(layout.childNotes()),
      m_mayReadOutput(!spec.metrics)
{
    m_feeds.drain();  // the preambles, which are no reports
}

Expected<void> AttemptRecorder::prepare(int rank)
{
    if (!m_spec.readsOutputOf(rank))
        return {};
    if (!m_spec.metrics->tensorboard.empty()) {
        auto events = EventMetrics::create(*m_spec.metrics, m_feeds.ringPath(rank));
        if (!events)
            return tl::unexpected<Error>(events.error());
        m_events.emplace(std::move(*events));
        return {};
    }
    auto output = OutputMetrics::create(*m_spec.metrics, rank, m_layout.rankLog(rank), m_feeds.ringPath(rank));
    if (!output)
        return tl::unexpected<Error>(output.error());
    m_output.push_back(std::move(*output));
    return {};
}

void AttemptRecorder::add(const RankProcess &rank)
{
    m_ranks.push_back(rank.rank);
    if (m_events)
        m_events->add(rank.identity.pid);
    m_sampler.add(rank);
    m_logTimes.emplace_back(m_layout.rankLog(rank.rank), m_layout.rankTimes(rank.rank));
}

AttemptRecorder::Drained AttemptRecorder::drain()
{
    Drained drained;
    if ((m_mayReadOutput || m_requested) && std::chrono::steady_clock::now() >= m_nextLook) {
        m_nextLook = std::chrono::steady_clock::now() + lookInterval;
        if (m_mayReadOutput)
            lookForOutputRequest(false);
        if (m_requested)
            beginOutput(false);
    }
    drained.isBehind = readOutput() == OutputLeft::More;
    drained.reported = m_feeds.drain();
    m_hasReported = m_hasReported || drained.reported;
    m_indexer.advance();
    for (LogTimesWriter &times : m_logTimes)
        times.poll(wallNow());
    return drained;
}

void AttemptRecorder::sample(const std::vector<RankProcess> &ranks)
{
    const std::vector<process::ProcessStat> tree = process::readProcessTree(::getpid());
    m_sampler.sample(tree);
    for (const process::ProcessStat &process : tree) {
        if (m_events)
            m_events->add(process.pid);
    }
    std::set<pid_t> alive;
    for (const RankProcess &rank : ranks) {
        if (rank.alive)
            alive.insert(rank.identity.pid);
    }
    m_childNotes.update(tree, alive);
}

/// Whether a rank that was silent, perhaps because it loads a large model, has values to report now: see run.py.
bool AttemptRecorder::isAskedForRing() const
{
    return std::ranges::any_of(m_ranks, [this](int rank) {
        return ::access(m_layout.rankTimes(rank).replace_extension(".reports").c_str(), F_OK) == 0;
    });
}

void AttemptRecorder::lookForOutputRequest(bool isEnd)
{
    if (m_readsIfSilent && isAskedForRing()) {
        m_output.clear();  // which unlocks the rings
        m_requested.reset();
        m_hasPoints = true;
        m_mayReadOutput = false;
        return;
    }
    const std::filesystem::path file = m_layout.folder / outputRequestFile;
    if (::access(file.c_str(), F_OK) != 0)
        return;
    const auto request =
        readFile(file, mostRequestBytes).and_then([](const std::string &text) { return outputRequestFromJson(text); });
    const bool ifSilent = request && request->ifSilent;
    const bool isTooEarly = m_readsIfSilent || (!isEnd && std::chrono::steady_clock::now() - m_began < silence);
    if (ifSilent && (isTooEarly || hasReportedPoints()))
        return;
    // A user may replace the request while its reader has found nothing.
    m_mayReadOutput = ifSilent;
    if (!request)
        return logWarning(request.error().message);
    if (std::exchange(m_readsIfSilent, ifSilent) && hasReportedPoints())
        return;  // values of both readers would mix
    m_output.clear();
    m_requested = request->metrics;
}

/// A rank that reports only media and events holds its ring until it ends.
void AttemptRecorder::beginOutput(bool isEnd)
{
    if (m_readsIfSilent && hasReportedPoints())
        return m_requested.reset();
    std::vector<OutputMetrics> begun;
    for (const int rank : m_ranks) {
        if (rank != 0 && !m_requested->everyRank)
            continue;
        auto output = OutputMetrics::create(*m_requested, rank, m_layout.rankLog(rank), m_feeds.ringPath(rank),
                                            m_layout.rankTimes(rank));
        if (output)
            begun.push_back(std::move(*output));
        else if (output.error().code == ErrorCode::AlreadyExists && !isEnd && !hasReportedPoints())
            return;
        else
            logWarning("the output of rank " + std::to_string(rank) + " is not read: " + output.error().message);
    }
    m_output = std::move(begun);
    m_requested.reset();
}

bool AttemptRecorder::hasReportedPoints()
{
    m_hasPoints = m_hasPoints || (m_hasReported && std::ranges::any_of(m_ranks, [this](int rank) {
                                      return hasPoints(m_layout.rankFeed(rank));
                                  }));
    return m_hasPoints;
}

AttemptRecorder::OutputLeft AttemptRecorder::readOutput()
{
    if (m_output.empty() && !m_events)
        return OutputLeft::Nothing;
    if (!m_feeds.problems().empty())
        return OutputLeft::NoRoom;  // the values found in it could not be stored
    bool more = m_events && m_events->advance();
    for (OutputMetrics &output : m_output)
        more = output.advance() || more;
    return more ? OutputLeft::More : OutputLeft::Nothing;
}

/// Reads the last output of the ranks. Gives up on output that arrives faster than it can be read, but waits for space
/// on the disk as long as `wait` returns true.
void AttemptRecorder::finishOutput(const Wait &wait)
{
    using Clock = std::chrono::steady_clock;
    m_hasReported = m_feeds.drain() || m_hasReported;
    if (m_mayReadOutput)
        lookForOutputRequest(true);
    if (m_requested)
        beginOutput(true);
    if (m_events)
        m_events->lookAgain();
    Clock::time_point readUntil = Clock::now() + outputPatience;
    for (;;) {
        const OutputLeft left = readOutput();
        m_feeds.drain();
        if (left == OutputLeft::Nothing || (left == OutputLeft::More && Clock::now() >= readUntil))
            break;
        const bool isFull = left == OutputLeft::NoRoom && !m_feeds.problems().empty();
        const Clock::time_point before = Clock::now();
        if (!wait(isFull ? fullDiskPause : 0ms))
            break;
        if (isFull)
            readUntil += Clock::now() - before;
    }
    for (OutputMetrics &output : m_output)
        output.finish();
    m_output.clear();
    if (m_events)
        m_events->finish();
    m_events.reset();
}

void AttemptRecorder::finish(const Wait &wait)
{
    finishOutput(wait);
    for (bool hasTime = true; !m_feeds.finish() && hasTime;)
        hasTime = wait(fullDiskPause);
    for (LogTimesWriter &times : m_logTimes)
        times.recordLength(wallNow());
}

void AttemptRecorder::sync(const std::vector<RankProcess> &ranks)
{
    m_feeds.sync();
    for (const RankProcess &rank : ranks) {
        const auto log = openRegularFile(m_layout.rankLog(rank.rank), O_RDONLY);
        struct stat info {};
        if (log && ::fstat(log->get(), &info) == 0 && info.st_size > 0 && ::fdatasync(log->get()) != 0)
            logWarning(makeErrnoError("cannot flush " + m_layout.rankLog(rank.rank).string() + " to disk", errno)
                           .value()
                           .message);
    }
}

}  // namespace sweepscope::launch
