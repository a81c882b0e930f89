#include "ui/editor/editorpage.h"

#include "protocol/engineclient.h"
#include "remote/knownmachines.h"
#include "sweep/probe.h"
#include "sweep/sweepfile.h"
#include "ui/editor/allocationplanner.h"
#include "ui/editor/draftreading.h"
#include "ui/editor/machinetext.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/reportedmetrics.h"
#include "ui/editor/summarystrip.h"
#include "ui/editor/sweepediting.h"
#include "ui/editor/sweepeditor.h"
#include "ui/editor/sweeptimes.h"
#include "ui/models/installedworker.h"
#include "ui/models/reasontext.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto keepAfter = 1s;
constexpr auto planFollows = 5s;         ///< coalesces news of trials: inspecting the machine takes a second
constexpr auto planFollowsEdit = 300ms;  ///< trials of an edited sweep arrive after its definition

}  // namespace

EditorPage::EditorPage(protocol::EngineClient *client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_editor(new SweepEditor(this)),
      m_editing(new SweepEditing(client, m_editor)),
      m_probe(new ProbeReader(client, ProbeReader::When::AfterEnd, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_editor);
    connect(m_editor->strip()->startButton(), &QPushButton::clicked, this, &EditorPage::start);
    connect(m_editor->strip(), &SummaryStrip::cancelRequested, this, &EditorPage::cancelEdit);
    connect(m_editor->document(), &SweepDocument::draftChanged, this, &EditorPage::draftChanged);
    connect(m_editor->document(), &SweepDocument::originChanged, this, &EditorPage::updateOffers);
    connect(m_editor->document(), &SweepDocument::anotherSweepShown, this, &EditorPage::updateOffers);
    connect(m_probe, &ProbeReader::changed, this, [this] { m_editor->setSuggestion(m_probe->suggestion()); });
    connect(m_editing, &SweepEditing::busyChanged, this, &EditorPage::followHindrance);
    connect(client, &protocol::EngineClient::connected, this, &EditorPage::followDevices);
    connect(client, &protocol::EngineClient::readOnlyChanged, this, &EditorPage::followHindrance);
    connect(client, &protocol::EngineClient::devicesChanged, this, &EditorPage::followDevices);
    connect(client, &protocol::EngineClient::disconnected, this, &EditorPage::followHindrance);
    connect(client, &protocol::EngineClient::sweepLaunched, this, &EditorPage::onLaunched);
    connect(client, &protocol::EngineClient::sweepRefused, this, &EditorPage::onRefused);
    connect(client, &protocol::EngineClient::requestFailed, this, &EditorPage::onFailed);
    m_editor->planner()->setWorkspace([client] { return std::filesystem::path(client->workspace().toStdString()); });
    m_editor->planner()->setHistory([client] { return finishedSweeps(*client); });
    m_editor->planner()->setOthers(
        [this] { return remote::knownMachines(m_client->machines(), m_editing->sweepId()); });
    m_editor->planner()->setLaunched([this] { return launchedSweep(*m_client, editedSweep()); });
    m_planFollows.setSingleShot(true);
    connect(m_editing, &SweepEditing::definitionChanged, this, [this] { m_planFollows.start(planFollowsEdit); });
    connect(&m_planFollows, &QTimer::timeout, this, &EditorPage::planAnew);
    connect(client, &protocol::EngineClient::trialsChanged, this, &EditorPage::followHistory);
    connect(client, &protocol::EngineClient::sweepsChanged, this, [this] {
        for (const sweep::SweepRecord &sweep : m_client->sweeps())
            followHistory(sweep.id);
    });
    followDevices();
}

bool EditorPage::openFile(const QString &path)
{
    return m_editor->openFile(path);
}

void EditorPage::editSweep(qint64 sweepId)
{
    m_editing->edit(sweepId);
}

/// Undo restores the changes.
void EditorPage::cancelEdit()
{
    const qint64 cancelled = editedSweep();
    m_editor->newSweep();
    m_editor->notice()->dismiss();
    Q_EMIT editCancelled(cancelled);
}

void EditorPage::undoLastEdit(qint64 sweepId)
{
    m_editing->undoLastEdit(sweepId);
}

qint64 EditorPage::editedSweep() const
{
    return m_editing->sweepId();
}

bool EditorPage::hasChanges() const
{
    return m_editor->hasChanges();
}

QString EditorPage::whyNotApplied() const
{
    return m_editor->strip()->whyNotApplied();
}

QString EditorPage::submit()
{
    return m_editor->strip()->submit();
}

const EditorActions &EditorPage::actions() const
{
    return m_editor->actions();
}

void EditorPage::hideOpeningButtons()
{
    m_editor->hideOpeningButtons();
}

bool EditorPage::isDryRun(quint64 job) const
{
    return m_editing->isDryRun(job);
}

void EditorPage::setSweep(const sweep::SweepSpec &spec, const QString &baseFolder, const QString &title,
                          const std::string &text)
{
    m_editor->setSweep(spec, baseFolder, title, text);
}

void EditorPage::newSweep()
{
    m_editor->newSweep();
}

void EditorPage::beginAtName()
{
    m_editor->beginAtName();
}

bool EditorPage::isModified() const
{
    return m_editor->document()->isModified();
}

void EditorPage::keepUnsavedIn(QSettings *settings)
{
    m_unsaved = std::make_unique<UnsavedWork>(settings);
    m_keep.setSingleShot(true);
    m_keep.setInterval(keepAfter);
    connect(&m_keep, &QTimer::timeout, this, &EditorPage::keepUnsaved);
    connect(m_editor, &SweepEditor::tomlShown, &m_keep, QOverload<>::of(&QTimer::start));
    const auto left = m_unsaved->leftBehind();
    if (!left)
        return;
    const std::string name = sweep::parseSweep(left->work.toml.toStdString()).spec.name;
    m_editor->notice()->offer(
        name.empty() ? tr("Sweepscope closed with an unsaved sweep.")
                     : tr("Sweepscope closed with unsaved changes to %1.").arg(QString::fromStdString(name)),
        {{u"notice.bringBack"_s, tr("Restore"), [this, found = *left] { bringBack(found); }},
         {u"notice.discard"_s, tr("Discard"), [this, found = *left] { m_unsaved->remove(found); }}});
}

void EditorPage::keepUnsaved()
{
    if (!m_editor->hasUnsavedWork()) {
        m_unsaved->drop();
        return;
    }
    const SweepOrigin &origin = m_editor->document()->origin();
    m_unsaved->keep({m_editor->toml(), origin.filePath, origin.baseFolder, m_client->workspace(), origin.sweepId});
}

void EditorPage::bringBack(const UnsavedWork::LeftBehind &left)
{
    const UnsavedWork::Work &work = left.work;
    const bool isOfASweep =
        work.sweepId != 0 && work.workspace == m_client->workspace() && m_client->sweep(work.sweepId);
    if (isOfASweep)
        editSweep(work.sweepId);
    else if (work.filePath.isEmpty() || !openFile(work.filePath))
        setSweep(readDraft(newSweepDraft()).spec, work.baseFolder, tr("New sweep"));
    m_editor->typeToml(work.toml);
    keepUnsaved();
    m_unsaved->remove(left);
}

void EditorPage::start()
{
    const auto toml = m_job || m_editing->isBusy() ? std::nullopt : m_editor->definition(SweepEditor::Purpose::Start);
    if (!toml)
        return;
    m_job = m_client->launchSweep(*toml, m_editor->document()->origin().baseFolder);
    followHindrance();
}

void EditorPage::onLaunched(quint64 job, qint64 sweepId)
{
    if (m_job != job)
        return;
    m_job.reset();
    followHindrance();
    m_editor->notice()->dismiss();
    m_editing->adopt(sweepId);
    Q_EMIT sweepLaunched(sweepId);
}

void EditorPage::onRefused(quint64 job, const std::vector<sweep::Problem> &problems)
{
    if (m_job != job)
        return;
    m_job.reset();
    followHindrance();
    m_editor->showRefusal(problems);
}

void EditorPage::onFailed(quint64 job, const facts::Fact &reason)
{
    if (m_job != job)
        return;
    m_job.reset();
    followHindrance();
    m_editor->notice()->complain(reasonText(reason));
}

void EditorPage::followDevices()
{
    const std::vector<protocol::DeviceStatus> &devices = m_client->devices();
    m_editor->setWorker(m_client->isMirror() ? std::filesystem::path() : workerOfEngine());
    m_editor->setMachine(capacityOf(devices, m_client->machines()), machineText(devices, m_client->devicesNote()));
    QStringList names;
    QStringList connected;
    for (const protocol::MachineStatus &machine : m_client->machines()) {
        names << machine.name;
        if (machine.isConnected && !machine.devices.empty())
            connected << machine.name;
    }
    m_editor->setKnownMachines(names);
    if (std::exchange(m_plannedMachines, connected) != connected)
        m_planFollows.start(planFollowsEdit);
    followHindrance();
}

/// Plans again when a sweep ends, because its duration improves the estimate. A sweep arrives before its trials.
void EditorPage::followHistory(qint64 sweepId)
{
    const sweep::SweepRecord *sweep = m_client->sweep(sweepId);
    if (sweepId == editedSweep() && isVisible() && !m_planFollows.isActive())
        m_planFollows.start(planFollows);
    if (!sweep || !sweep->ended) {
        m_ended.erase(sweepId);
        return;
    }
    const bool complete = std::ranges::all_of(
        m_client->trials(sweepId), [](const sweep::TrialRecord &trial) { return sweep::isFinal(trial.state); });
    if (complete && m_ended.insert(sweepId).second)
        m_editor->planner()->repeat();
}

/// Called when the page is shown or changes its sweep, not for each keystroke: it parses the definitions of other
/// sweeps.
void EditorPage::updateOffers()
{
    const SweepDocument *document = m_editor->document();
    const SweepDraft &draft = document->draft();
    m_editor->setReported(metricsOfCommand(*m_client, document->origin().sweepId, draft.value(u"run.command"_s)));
    qint64 probe = draft.isProbe ? document->origin().sweepId : 0;
    const std::string name = sweep::probeName(draft.name().toStdString());
    for (const sweep::SweepRecord &sweep : m_client->sweeps()) {
        if (!draft.isProbe && sweep.name == name)
            probe = sweep.id;  // ends with the newest one
    }
    m_probe->setSweep(probe);
    m_editor->setSuggestion(m_probe->suggestion());
}

bool EditorPage::offersResultOf(qint64 probe)
{
    updateOffers();
    return m_probe->sweepId() == probe && m_editor->document()->origin().sweepId != probe;
}

void EditorPage::planAnew()
{
    if (!isVisible())
        return;
    m_editor->planner()->repeat();
    updateOffers();
}

void EditorPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (editedSweep() != 0)
        planAnew();
    else
        updateOffers();
}

void EditorPage::followHindrance()
{
    m_editor->setReadOnly(m_client->isReadOnly());
    if (m_client->isReadOnly())
        m_editor->setHindrance(tr("This window is read-only"));
    else if (m_job)
        m_editor->setHindrance(tr("Starting…"));
    else if (m_editing->isBusy())
        m_editor->setHindrance(tr("Waiting for the engine…"));
    else if (!m_client->isConnected())
        m_editor->setHindrance(tr("Connecting to the engine…"));
    else
        m_editor->setHindrance(QString());
}

}  // namespace sweepscope::ui
