#include "ui/models/probereader.h"

#include "base/workspacelayout.h"
#include "diagnosis/batchprobe.h"
#include "sweep/sweepfile.h"
#include "ui/models/valuetext.h"

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

QString ProbeSuggestion::text() const
{
    return QString(parameter).replace(u'_', u' ') + u' ' + numberText(value);
}

ProbeReader::ProbeReader(protocol::EngineClient *client, QObject *parent)
    : QObject(parent), m_client(client), m_job(0ms, nullptr)
{
    connect(client, &protocol::EngineClient::sweepsChanged, this, &ProbeReader::read);
    connect(client, &protocol::EngineClient::trialsChanged, this, [this](qint64 sweepId) {
        if (sweepId == m_sweepId)
            read();
    });
}

void ProbeReader::setSweep(qint64 sweepId)
{
    if (sweepId == m_sweepId)
        return;
    m_sweepId = sweepId;
    m_isRead = false;
    m_job.drop();
    setSuggestion(std::nullopt);
    read();
}

void ProbeReader::read()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    if (!record)
        return;
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(m_sweepId);
    const auto hasEnded = [](const sweep::TrialRecord &trial) { return sweep::isFinal(trial.state); };
    if (!record->ended || trials.empty() || !std::ranges::all_of(trials, hasEnded)) {
        m_isRead = false;
        return;
    }
    if (m_isRead)
        return;
    m_isRead = true;
    const sweep::SweepSpec spec = sweep::parseSweep(record->toml).spec;
    if (!spec.probe)
        return;
    m_job.request([this, sweep = *record, spec, trials,
                   workspace = WorkspaceLayout{m_client->workspace().toStdString()}]() -> std::function<void()> {
        const diagnosis::DeviceHistory devices(workspace.devicesFeed());
        const diagnosis::BatchProbe probe =
            diagnosis::readBatchProbe(workspace, sweep, spec, trials, devices, wallNow());
        std::optional<ProbeSuggestion> suggestion;
        if (probe.knee)
            suggestion = {QString::fromStdString(probe.parameter), *probe.knee};
        return [this, suggestion] { setSuggestion(suggestion); };
    });
}

void ProbeReader::setSuggestion(const std::optional<ProbeSuggestion> &suggestion)
{
    if (suggestion == m_suggestion)
        return;
    m_suggestion = suggestion;
    Q_EMIT changed();
}

}  // namespace sweepscope::ui
