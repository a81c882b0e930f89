#include "ui/models/probereader.h"

#include "base/workspacelayout.h"
#include "sweep/sweepfile.h"
#include "ui/models/valuetext.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

QString ProbeSuggestion::text() const
{
    return QString(parameter).replace(u'_', u' ') + u' ' + numberText(value);
}

ProbeReader::ProbeReader(protocol::EngineClient *client, When when, QObject *parent)
    : QObject(parent), m_client(client), m_when(when)
{
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(500ms);
    connect(&m_refresh, &QTimer::timeout, this, &ProbeReader::read);
    connect(client, &protocol::EngineClient::sweepsChanged, this, [this] { readLater(m_sweepId); });
    connect(client, &protocol::EngineClient::trialsChanged, this, &ProbeReader::readLater);
}

void ProbeReader::setSweep(qint64 sweepId)
{
    if (sweepId == m_sweepId)
        return;
    m_sweepId = sweepId;
    m_spec.reset();
    m_hasEnded = false;
    m_probe.reset();
    Q_EMIT changed();
    read();
}

std::optional<ProbeSuggestion> ProbeReader::suggestion() const
{
    if (!m_probe || !m_probe->knee)
        return std::nullopt;
    return ProbeSuggestion{QString::fromStdString(m_probe->parameter), *m_probe->knee};
}

void ProbeReader::readLater(qint64 sweepId)
{
    if (sweepId == m_sweepId && !m_refresh.isActive())
        m_refresh.start();
}

void ProbeReader::read()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    if (record == nullptr)
        return;
    if (!m_spec)
        m_spec = sweep::parseSweep(record->toml).spec;
    if (!m_spec->probe)
        return;
    if (m_isReading) {
        m_refresh.start();
        return;
    }
    const std::vector<sweep::TrialRecord> &trials = m_client->trials(m_sweepId);
    const bool hasEnded = record->ended && !trials.empty()
                          && std::ranges::all_of(trials, [](const auto &trial) { return sweep::isFinal(trial.state); });
    if (std::exchange(m_hasEnded, hasEnded) == hasEnded && m_when == When::AfterEnd)
        return;
    if (!hasEnded && m_when == When::AfterEnd)
        return;  // a trial runs again
    m_isReading = true;
    QThreadPool::globalInstance()->start([reader = QPointer(this), sweep = *record, spec = *m_spec, trials,
                                          workspace = WorkspaceLayout{m_client->workspace().toStdString()},
                                          id = m_sweepId] {
        diagnosis::DeviceHistories devices(workspace);
        diagnosis::BatchProbe probe = diagnosis::readBatchProbe(workspace, sweep, spec, trials, devices, wallNow());
        QMetaObject::invokeMethod(
            qApp,
            [reader, id, probe = std::move(probe)] {
                if (reader)
                    reader->setProbe(id, probe);
            },
            Qt::QueuedConnection);
    });
}

void ProbeReader::setProbe(qint64 sweepId, const diagnosis::BatchProbe &probe)
{
    m_isReading = false;
    if (sweepId != m_sweepId)
        return;
    m_probe = probe;
    Q_EMIT changed();
}

}  // namespace sweepscope::ui
