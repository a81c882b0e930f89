#include "ui/mainwindow.h"

#include "base/installation.h"
#include "sweep/sweepfile.h"
#include "ui/analysis/analysispage.h"
#include "ui/devices/devicespage.h"
#include "ui/editor/editedsweep.h"
#include "ui/editor/editorpage.h"
#include "ui/findings/findingspage.h"
#include "ui/home/enginestatus.h"
#include "ui/home/homepage.h"
#include "ui/home/quicksearch.h"
#include "ui/home/sweeppage.h"
#include "ui/home/sweepsidebar.h"
#include "ui/home/sweepstrip.h"
#include "ui/live/livepage.h"
#include "ui/logs/logspage.h"
#include "ui/models/freename.h"
#include "ui/pagetabs.h"
#include "ui/quickentries.h"
#include "ui/stopquestion.h"
#include "ui/taborder.h"
#include "ui/theme/icons.h"
#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timelinepage.h"
#include "ui/trial/trialpage.h"
#include "ui/trials/trialspage.h"
#include "ui/windowclosing.h"

#include <QAction>
#include <QCloseEvent>
#include <QFileInfo>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr QSize firstSize(1280, 800);
constexpr QSize smallestSize(900, 600);
constexpr int frameHeight = 40;  // what window managers add, at most
constexpr int sideBarWidth = 248;
constexpr int smallestSideBarWidth = 226;

}  // namespace

MainWindow::MainWindow(protocol::EngineClient *client, Theme *theme, QSettings *settings, QWidget *parent)
    : QMainWindow(parent),
      m_client(client),
      m_selection(client),
      m_settings(settings),
      m_editor(new EditorPage(client, this)),
      m_actions(this, m_editor->actions()),
      m_splitter(new QSplitter(this)),
      m_look(this, m_splitter, theme, settings),
      m_sideBar(new SweepSideBar(client, &m_selection, this)),
      m_strip(new SweepStrip(this)),
      m_tabs(new PageTabs(this)),
      m_home(new HomePage(m_sideBar->model(), &m_selection, m_sideBar->exampleMenu(), this)),
      m_sweepPage(new SweepPage(client, &m_selection, m_editor, this)),
      m_live(new LivePage(client, &m_selection, settings, this)),
      m_trials(new TrialsPage(client, &m_selection, settings, this)),
      m_trial(new TrialPage(client, &m_selection, this)),
      m_logs(new LogsPage(client, &m_selection, settings, this)),
      m_timeline(new TimelinePage(client, &m_selection, this)),
      m_findings(new FindingsPage(client, &m_selection, this)),
      m_devices(new DevicesPage(client, &m_selection, settings, this)),
      m_analysis(new AnalysisPage(client, &m_selection, settings, this)),
      m_closing(new WindowClosing(this, client, m_editor, m_actions.save))
{
    setObjectName(u"mainWindow"_s);
    setWindowTitle(u"Sweepscope"_s);
    setWindowIcon(applicationIcon());
    buildPages();
    connectActions();
    connectPages();
    connectClient();
    const QSize room = screen()->availableSize() - QSize(0, frameHeight);
    setMinimumSize(smallestSize.boundedTo(room));
    resize(firstSize.boundedTo(room));
    m_look.restore();
    m_actions.checkScheme(theme->scheme());
    connect(theme, &Theme::schemeChanged, this, [this, theme] { m_actions.checkScheme(theme->scheme()); });
    m_actions.showTextSize(theme->textSize());
    connect(theme, &Theme::textSizeChanged, this, [this, theme] { m_actions.showTextSize(theme->textSize()); });
    updateStrip();
    orderTabs(m_splitter);
}

MainWindow::~MainWindow() = default;

QString MainWindow::examplePath()
{
    return QString::fromStdString((shareFolder() / "examples" / "digits-mlp.toml").string());
}

void MainWindow::buildPages()
{
    const std::tuple<QWidget *, QString, QString, QString> pages[] = {
        {m_home, u"home"_s, tr("Home"), tr("All sweeps of this workspace (Alt+Home)")},
        {m_sweepPage, u"sweep"_s, tr("Sweep"), tr("What the sweep varies, runs and needs (Ctrl+1)")},
        {m_live, u"live"_s, tr("Live"), tr("Curves of a trial's ranks and devices (Ctrl+2)")},
        {m_trials, u"trials"_s, tr("Trials"), tr("All trials of the chosen sweep (Ctrl+3)")},
        {m_trial, u"trial"_s, tr("Trial"), tr("Everything about one trial (Ctrl+4)")},
        {m_logs, u"logs"_s, tr("Logs"), tr("What the ranks of a trial print (Ctrl+5)")},
        {m_timeline, u"timeline"_s, tr("Timeline"), tr("When which trial had which device (Ctrl+6)")},
        {m_findings, u"findings"_s, tr("Findings"), tr("What is wrong with the sweep's trials (Ctrl+7)")},
        {m_devices, u"devices"_s, tr("Devices"), tr("The GPUs and cores of this machine, and who is on them (Ctrl+8)")},
        {m_analysis, u"analysis"_s, tr("Analysis"),
         tr("Which parameters matter, and where the good values are (Ctrl+9)")},
    };
    m_tabs->setObjectName(u"pages"_s);
    m_tabs->tabBar()->setObjectName(u"pageTabs"_s);
    m_tabs->tabBar()->setAccessibleName(tr("Pages"));
    for (const auto &[page, name, title, toolTip] : pages) {
        const int tab = m_tabs->addPage(page, symbolIcon(name, QPalette::WindowText), title);
        m_tabs->setTabToolTip(tab, toolTip);
        m_tabs->tabBar()->setTabData(tab, name);
    }

    // A page that comes to the front by a click does not put the focus on its first button.
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] { m_tabs->tabBar()->setFocus(); });
    // The side bar offers these two beside the sweeps.
    m_editor->hideOpeningButtons();

    auto *center = new QWidget(this);
    auto *layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip);
    layout->addWidget(m_tabs, 1);

    followTextSize(m_sideBar, [this] { m_sideBar->setMinimumWidth(textScaled(smallestSideBarWidth)); });
    m_splitter->setObjectName(u"sideSplitter"_s);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(m_sideBar);
    m_splitter->addWidget(center);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setCollapsible(0, false);
    m_splitter->setCollapsible(1, false);
    m_splitter->setSizes({sideBarWidth, firstSize.width() - sideBarWidth});
    setCentralWidget(m_splitter);

    statusBar()->setSizeGripEnabled(false);
    auto *status = new EngineStatus(m_client, this);
    statusBar()->addPermanentWidget(status, 1);  // what is told does not take its place
    connect(statusBar(), &QStatusBar::messageChanged, status, &EngineStatus::setMessage);
}

void MainWindow::begin(const QString &sweepFile)
{
    m_home->setWorkspace(m_client->workspace());
    m_chooseOnArrival = sweepFile.isEmpty();
    if (!sweepFile.isEmpty())
        openFile(sweepFile);
    else if (QFileInfo::exists(examplePath()))
        openFile(examplePath());
    else
        m_editor->newSweep();
    m_editor->keepUnsavedIn(m_settings);
    chooseFirstSweep();  // the client may know them already
}

void MainWindow::chooseFirstSweep()
{
    if (sweepId() != 0 || m_client->sweeps().empty())
        return;
    const auto rank = [](const sweep::SweepRecord &sweep) {
        return std::tuple(sweep::isActive(sweep.state), !sweep.archived, sweep.id);
    };
    const auto newest = std::ranges::max_element(m_client->sweeps(), {}, rank);
    const bool active = sweep::isActive(newest->state);
    if ((!m_chooseOnArrival && !active) || newest->archived)
        return;
    m_selection.selectSweep(newest->id);
    if (m_chooseOnArrival)  // the example in the editor is not the sweep that is seen above it
        m_sweepPage->showDefinition(newest->id);
    if (m_chooseOnArrival)
        showPage(active ? Page::Live : Page::Trials);
    m_chooseOnArrival = false;
}

void MainWindow::openFile(const QString &path)
{
    m_editor->openFile(path);
    showEditor();
}

/// What is above the pages is then of the same sweep.
void MainWindow::editSweep(qint64 sweepId)
{
    if (!m_client->sweep(sweepId))
        return;
    m_editor->editSweep(sweepId);
    m_selection.selectSweep(sweepId);
    showEditor();
}

void MainWindow::copySweep(qint64 sweepId)
{
    const sweep::SweepRecord *record = m_client->sweep(sweepId);
    if (!record)
        return;
    QStringList names;
    for (const sweep::SweepRecord &sweep : m_client->sweeps())
        names << QString::fromStdString(sweep.name);
    sweep::SweepSpec copy = sweep::parseSweep(record->toml).spec;
    copy.name = freeName(QString::fromStdString(copy.name), names).toStdString();
    m_editor->setSweep(copy, QString::fromStdString(record->baseFolder),
                       tr("Copy of %1").arg(QString::fromStdString(record->name)), record->toml);
    showEditor();
}

void MainWindow::showEditor()
{
    const bool wasSeen = m_editor->isVisible();
    m_sweepPage->showEditor();
    showPage(Page::Sweep);
    if (!wasSeen)
        m_tabs->tabBar()->setFocus();  // and not what stands where a button was
}

void MainWindow::showPage(Page page)
{
    m_tabs->setCurrentIndex(static_cast<int>(page));
}

void MainWindow::openTrial(qint64 sweepId, int trialNumber, Page page)
{
    m_selection.selectTrial(sweepId, trialNumber);
    if (page == Page::Logs)
        m_logs->showError();
    showPage(page);
}

/// Who comes by a key goes on by keys: the table, the plot or the log has them at once.
void MainWindow::focusPage()
{
    QWidget *first = firstForKeys(m_tabs->currentWidget());
    if (first && first->isVisible())
        first->setFocus(Qt::ShortcutFocusReason);
    setAttribute(Qt::WA_KeyboardFocusChange);  // so that it is framed
}

void MainWindow::showPage(const QString &name)
{
    m_tabs->setCurrentIndex(static_cast<int>(pageNames().indexOf(name)));
}

QStringList MainWindow::pageNames() const
{
    QStringList names;
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        names << m_tabs->tabBar()->tabData(tab).toString();
    return names;
}

void MainWindow::updateStrip()
{
    const sweep::SweepRecord *record = m_client->sweep(sweepId());
    m_actions.exportCsv->setEnabled(record != nullptr);
    const bool canChange = record && sweep::canBeStopped(record->state) && !m_client->isReadOnly();
    m_actions.stop->setEnabled(record && mayBeStopped(*record) && !m_client->isReadOnly());
    m_actions.showPause(record && record->state == sweep::SweepState::Paused, canChange);
    const auto follow = [](QAction *action, bool isPossible, const QString &why) {
        action->setEnabled(isPossible && why.isEmpty());
        action->setToolTip(why);
    };
    follow(m_actions.edit, record, record ? whyNotEdited(*record, m_client->isReadOnly()) : QString());
    follow(m_actions.undoEdit, record, record ? whyNoEditUndone(*record, m_client->isReadOnly()) : QString());
    const SweepSummary summary =
        record ? m_sideBar->model()->summary(record->id, m_client->trials(record->id)) : SweepSummary();
    follow(m_actions.retryFailed, record,
           m_client->isReadOnly() ? tr("This window looks on only")
           : summary.failed == 0  ? tr("No trial of it failed or was lost")
                                  : QString());
    if (!record) {
        m_strip->showNothing();
        setWindowTitle(m_client->isReadOnly() ? tr("Sweepscope (read-only)") : u"Sweepscope"_s);
        return;
    }
    m_strip->setReadOnly(m_client->isReadOnly());
    m_strip->showSweep(*record, summary, wallNow());
    const QString title = tr("%1 – Sweepscope").arg(QString::fromStdString(record->name));
    setWindowTitle(m_client->isReadOnly() ? tr("%1 (read-only)").arg(title) : title);
}

void MainWindow::followReadOnly()
{
    const bool readOnly = m_client->isReadOnly();
    m_home->setReadOnly(readOnly);
    m_actions.setReadOnly(readOnly);
    updateStrip();
}

void MainWindow::search()
{
    QList<QAction *> actions = m_actions.all() + m_actions.schemes;
    actions.removeOne(m_actions.search);
    (new QuickSearch(quickEntries(this, m_client, actions), this))->open();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_closing->mayCloseNow() || !leaveExports()) {
        event->ignore();
        return;
    }
    m_look.save();
    event->accept();
}

}  // namespace sweepscope::ui
