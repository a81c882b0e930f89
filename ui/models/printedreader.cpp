#include "ui/models/printedreader.h"

#include "base/files.h"
#include "base/workspacelayout.h"
#include "launch/printedoutput.h"
#include "protocol/engineclient.h"
#include "sweep/metricvalue.h"
#include "sweep/sweepfile.h"
#include "ui/models/newestjob.h"

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace std::chrono_literals;

namespace {

constexpr std::size_t bytesToRead = 128 * 1024;
constexpr qsizetype mostMetrics = 6;
constexpr auto betweenReadings = 3s;

QStringList metricsIn(const std::filesystem::path &log)
{
    QStringList names;
    for (const std::string &name : launch::printedMetrics(readTail(log, bytesToRead))) {
        if (!sweep::isBookkeeping(name) && names.size() < mostMetrics)
            names << QString::fromStdString(name);
    }
    return names;
}

}  // namespace

PrintedReader::PrintedReader(const protocol::EngineClient *client, QObject *parent)
    : QObject(parent), m_client(client), m_job(new NewestJob(0ms, this))
{}

PrintedReader::~PrintedReader() = default;

void PrintedReader::setSweep(qint64 sweepId)
{
    if (std::exchange(m_sweepId, sweepId) != sweepId) {
        m_read = {};
        m_job->drop();
        show({});
    }
    const sweep::SweepRecord *sweep = m_client->sweep(sweepId);
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(sweepId);
    const auto ended = [](const sweep::TrialRecord &trial) {
        return sweep::isFinal(trial.state) ? trial.attemptEnded.value_or(0) : 0;
    };
    const auto last = std::ranges::max_element(trials, {}, ended);
    const bool hasEnded = last != trials.end() && ended(*last) > 0;
    const bool hasReported =
        hasEnded ? last->firstAttempt != 0
                 : std::ranges::any_of(trials, [](const auto &trial) { return trial.firstAttempt != 0; });
    // The agent reads the output of silent ranks, at the latest at their end.
    if (!sweep || hasReported || !hasEnded || !(isUnread(*sweep) || m_mayMismatch)) {
        show({});
        return;
    }
    const auto started = [](const sweep::TrialRecord &trial) { return trial.attemptStarted.value_or(0); };
    const auto newest = std::ranges::max_element(trials, {}, started);
    if (newest == trials.end() || newest->attempts == 0)
        return;
    const std::tuple now{newest->number, newest->attempts, sweep::isFinal(newest->state)};
    const auto time = std::chrono::steady_clock::now();
    // Once the output of a trial is known, further ones would say the same.
    if (!m_metrics.isEmpty() || time < m_next || (now == m_read && std::get<2>(now)))
        return;
    m_read = now;
    m_next = time + betweenReadings;
    const WorkspaceLayout workspace{m_client->workspace().toStdString()};
    m_job->request([this, log = workspace.attempt(sweep->folder, newest->number, newest->attempts).rankLog(0)] {
        return std::function<void()>([this, metrics = metricsIn(log)] { show(metrics); });
    });
}

bool PrintedReader::isUnread(const sweep::SweepRecord &sweep)
{
    if (sweep.toml != m_toml) {
        m_toml = sweep.toml;
        const sweep::SweepSpec spec = sweep::parseSweep(m_toml).spec;
        m_isUnread = !spec.run.command.empty() && !spec.run.metrics;
        m_mayMismatch =
            spec.run.metrics
            && (spec.run.metrics->format != output::OutputFormat::Auto || !spec.run.metrics->series.empty());
    }
    return m_isUnread;
}

void PrintedReader::show(const QStringList &metrics)
{
    if (metrics == m_metrics)
        return;
    m_metrics = metrics;
    Q_EMIT changed();
}

}  // namespace sweepscope::ui
