#include "ui/shell/sweepcommands.h"

#include "exporting/costtext.h"
#include "exporting/sweepexport.h"
#include "protocol/engineclient.h"
#include "sweep/sweepfile.h"
#include "sweep/sweepfileedit.h"
#include "ui/base/selectionmodel.h"
#include "ui/base/stopquestion.h"
#include "ui/home/sweepstrip.h"
#include "ui/models/editability.h"
#include "ui/models/energyreader.h"
#include "ui/models/printedreader.h"
#include "ui/models/probereader.h"
#include "ui/models/reasontext.h"
#include "ui/models/sweeplistmodel.h"
#include "ui/models/usualgoal.h"
#include "ui/models/valuetext.h"
#include "ui/shell/windowactions.h"

#include <QAction>
#include <QMainWindow>
#include <QStatusBar>

#include <chrono>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

SweepCommands::SweepCommands(protocol::EngineClient *client, const SelectionModel *selection, SweepListModel *sweeps,
                             const WindowActions *actions, SweepStrip *strip, QMainWindow *window)
    : QObject(window),
      m_client(client),
      m_selection(selection),
      m_sweeps(sweeps),
      m_actions(actions),
      m_strip(strip),
      m_window(window),
      m_probe(new ProbeReader(client, ProbeReader::When::AfterEnd, this)),
      m_printed(new PrintedReader(client, this)),
      m_energy(new EnergyReader(client, this))
{
    connectCommands();
    m_update.setSingleShot(true);
    m_update.setInterval(100ms);
    connect(&m_update, &QTimer::timeout, this, &SweepCommands::update);
    m_tick.setInterval(1s);
    connect(&m_tick, &QTimer::timeout, this, &SweepCommands::update);
    m_tick.start();
    connect(m_probe, &ProbeReader::changed, &m_update, QOverload<>::of(&QTimer::start));
    connect(m_printed, &PrintedReader::changed, &m_update, QOverload<>::of(&QTimer::start));
    connect(m_energy, &EnergyReader::changed, &m_update, QOverload<>::of(&QTimer::start));
    connect(m_printed, &PrintedReader::changed, this, [this] { Q_EMIT printedChanged(m_printed->metrics()); });
    connect(client, &protocol::EngineClient::readOnlyChanged, this, &SweepCommands::update);
    connect(client, &protocol::EngineClient::sweepsChanged, this, &SweepCommands::update);
    connect(client, &protocol::EngineClient::disconnected, this, &SweepCommands::update);
    connect(client, &protocol::EngineClient::silentChanged, this, [this](bool silent) {
        m_strip->setEngineSilent(silent);
        update();
    });
    connect(client, &protocol::EngineClient::trialsChanged, this, [this](qint64 changed) {
        if (changed == sweepId() && !m_update.isActive())
            m_update.start();
    });
    connect(selection, &SelectionModel::changed, this, [this](const Selection &now, const Selection &before) {
        if (now.sweepId != before.sweepId)
            update();
    });
    update();
}

void SweepCommands::connectCommands()
{
    using Action = sweep::Control::Action;
    connect(m_actions->stop, &QAction::triggered, this, &SweepCommands::stop);
    connect(m_actions->retryFailed, &QAction::triggered, this, [this] { send(Action::Retry); });
    connect(m_actions->pause, &QAction::triggered, this, [this] {
        const sweep::SweepRecord *record = m_client->sweep(sweepId());
        send(record && record->state == sweep::SweepState::Paused ? Action::Resume : Action::Pause);
    });
    connect(m_strip, &SweepStrip::stopRequested, this, &SweepCommands::stop);
    connect(m_strip, &SweepStrip::objectiveRequested, this, &SweepCommands::changeObjective);
    connect(m_strip, &SweepStrip::printedRequested, this, &SweepCommands::readOutput);
    connect(m_client, &protocol::EngineClient::sweepRefused, this,
            [this](quint64 job, const std::vector<sweep::Problem> &problems) {
                if (job == m_edit && !problems.empty())
                    m_window->statusBar()->showMessage(sentenceText(QString::fromStdString(problems.front().message)),
                                                       10'000);
            });
    connect(m_strip, &SweepStrip::pauseRequested, this, [this] { send(Action::Pause); });
    connect(m_strip, &SweepStrip::resumeRequested, this, [this] { send(Action::Resume); });
}

qint64 SweepCommands::sweepId() const
{
    return m_selection->current().sweepId;
}

void SweepCommands::send(sweep::Control::Action action)
{
    sweep::Control control;
    control.action = action;
    m_client->control(sweepId(), control);
}

void SweepCommands::stop()
{
    askToStop(m_client, {sweepId()}, m_window);
}

/// Minimized or maximized as metrics of this name usually are.
void SweepCommands::changeObjective(const QString &metric)
{
    const sweep::SweepRecord *record = m_client->sweep(sweepId());
    if (!record)
        return;
    sweep::SweepSpec spec = sweep::parseSweep(record->toml).spec;
    spec.objective = metric.toStdString();
    spec.goal = usualGoal(metric).value_or(spec.goal);
    m_edit = m_client->editSweep(record->id, QString::fromStdString(sweep::sweepFile(spec, record->toml)), false);
}

void SweepCommands::rename(qint64 renamed, const QString &name)
{
    const sweep::SweepRecord *record = m_client->sweep(renamed);
    if (!record)
        return;
    sweep::SweepSpec spec = sweep::parseSweep(record->toml).spec;
    spec.name = name.toStdString();
    m_edit = m_client->editSweep(renamed, QString::fromStdString(sweep::sweepFile(spec, record->toml)), false);
}

/// The lines of a script are usual ones: otherwise no metrics were found in them.
void SweepCommands::readOutput()
{
    const sweep::SweepRecord *record = m_client->sweep(sweepId());
    if (!record)
        return;
    sweep::SweepSpec spec = sweep::parseSweep(record->toml).spec;
    const bool everyRank = spec.run.metrics && spec.run.metrics->everyRank;
    spec.run.metrics = {.format = output::OutputFormat::Auto, .everyRank = everyRank, .step = {}, .series = {}};
    m_edit = m_client->editSweep(record->id, QString::fromStdString(sweep::sweepFile(spec, record->toml)), false);
}

void SweepCommands::setAboutSweep(bool isAboutSweep)
{
    if (std::exchange(m_isAboutSweep, isAboutSweep) != isAboutSweep)
        update();
}

void SweepCommands::setPageTitle(const QString &title)
{
    if (std::exchange(m_pageTitle, title) != title)
        followTitle();
}

void SweepCommands::followTitle()
{
    const sweep::SweepRecord *record = m_isAboutSweep ? m_client->sweep(sweepId()) : nullptr;
    const QString name = !m_pageTitle.isEmpty() ? m_pageTitle
                         : record               ? QString::fromStdString(record->name)
                                                : QString();
    const QString title = name.isEmpty()         ? u"Sweepscope"_s
                          : m_client->isMirror() ? tr("%1 – %2 – Sweepscope").arg(name, m_client->workspaceName())
                                                 : tr("%1 – Sweepscope").arg(name);
    m_window->setWindowTitle(m_client->isReadOnly() ? tr("%1 (read-only)").arg(title) : title);
}

void SweepCommands::update()
{
    followTitle();
    const sweep::SweepRecord *record = m_isAboutSweep ? m_client->sweep(sweepId()) : nullptr;
    m_probe->setSweep(sweepId());
    m_actions->exportCsv->setEnabled(record != nullptr);
    const bool isCutOff =
        m_client->isMirror() && !m_client->isConnected();  // nothing can be asked of the other machine
    const bool mayAct = !m_client->isReadOnly() && !isCutOff;
    const bool canChange = record && sweep::canBeStopped(record->state) && mayAct;
    m_actions->stop->setEnabled(record && mayBeStopped(*record) && mayAct);
    m_actions->showPause(record && record->state == sweep::SweepState::Paused, canChange);
    const auto follow = [](QAction *action, bool isPossible, const QString &why) {
        action->setEnabled(isPossible && why.isEmpty());
        action->setToolTip(why);
    };
    follow(m_actions->edit, record, record ? whyNotEdited(*record, m_client->isReadOnly()) : QString());
    follow(m_actions->undoEdit, record, record ? whyNoEditUndone(*record, m_client->isReadOnly()) : QString());
    const SweepSummary summary = record ? m_sweeps->summary(record->id, m_client->trials(record->id)) : SweepSummary();
    if (record && std::exchange(m_isProbe, summary.isProbe) != summary.isProbe)
        Q_EMIT probeShown(m_isProbe);
    m_actions->edit->setText(summary.isRun ? tr("&Edit run") : tr("&Edit sweep"));
    follow(m_actions->retryFailed, record,
           m_client->isReadOnly() ? tr("This window is read-only")
           : isCutOff             ? tr("No connection to %1").arg(m_client->workspaceName())
           : summary.failed == 0  ? tr("No trials failed or were lost")
           : record               ? missingProgramText(*record)
                                  : QString());
    if (!record) {
        m_strip->showDraft(m_sweeps->rowCount() == 0);
        return;
    }
    m_strip->setReadOnly(!mayAct);
    m_strip->setSuggestion(m_probe->suggestion());
    m_printed->setSweep(record->id);
    m_strip->setPrinted(m_printed->metrics());
    m_energy->setSweep(record->id);
    m_strip->setEnergy(m_energy->energy().known());
    m_strip->setCost(QString::fromStdString(exporting::costText(
        exporting::costOfSweep(*record, m_energy->energy(), m_energy->factors()), m_energy->factors().currency)));
    m_strip->showSweep(*record, summary, wallNow());
}

}  // namespace sweepscope::ui
