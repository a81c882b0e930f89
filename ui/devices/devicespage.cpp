#include "ui/devices/devicespage.h"

#include "base/agentfolders.h"
#include "base/workspacelayout.h"
#include "remote/machines.h"
#include "ui/base/noticebanner.h"
#include "ui/base/openquestion.h"
#include "ui/devices/devicecards.h"
#include "ui/devices/gpulistedit.h"
#include "ui/devices/machinedialog.h"
#include "ui/devices/machinescard.h"
#include "ui/devices/recordeddevices.h"
#include "ui/models/devicewords.h"
#include "ui/models/machinewords.h"
#include "ui/models/valuetext.h"
#include "ui/plot/picturesaver.h"
#include "ui/plot/qcustomplotheader.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSysInfo>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto copiedTimeout = 4s;
constexpr std::size_t mostListed = 16;  ///< trials whose ranks are listed
const QString viewKey = u"devices/view"_s;
const QString overviewName = u"overview"_s;
const QString cardsName = u"cards"_s;

}  // namespace

DevicesPage::DevicesPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings,
                         QWidget *parent)
    : EnginePage(client, selection, u"devices"_s, 0ms, parent),
      m_settings(settings),
      m_watcher(new DeviceWatcher(this)),
      m_stateIcon(new IconLabel),
      m_state(new QLabel),
      m_copied(new QLabel),
      m_choose(new QPushButton(symbolIcon(u"pin"_s), QString())),
      m_addMachine(new QPushButton(symbolIcon(u"add"_s), tr("Add &machine…"))),
      m_toConnections(new QPushButton(symbolIcon(u"devices"_s), tr("&Connections"))),
      m_views(new QButtonGroup(this)),
      m_machines(new MachinesCard),
      m_note(new NoticeBanner),
      m_edited(new NoticeBanner),
      m_cards(new DeviceCards(m_watcher)),
      m_pictures(new PictureSaver(m_cards->widget(),
                                  [cards = m_cards->widget()](const QString &title) {
                                      // Without the free room below the cards.
                                      const QSize shown(cards->width(), cards->childrenRect().bottom() + 1);
                                      return titledSheet(*cards, title, shown, [cards, shown](QCPPainter &painter) {
                                          const QRegion region(QRect(QPoint(), shown));
                                          cards->render(&painter, QPoint(), region, QWidget::DrawChildren);
                                      });
                                  })),
      m_gpuLists(new GpuListEdit(client, this))
{
    setObjectName(u"devicesPage"_s);
    m_note->setObjectName(u"devicesNote"_s);
    m_edited->setObjectName(u"gpuListNotice"_s);
    content()->addLayout(buildHead());
    content()->addWidget(m_machines);
    content()->addWidget(m_note);
    content()->addWidget(m_edited);
    content()->addWidget(m_cards, 1);

    connect(m_watcher, &DeviceWatcher::readingsReady, this, &DevicesPage::refresh);
    connect(m_gpuLists, &GpuListEdit::reported, this, [this](const QString &sentence, bool isProblem) {
        m_editText = sentence;
        m_editFailed = isProblem;
        refresh();
    });
    connect(m_edited, &NoticeBanner::actionClicked, m_gpuLists, &GpuListEdit::undo);
    connectCards();
    refresh();
}

QLayout *DevicesPage::buildHead()
{
    m_state->setObjectName(u"devicesState"_s);
    m_copied->setObjectName(u"devicesCopied"_s);
    m_copied->setTextFormat(Qt::PlainText);
    m_copied->setForegroundRole(QPalette::PlaceholderText);
    m_choose->setObjectName(u"chooseGpusButton"_s);
    m_choose->setFlat(true);
    m_choose->hide();
    m_addMachine->setObjectName(u"addMachineButton"_s);
    m_addMachine->setFlat(true);
    m_toConnections->setObjectName(u"toConnections"_s);
    m_toConnections->setFlat(true);
    m_toConnections->setToolTip(tr("Show connections between GPUs"));
    m_toConnections->hide();
    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(m_stateIcon);
    head->addWidget(m_state);
    head->addStretch(1);
    head->addWidget(m_copied);
    head->addWidget(m_choose);
    head->addWidget(m_addMachine);
    head->addWidget(m_toConnections);
    head->addLayout(buildViewSwitch());
    return head;
}

QLayout *DevicesPage::buildViewSwitch()
{
    auto *row = new QHBoxLayout;
    row->setSpacing(spacing::tiny);
    const auto add = [&](DeviceView view, const QString &text, const char *icon, const QString &tip) {
        auto *button = new QToolButton;
        button->setObjectName(view == DeviceView::Overview ? u"showOverview"_s : u"showCards"_s);
        button->setText(text);
        button->setIcon(symbolIcon(QLatin1StringView(icon)));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setToolTip(tip);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->hide();
        m_views->addButton(button, static_cast<int>(view));
        row->addWidget(button);
    };
    add(DeviceView::Overview, tr("Overview"), "columns", tr("One row per GPU, with a card for the selected GPU"));
    add(DeviceView::Cards, tr("Cards"), "devices", tr("Cards of all GPUs"));
    return row;
}

void DevicesPage::connectCards()
{
    const QString kept = m_settings ? m_settings->value(viewKey).toString() : QString();
    if (!kept.isEmpty())
        m_cards->setView(kept == overviewName ? DeviceView::Overview : DeviceView::Cards);
    connect(m_views, &QButtonGroup::idClicked, this, [this](int id) {
        const auto view = static_cast<DeviceView>(id);
        if (m_settings)
            m_settings->setValue(viewKey, view == DeviceView::Overview ? overviewName : cardsName);
        m_cards->setView(view);
    });
    connect(m_cards, &DeviceCards::viewChanged, this, &DevicesPage::showView);
    connect(m_note, &NoticeBanner::actionClicked, this, [this] {
        if (!m_wrongMachine.isEmpty())
            editMachine(m_wrongMachine, true);
        else
            m_cards->goToGpu(m_wrongGpu);
    });
    connect(m_addMachine, &QPushButton::clicked, this, [this] { editMachine({}, false); });
    connect(m_machines, &MachinesCard::machineChosen, this, &DevicesPage::refresh);
    connect(m_machines, &MachinesCard::editRequested, this, [this](const QString &name) { editMachine(name, false); });
    connect(m_machines, &MachinesCard::checkRequested, this, [this](const QString &name) { editMachine(name, true); });
    connect(m_machines, &MachinesCard::removeRequested, this, &DevicesPage::askToRemove);
    connect(m_toConnections, &QPushButton::clicked, m_cards, &DeviceCards::goToConnections);
    connect(m_cards, &DeviceCards::holderClicked, this, &DevicesPage::goTo);
    connect(m_cards, &DeviceCards::changeRequested, this,
            [this](const QString &gpuId, sweep::GpuListChange change) { m_gpuLists->begin(m_sweepId, change, gpuId); });
    const auto choose = [this] { m_gpuLists->choose(m_sweepId); };
    connect(m_cards, &DeviceCards::choiceRequested, this, choose);
    connect(m_choose, &QPushButton::clicked, this, choose);
    connect(m_cards, &DeviceCards::copied, this, [this](const QString &text) {
        m_copied->setText(tr("Copied: %1").arg(text));
        QTimer::singleShot(copiedTimeout, m_copied, &QLabel::clear);
    });
}

void DevicesPage::showView()
{
    for (QAbstractButton *button : m_views->buttons())
        button->setVisible(m_cards->hasOverview());
    m_views->button(static_cast<int>(m_cards->isOverview() ? DeviceView::Overview : DeviceView::Cards))
        ->setChecked(true);
}

void DevicesPage::followSelection(bool isOtherSweep)
{
    if (isOtherSweep)
        refreshLater();
}

void DevicesPage::showEvent(QShowEvent *event)
{
    EnginePage::showEvent(event);
    m_watcher->setActive(true);
    client()->watchDevices(true);
}

void DevicesPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_watcher->setActive(false);
    client()->watchDevices(false);
    if (!m_gpuLists->canUndo())
        m_editText.clear();  // the user has seen it
}

void DevicesPage::refresh()
{
    if (std::exchange(m_sweepId, sweepId()) != sweepId())
        m_editText.clear();
    showMachines();
    if (!client()->workspace().isEmpty())
        m_watcher->setFile(WorkspaceLayout{std::filesystem::path(client()->workspace().toStdString())}.devicesFeed(
            m_machines->chosen().toStdString()));
    m_watcher->setClockOffset(machine() ? static_cast<WallNs>(machine()->clockOffset * 1e9) : 0);
    const std::vector<protocol::DeviceStatus> devices = shownDevices();
    if (devices.empty() && client()->machines().empty()) {
        showEmpty(tr("No device readings"), whyNone());
        return;
    }
    showContent();
    showState();
    m_cards->showDevices(devices);
    m_cards->showRunning(runningAttempts(devices));
    const SweepGpus gpusOfSweep = machine() ? SweepGpus() : m_gpuLists->gpusOf(m_sweepId);
    m_cards->showSweep(gpusOfSweep);
    showView();
    showNote(devices);
    m_choose->setVisible(gpusOfSweep.id != 0 && gpusOfSweep.machine.size() > 1);
    m_choose->setText(tr("GPUs for %1…").arg(QString(gpusOfSweep.name).replace(u'&', u"&&"_s)));
    m_choose->setEnabled(gpusOfSweep.whyFixed.isEmpty());
    m_choose->setToolTip(gpusOfSweep.whyFixed.isEmpty() ? tr("Choose the GPUs that the sweep may use")
                                                        : gpusOfSweep.whyFixed);
    m_toConnections->setVisible(m_cards->hasConnections());
    const QString machineName = machine() ? machine()->name : QSysInfo::machineHostName();
    m_pictures->setTitle(tr("%1 · devices").arg(machineName), tr("%1-devices").arg(machineName));
    showEdit();
}

const protocol::MachineStatus *DevicesPage::machine() const
{
    const auto &machines = client()->machines();
    const auto found = std::ranges::find(machines, m_machines->chosen(), &protocol::MachineStatus::name);
    return found == machines.end() ? nullptr : &*found;
}

std::vector<protocol::DeviceStatus> DevicesPage::shownDevices() const
{
    if (machine())
        return devicesAsThere(*machine());
    // Where no engine runs its last readings are what is known.
    const bool showsRecorded = client()->devices().empty() && (client()->isReading() || !client()->isConnected());
    return showsRecorded ? recordedDevices(*m_watcher->readings()) : client()->devices();
}

std::vector<RunningAttempt> DevicesPage::runningAttempts(const std::vector<protocol::DeviceStatus> &devices) const
{
    const WorkspaceLayout workspace{std::filesystem::path(client()->workspace().toStdString())};
    std::vector<RunningAttempt> found;
    for (const protocol::DeviceStatus &device : devices) {
        for (const protocol::DeviceHolder &holder : device.holders) {
            const sweep::SweepRecord *sweep = client()->sweep(holder.sweepId);
            const auto &trials = client()->trials(holder.sweepId);
            const auto trial = std::ranges::find(trials, holder.trial, &sweep::TrialRecord::number);
            if (found.size() >= mostListed || !sweep || trial == trials.end() || trial->attempts == 0
                || std::ranges::find(found, holder, &RunningAttempt::trial) != found.end())
                continue;
            RunningAttempt attempt{holder, {}};
            for (const AttemptLayout &agent :
                 agentFolders(workspace.attempt(sweep->folder, trial->number, trial->attempts)))
                attempt.hostFeeds.push_back(agent.hostFeed());
            found.push_back(std::move(attempt));
        }
    }
    return found;
}

void DevicesPage::showMachines()
{
    const QString whyFixed = whyMachinesAreFixed();
    m_machines->setFixed(whyFixed);
    m_machines->showMachines(client()->devices(), client()->machines());
    m_machines->setVisible(!client()->machines().empty());
    m_machines->setEngineIsHere(!client()->isMirror());
    m_addMachine->setEnabled(whyFixed.isEmpty());
    m_addMachine->setToolTip(whyFixed.isEmpty() ? tr("Run trials on another machine, over ssh") : whyFixed);
}

QString DevicesPage::whyMachinesAreFixed() const
{
    if (client()->isReadOnly())
        return tr("This window is read-only");
    return client()->isMirror() ? tr("To add a machine, run on the engine's machine: sweepctl machine add") : QString();
}

std::filesystem::path DevicesPage::machinesFile() const
{
    return WorkspaceLayout{std::filesystem::path(client()->workspace().toStdString())}.machinesFile();
}

void DevicesPage::editMachine(const QString &name, bool checks)
{
    if (!whyMachinesAreFixed().isEmpty() || hasOpenQuestion(this))
        return;
    remote::Machine machine;
    const Expected<std::vector<remote::Machine>> known = remote::readMachines(machinesFile());
    if (!known)
        return complain(known.error());
    if (!name.isEmpty()) {
        const auto found = std::ranges::find(*known, name.toStdString(), &remote::Machine::name);
        if (found == known->end())
            return;
        machine = *found;
    }
    auto *dialog = new MachineDialog(machinesFile(), machine, this);
    dialog->open();
    if (checks)
        dialog->check();
}

void DevicesPage::addMachine(const QString &address)
{
    const Expected<remote::SshTarget> target = remote::parseSshTarget(address.toStdString());
    const Expected<std::vector<remote::Machine>> known = remote::readMachines(machinesFile());
    if (!target || !known)
        return complain(target ? known.error() : target.error());
    for (const remote::Machine &machine : *known) {
        if (machine.ssh.destination == target->destination && machine.ssh.port == target->port)
            return editMachine(QString::fromStdString(machine.name), true);
    }
    if (!whyMachinesAreFixed().isEmpty() || hasOpenQuestion(this))
        return;
    remote::Machine machine;
    machine.ssh = {target->destination, target->port, {}};
    auto *dialog = new MachineDialog(machinesFile(), machine, this);
    dialog->propose(remote::freeMachineName(*target, *known));
    dialog->open();
    dialog->check();
}

void DevicesPage::complain(const Error &error)
{
    m_editText = QString::fromStdString(error.message);
    m_editFailed = true;
    showEdit();
}

void DevicesPage::askToRemove(const QString &name)
{
    if (!whyMachinesAreFixed().isEmpty() || hasOpenQuestion(this))
        return;
    const int trials = machine() && machine()->name == name ? protocol::useOf(*machine()).trials : 0;
    auto *box = new QMessageBox(QMessageBox::Question, tr("Remove machine"), tr("Remove %1?").arg(name),
                                QMessageBox::Cancel, this);
    box->setObjectName(u"removeMachineQuestion"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText((trials == 0   ? QString()
                             : trials == 1 ? tr("Its running trial continues until it finishes. ")
                                           : tr("Its %1 running trials continue until they finish. ").arg(trials))
                            + tr("Files on the machine are kept."));
    QPushButton *remove = box->addButton(tr("Remove"), QMessageBox::AcceptRole);
    markDanger(remove);
    connect(remove, &QPushButton::clicked, this, [this, name] {
        Expected<std::vector<remote::Machine>> known = remote::readMachines(machinesFile());
        if (!known)
            return complain(known.error());
        std::erase_if(*known, [&name](const remote::Machine &one) { return one.name == name.toStdString(); });
        if (const auto written = remote::writeMachines(machinesFile(), *known); !written)
            complain(written.error());
    });
    box->open();
}

void DevicesPage::showEdit()
{
    m_edited->setNotice(m_editFailed ? NoticeBanner::Kind::Problem : NoticeBanner::Kind::Note,
                        symbolIcon(m_editFailed ? u"warning"_s : u"about"_s, QPalette::WindowText), m_editText,
                        m_gpuLists->canUndo() ? tr("Undo") : QString());
}

QString DevicesPage::whyNone() const
{
    if (client()->isReading())
        return tr("No engine is running, and this machine has no earlier readings.");
    return client()->isConnected() ? tr("The engine has not reported the GPUs and cores of this machine yet.")
                                   : tr("They appear here when the engine of this workspace responds.");
}

void DevicesPage::showState()
{
    const WallNs newest = m_watcher->readings()->newest;
    const bool live = m_watcher->readings()->isLive();
    const QString moment = momentText(newest, wallNow());
    QString text;
    if (machine() && client()->isMirror())
        text = tr("Readings of this machine are not available in this window");
    else if (live)
        text = tr("Updated every second");
    else if (newest == 0)
        text = client()->isConnected() && (!machine() || machine()->isConnected) ? tr("Waiting for the first reading")
                                                                                 : tr("No readings yet");
    else if (client()->isReading())
        text = tr("As of %1: last readings, no engine is running").arg(moment);
    else if (machine() && !machine()->isConnected)
        text = tr("As of %1: no connection to %2").arg(moment, machine()->name);
    else if (client()->isConnected())
        text = tr("As of %1: waiting for the next reading").arg(moment);
    else
        text = tr("As of %1: no connection to the engine").arg(moment);
    m_state->setText(text);
    m_stateIcon->setIcon(symbolIcon(live ? u"live"_s : u"time"_s, QPalette::WindowText));
}

/// A GPU's problem is shown on its card or in its row; if that is out of sight, a note links to it.
void DevicesPage::showNote(const std::vector<protocol::DeviceStatus> &devices)
{
    const QString problem = QString::fromStdString(m_watcher->readings()->problem);
    m_wrongGpu.clear();
    m_wrongMachine.clear();
    if (machine() && stateOf(*machine()) == MachineState::Wrong) {
        const bool canCheck = whyMachinesAreFixed().isEmpty();
        m_wrongMachine = canCheck ? machine()->name : QString();
        m_note->setNotice(NoticeBanner::Kind::Problem, symbolIcon(u"warning"_s, QPalette::WindowText),
                          stateText(*machine()) + u". "_s + remedyText(*machine()), canCheck ? tr("Check") : QString());
        return;
    }
    QString note = problem;
    if (note.isEmpty())
        note = machine() ? machine()->note : client()->devicesNote();
    const auto isWrong = [](const protocol::DeviceStatus &device) { return useOf(device) == DeviceUse::Wrong; };
    const auto wrong = std::ranges::find_if(devices, isWrong);
    if (note.isEmpty() && wrong != devices.end() && m_cards->hidesCards()) {
        const auto count = std::ranges::count_if(devices, isWrong);
        note = count > 1 ? tr("%1 GPUs need attention").arg(count) : tr("%1 needs attention").arg(deviceTitle(*wrong));
        m_wrongGpu = wrong->id;
    }
    m_note->setNotice(problem.isEmpty() ? NoticeBanner::Kind::Note : NoticeBanner::Kind::Problem,
                      symbolIcon(m_wrongGpu.isEmpty() ? u"about"_s : u"warning"_s, QPalette::WindowText),
                      sentenceText(note), m_wrongGpu.isEmpty() ? QString() : tr("Show"));
}

void DevicesPage::goTo(const protocol::DeviceHolder &holder)
{
    if (client()->sweep(holder.sweepId) != nullptr)
        Q_EMIT trialRequested(holder.sweepId, holder.trial);
}

}  // namespace sweepscope::ui
