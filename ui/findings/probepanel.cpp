#include "ui/findings/probepanel.h"

#include "sweep/sweepfile.h"
#include "ui/findings/probeplot.h"
#include "ui/models/valuetext.h"
#include "ui/theme/spacing.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPointer>
#include <QThreadPool>
#include <QVBoxLayout>

#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

ProbePanel::ProbePanel(protocol::EngineClient *client, QWidget *parent)
    : QWidget(parent), m_client(client), m_sentence(new QLabel), m_plot(new ProbePlot)
{
    setObjectName(u"probePanel"_s);
    m_sentence->setObjectName(u"probeSentence"_s);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_sentence);
    layout->addWidget(m_plot, 1);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(500ms);
    connect(&m_refresh, &QTimer::timeout, this, &ProbePanel::read);
    connect(client, &protocol::EngineClient::trialsChanged, this, [this](qint64 sweepId) {
        if (sweepId == m_sweepId && m_spec && !m_refresh.isActive())
            m_refresh.start();
    });
    hide();
}

void ProbePanel::showSweep(qint64 sweepId)
{
    const sweep::SweepRecord *record = m_client->sweep(sweepId);
    if (sweepId == m_sweepId && (m_spec || record == nullptr))
        return;
    m_sweepId = sweepId;
    m_spec.reset();
    if (record != nullptr) {
        sweep::SweepSpec spec = sweep::parseSweep(record->toml).spec;
        if (spec.probe)
            m_spec = std::move(spec);
    }
    if (!m_spec)
        hide();
    read();
}

void ProbePanel::read()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    if (!m_spec || record == nullptr)
        return;
    if (m_isReading) {
        m_refresh.start();
        return;
    }
    m_isReading = true;
    QThreadPool::globalInstance()->start(
        [panel = QPointer(this), sweep = *record, spec = *m_spec, trials = m_client->trials(m_sweepId),
         workspace = WorkspaceLayout{m_client->workspace().toStdString()}, id = m_sweepId] {
            const diagnosis::DeviceHistory devices(workspace.devicesFeed());
            diagnosis::BatchProbe probe = diagnosis::readBatchProbe(workspace, sweep, spec, trials, devices, wallNow());
            QMetaObject::invokeMethod(
                qApp,
                [panel, id, probe = std::move(probe)] {
                    if (panel)
                        panel->take(id, probe);
                },
                Qt::QueuedConnection);
        });
}

void ProbePanel::take(qint64 sweepId, const diagnosis::BatchProbe &probe)
{
    m_isReading = false;
    if (sweepId != m_sweepId || !m_spec)
        return;
    QString sentence = sentenceText(QString::fromStdString(probe.sentence));
    if (probe.simulated)
        sentence += u' ' + tr("(simulated GPUs)");
    m_sentence->setText(sentence);
    m_plot->setProbe(probe);
    show();
}

}  // namespace sweepscope::ui
