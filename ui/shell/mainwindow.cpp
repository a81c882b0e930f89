#include "ui/shell/mainwindow.h"

#include "base/installation.h"
#include "sweep/probe.h"
#include "sweep/sweepfile.h"
#include "ui/actions/sweepundo.h"
#include "ui/actions/trialcommands.h"
#include "ui/analysis/analysispage.h"
#include "ui/base/emptyview.h"
#include "ui/base/openquestion.h"
#include "ui/base/taborder.h"
#include "ui/devices/devicespage.h"
#include "ui/editor/editorpage.h"
#include "ui/editor/sweeppage.h"
#include "ui/exporting/exportdialogs.h"
#include "ui/findings/findingspage.h"
#include "ui/home/enginestatus.h"
#include "ui/home/exampletitles.h"
#include "ui/home/helpdialogs.h"
#include "ui/home/homepage.h"
#include "ui/home/quicksearch.h"
#include "ui/home/sweepsidebar.h"
#include "ui/home/sweepstrip.h"
#include "ui/live/livepage.h"
#include "ui/logs/logspage.h"
#include "ui/media/mediapage.h"
#include "ui/models/freename.h"
#include "ui/models/installedworker.h"
#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"
#include "ui/plot/picturesaver.h"
#include "ui/probe/probepage.h"
#include "ui/shell/connectionnotice.h"
#include "ui/shell/guidepage.h"
#include "ui/shell/joindialog.h"
#include "ui/shell/loadingcover.h"
#include "ui/shell/machinemenu.h"
#include "ui/shell/machineoffer.h"
#include "ui/shell/pagebar.h"
#include "ui/shell/preferencesdialog.h"
#include "ui/shell/quickentries.h"
#include "ui/shell/sweepcommands.h"
#include "ui/shell/sweepimport.h"
#include "ui/shell/sweeprequests.h"
#include "ui/shell/windowclosing.h"
#include "ui/theme/icons.h"
#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timelinepage.h"
#include "ui/trial/trialpage.h"
#include "ui/trials/trialspage.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QScopedValueRollback>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr QSize firstSize(1280, 800);
constexpr QSize smallestSize(900, 600);
constexpr int frameHeight = 40;  // most that window managers add
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
      m_windowSettings(this, m_splitter, theme, settings),
      m_sideBar(new SweepSideBar(client, &m_selection, this)),
      m_strip(new SweepStrip(this)),
      m_pages(new QStackedWidget(this)),
      m_navigator(new Navigator(m_pages, &m_selection, this)),
      m_pageBar(new PageBar(this)),
      m_home(new HomePage(m_sideBar->model(), &m_selection, settings, this)),
      m_sweepPage(new SweepPage(client, &m_selection, m_editor, this)),
      m_live(new LivePage(client, &m_selection, settings, this)),
      m_trials(new TrialsPage(client, &m_selection, settings, this)),
      m_trial(new TrialPage(client, &m_selection, this)),
      m_logs(new LogsPage(client, &m_selection, settings, this)),
      m_timeline(new TimelinePage(client, &m_selection, this)),
      m_findings(new FindingsPage(client, &m_selection, this)),
      m_media(new MediaPage(client, &m_selection, this)),
      m_devices(new DevicesPage(client, &m_selection, settings, this)),
      m_analysis(new AnalysisPage(client, &m_selection, settings, this)),
      m_probe(new ProbePage(client, &m_selection, this)),
      m_results(new QStackedWidget(this)),
      m_closing(new WindowClosing(this, client, m_editor, m_actions.save)),
      m_commands(new SweepCommands(client, &m_selection, m_sideBar->model(), &m_actions, m_strip, this)),
      m_sweepUndo(new SweepUndo(client, this))
{
    setObjectName(u"mainWindow"_s);
    setWindowTitle(u"Sweepscope"_s);
    setWindowIcon(applicationIcon());
    buildPages();
    connectActions(theme);
    connectSweepLists();
    connectPages();
    connectClient();
    const QSize room = screen()->availableSize() - QSize(0, frameHeight);
    setMinimumSize(smallestSize.boundedTo(room));
    resize(firstSize.boundedTo(room));
    m_windowSettings.restore();
    m_actions.checkScheme(theme->scheme());
    connect(theme, &Theme::schemeChanged, this, [this, theme] { m_actions.checkScheme(theme->scheme()); });
    m_actions.showTextSize(theme->textSize());
    connect(theme, &Theme::textSizeChanged, this, [this, theme] { m_actions.showTextSize(theme->textSize()); });
    orderTabs(m_splitter);
}

MainWindow::~MainWindow() = default;

QString MainWindow::examplePath() const
{
    return firstExample(m_client->isMirror() ? std::filesystem::path() : workerOfEngine());
}

void MainWindow::buildPages()
{
    const std::tuple<QWidget *, QString, QString, QString> pages[] = {
        {m_home, u"home"_s, tr("Home"), tr("All sweeps of this workspace (Alt+Home)")},
        {m_devices, u"devices"_s, tr("Devices"), tr("GPUs and cores of the machines, and their users (Ctrl+9)")},
        {m_sweepPage, u"sweep"_s, tr("Definition"), tr("Definition of the sweep (Ctrl+1)")},
        {m_trials, u"trials"_s, tr("Trials"), tr("All trials of the sweep, and their curves (Ctrl+2)")},
        {m_results, u"analysis"_s, tr("Analysis"), tr("Important parameters and their best values (Ctrl+3)")},
        {m_timeline, u"timeline"_s, tr("Timeline"), tr("Devices of trials over time (Ctrl+4)")},
        {m_findings, u"findings"_s, tr("Findings"), tr("Problems of the sweep's trials (Ctrl+5)")},
        {m_media, u"media"_s, tr("Media"), tr("Images, histograms, texts and tables of the trials (Ctrl+Shift+M)")},
        {m_trial, u"trial"_s, tr("Overview"), tr("Details of the trial (Ctrl+6)")},
        {m_live, u"live"_s, tr("Live"), tr("Curves of the trial's ranks and devices (Ctrl+7)")},
        {m_logs, u"logs"_s, tr("Logs"), tr("Output of the trial's ranks (Ctrl+8)")},
    };
    m_pages->setObjectName(u"pages"_s);
    m_results->addWidget(m_analysis);
    m_results->addWidget(m_probe);
    connect(m_commands, &SweepCommands::probeShown, this, [this](bool isProbe) {
        m_results->setCurrentWidget(isProbe ? static_cast<QWidget *>(m_probe) : m_analysis);
        setFirstForKeys(m_results, firstForKeys(m_results->currentWidget()));
    });
    setFirstForKeys(m_results, firstForKeys(m_analysis));
    for (const auto &[page, name, title, toolTip] : pages) {
        const Scope scope = scopeOf(static_cast<Page>(m_pages->count()));
        QToolButton *button = m_navigator->add(page, name, title, toolTip);
        if (scope == Scope::Workspace)
            m_sideBar->addPage(button);
        else if (scope == Scope::Sweep)
            m_pageBar->addSweepPage(button);
        else
            m_pageBar->addTrialPage(button);
    }
    // The side bar has these buttons, too.
    m_editor->hideOpeningButtons();

    auto *center = new QWidget(this);
    auto *layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip);
    layout->addWidget(m_pageBar);
    auto *line = new QFrame(center);
    line->setFrameShape(QFrame::HLine);
    line->setObjectName(u"pageLine"_s);
    layout->addWidget(line);
    layout->addWidget(new ConnectionNotice(m_client, m_pages, center));
    auto *offer = new MachineOffer(m_client, center);
    connect(offer, &MachineOffer::accepted, this, &MainWindow::addMachineElsewhere);
    layout->addWidget(offer);
    layout->addWidget(m_pages, 1);

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
    statusBar()->addPermanentWidget(status, 1);  // so that messages do not replace it
    connect(statusBar(), &QStatusBar::messageChanged, status, &EngineStatus::setMessage);
}

void MainWindow::connectActions(const Theme *theme)
{
    // The actions of the editor work anywhere in the window.
    for (QAction *action : m_actions.editor) {
        action->setShortcutContext(Qt::WindowShortcut);
        connect(action, &QAction::triggered, this, &MainWindow::showEditor);
    }
    connect(m_actions.newSweep, &QAction::triggered, m_editor, &EditorPage::beginAtName);  // it was hidden until now
    connect(m_actions.start, &QAction::triggered, this, [this] {
        // Do not launch a sweep that is hidden behind another one.
        const bool isSeen = m_sweepPage->isEditing() && m_editor->isVisible();
        showEditor();
        if (!isSeen)
            return;
        if (const QString whyNot = m_editor->submit(); !whyNot.isEmpty())
            showPageMessage(whyNot);
    });
    connect(m_actions.edit, &QAction::triggered, this, [this] { editSweep(sweepId()); });
    connect(m_actions.undoEdit, &QAction::triggered, this, [this] { m_editor->undoLastEdit(sweepId()); });
    connect(m_actions.exportCsv, &QAction::triggered, this, &MainWindow::exportCsv);
    connect(m_actions.savePlot, &QAction::triggered, this, &MainWindow::exportPlots);
    connect(m_actions.copyPlot, &QAction::triggered, this, [this] {
        if (PictureSaver *pictures = picturesOfPage())
            pictures->copy();
    });
    connect(m_actions.preferences, &QAction::triggered, this, [this, theme] {
        if (hasOpenQuestion(this))
            return;
        auto *dialog = new PreferencesDialog(*theme, m_client->isMirror(), this);
        connect(dialog, &PreferencesDialog::schemeChosen, this,
                [this](ColorScheme scheme) { m_windowSettings.setScheme(scheme); });
        connect(dialog, &PreferencesDialog::textSizeChosen, this,
                [this](int percent) { m_windowSettings.setTextSizePercent(percent); });
        dialog->open();
    });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    auto *machines = new MachineMenu(m_settings, this);
    m_actions.file->insertMenu(m_actions.belowMachines, machines);
    connect(m_home, &HomePage::machineRequested, machines, &MachineMenu::ask);
    connect(machines, &MachineMenu::chosen, this, &MainWindow::openMachine);
    auto *import = new SweepImport(executableFolder() / "sweepctl", this);
    connect(m_actions.importSweep, &QAction::triggered, import, &SweepImport::chooseFile);
    connect(import, &SweepImport::imported, this, &MainWindow::openImported);
    connect(import, &SweepImport::failed, this, [this](const QString &reason) {
        auto *box =
            new QMessageBox(QMessageBox::Warning, tr("Import sweep"), sentenceText(reason), QMessageBox::Ok, this);
        box->setObjectName(u"importProblem"_s);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
    connect(m_actions.readOnly, &QAction::toggled, m_client, &protocol::EngineClient::setReadOnly);
    for (int page = 0; page < m_actions.pages.size(); ++page)
        connect(m_actions.pages[page], &QAction::triggered, m_navigator,
                [this, page] { m_navigator->openByKey(static_cast<Page>(page)); });
    connect(m_actions.sideBar, &QAction::toggled, m_sideBar, &QWidget::setVisible);
    connect(m_actions.fullScreen, &QAction::toggled, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
    for (QAction *action : m_actions.schemes) {
        connect(action, &QAction::triggered, this,
                [this, action] { m_windowSettings.setScheme(static_cast<ColorScheme>(action->data().toInt())); });
    }
    connect(m_actions.largerText, &QAction::triggered, this, [this] { m_windowSettings.setTextSize(1); });
    connect(m_actions.smallerText, &QAction::triggered, this, [this] { m_windowSettings.setTextSize(-1); });
    connect(m_actions.usualText, &QAction::triggered, this, [this] { m_windowSettings.setTextSize(0); });
    connect(m_actions.search, &QAction::triggered, this, &MainWindow::search);
    m_logs->addSearchAction(m_actions.searchLogs);
    connect(m_actions.searchLogs, &QAction::triggered, this, [this] {
        if (m_navigator->current() != Page::Logs)
            m_navigator->openByKey(Page::Logs);
        m_logs->searchAllTrials();
    });
    connect(m_actions.guide, &QAction::triggered, this, [this] {
        const QString page = m_navigator->names().at(static_cast<int>(m_navigator->current()));
        const QUrl url = guidePage(page, shareFolder());
        if (url.isEmpty() || !QDesktopServices::openUrl(url))
            statusBar()->showMessage(
                url.isEmpty()
                    ? tr("The user's guide is not installed. Its pages are also in docs/guide of the source code.")
                    : tr("The user's guide is in %1, but no browser opened it.").arg(url.toLocalFile()),
                10'000);
    });
    connect(m_actions.shortcuts, &QAction::triggered, this, [this] { showShortcuts(m_actions.all(), this); });
    connect(m_actions.about, &QAction::triggered, this, [this] { showAbout(this); });
}

/// In a window of its own, so that neither has to give up what it shows.
void MainWindow::openMachine(const QString &address)
{
    if (!QProcess::startDetached(QApplication::applicationFilePath(), {address}))
        statusBar()->showMessage(tr("Cannot open a new window."), 10'000);
}

/// In a window on the workspace of this machine, which takes the place of this one.
void MainWindow::addMachineElsewhere(const QString &address)
{
    if (QProcess::startDetached(QApplication::applicationFilePath(), {u"--add-machine"_s, address}))
        close();
    else
        statusBar()->showMessage(tr("Cannot open a new window."), 10'000);
}

void MainWindow::addMachine(const QString &address)
{
    showPage(Page::Devices);
    m_devices->addMachine(address);
}

void MainWindow::connectSweepLists()
{
    connect(m_navigator, &Navigator::opened, this, [this](Page page) {
        clearPageMessage();
        if (page == Page::Sweep && !m_opensEditor)
            m_sweepPage->showDefinition(sweepId());  // of the sweep that the page before was about
        followPage();
    });
    connect(m_sweepPage, &QStackedWidget::currentChanged, this, &MainWindow::followPage);
    connect(m_editor, &EditorPage::draftChanged, this, &MainWindow::followPage);
    connect(&m_selection, &SelectionModel::changed, this, [this](const Selection &now, const Selection &before) {
        if (now.sweepId != before.sweepId)
            clearPageMessage();
        m_pageBar->setTrial(now.trial);
        m_pageBar->setRun(isRun(now.sweepId));
        const bool comparesTrials = m_navigator->current() == Page::Trials || m_navigator->current() == Page::Analysis;
        if (comparesTrials && isRun(now.sweepId))
            showPage(Page::Trial);
    });
    followPage();
    connect(m_sideBar, &SweepSideBar::requested, this, &MainWindow::carryOutRequest);
    connect(m_home, &HomePage::requested, this, &MainWindow::carryOutRequest);
    for (QWidget *list : std::initializer_list<QWidget *>{m_sideBar, m_home})
        m_sweepUndo->addShortcutTo(list);
    connect(m_sideBar, &SweepSideBar::newRequested, m_actions.newSweep, &QAction::trigger);
    connect(m_sideBar, &SweepSideBar::openRequested, m_actions.open, &QAction::trigger);
    connect(m_sideBar, &SweepSideBar::exampleRequested, this, &MainWindow::openFile);
    connect(m_home, &HomePage::exampleRequested, this, &MainWindow::openExample);
    const auto openSweep = [this](qint64 id) {
        const sweep::SweepRecord *record = m_client->sweep(id);
        m_selection.selectSweep(id);
        m_sweepPage->showDefinition(id);
        if (scopeOf(m_navigator->current()) == Scope::Workspace)
            showPage(record && sweep::isActive(record->state) ? Page::Live : isRun(id) ? Page::Trial : Page::Trials);
    };
    connect(m_sideBar, &SweepSideBar::sweepSelected, this, openSweep);
    connect(m_home, &HomePage::sweepOpened, this, openSweep);
    connect(m_home, &HomePage::sweepChosen, this, [this](qint64 id) { m_selection.selectSweep(id); });
    connect(m_sweepPage, &SweepPage::editRequested, this, &MainWindow::editSweep);
    connect(m_sweepPage, &SweepPage::copyRequested, this, &MainWindow::copySweep);
    connect(m_strip, &SweepStrip::exportRequested, this, &MainWindow::exportCsv);
    connect(m_strip, &SweepStrip::trialRequested, this,
            [this](int number) { m_navigator->openTrial(sweepId(), number, Page::Live); });
    connect(m_strip, &SweepStrip::failuresRequested, this, [this] { m_navigator->openByKey(Page::Findings); });
    connect(m_strip, &SweepStrip::probeRequested, this, [this] { m_navigator->openByKey(Page::Analysis); });
    connect(m_editor, &EditorPage::sweepLaunched, this, [this](qint64 id) {
        m_chooseOnArrival = false;
        m_selection.selectSweep(id);
        showPage(Page::Live);
    });
    connect(m_closing, &WindowClosing::applyRequested, this, [this] {
        showEditor();
        m_editor->submit();
    });
}

void MainWindow::connectPages()
{
    // The pages of a trial link to each other.
    const auto leadsTo = [this](Page page) {
        return [this, page](qint64 id, int number) { m_navigator->openTrial(id, number, page); };
    };
    const auto leadsToLog = [this](qint64 id, int number) { openLog(id, number); };
    connect(m_trials, &TrialsPage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_trials, &TrialsPage::liveRequested, this, leadsTo(Page::Live));
    connect(m_trials, &TrialsPage::logsRequested, this, leadsToLog);
    connect(m_trial, &TrialPage::liveRequested, this, leadsTo(Page::Live));
    connect(m_trial, &TrialPage::logRequested, this, leadsToLog);
    connect(m_trial, &TrialPage::findingRequested, this, [this](const diagnosis::Finding &finding) {
        m_navigator->openByKey(Page::Findings);
        m_findings->showFinding(finding);
    });
    connect(m_live, &LivePage::logRequested, this, leadsToLog);
    connect(m_commands, &SweepCommands::printedChanged, m_live, &LivePage::setPrinted);
    connect(m_live, &LivePage::detailsRequested, this, leadsTo(Page::Trial));
    // While nothing has run, each of them offers the first step.
    for (const QWidget *page :
         std::initializer_list<QWidget *>{m_live, m_logs, m_timeline, m_findings, m_media, m_analysis}) {
        for (EmptyView *empty : page->findChildren<EmptyView *>())
            connect(empty, &EmptyView::actionTriggered, this, &MainWindow::showEditor);
    }
    connect(m_live, &LivePage::menuRequested, this, &MainWindow::showTileMenu);
    connect(m_trials, &TrialsPage::newSweepRequested, this, &MainWindow::showEditor);
    std::vector<PictureSaver *> savers = m_analysis->allPictures();
    savers.insert(savers.end(), {m_live->pictures(), m_trial->pictures(), m_trials->pictures(), m_timeline->pictures(),
                                 m_devices->pictures()});
    for (PictureSaver *pictures : savers) {
        pictures->setSettings(m_settings);
        connect(pictures, &PictureSaver::reported, this, &MainWindow::showPageMessage);
    }
    connect(m_trials, &TrialsPage::reported, this, &MainWindow::showPageMessage);
    connect(m_sweepUndo, &SweepUndo::reported, this,
            [this](const QString &sentence) { statusBar()->showMessage(sentence, 10'000); });
    connect(m_timeline, &TimelinePage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_findings, &FindingsPage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_findings, &FindingsPage::logRequested, this, leadsToLog);
    connect(m_findings, &FindingsPage::divergedChanged, m_trials, &TrialsPage::setDiverged);
    connect(m_findings, &FindingsPage::countChanged, this, [this](int count) {
        m_navigator->setTitle(Page::Findings, count == 0 ? tr("Findings") : tr("Findings (%L1)").arg(count));
        m_pageBar->fitLater();
    });
    connect(m_media, &MediaPage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_media, &MediaPage::reported, this, &MainWindow::showPageMessage);
    connect(m_devices, &DevicesPage::trialRequested, this, leadsTo(Page::Trial));
    connect(m_analysis, &AnalysisPage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_probe, &ProbePage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_probe, &ProbePage::valueRequested, this, &MainWindow::useProbedValue);
    connect(m_analysis, &AnalysisPage::filterRequested, this,
            [this](const QString &filter, const std::vector<int> &trials) {
                m_trials->setFilter(filter, trials);
                m_navigator->openByKey(Page::Trials);
            });
}

void MainWindow::connectClient()
{
    const auto followReadOnly = [this] {
        m_home->setReadOnly(m_client->isReadOnly());
        m_actions.setReadOnly(m_client->isReadOnly());
    };
    followReadOnly();
    connect(m_client, &protocol::EngineClient::readOnlyChanged, this, followReadOnly);
    connect(m_client, &protocol::EngineClient::connected, this,
            [this] { m_home->setWorkspace(m_client->workspaceName()); });
    connect(m_client, &protocol::EngineClient::sweepsChanged, this, [this] {
        chooseFirstSweep();
        m_chooseOnArrival = false;  // a sweep that is launched later must not change the page
    });
    connect(&m_selection, &SelectionModel::changed, this, [this](const Selection &now, const Selection &before) {
        if (now.sweepId == 0 && before.sweepId != 0)  // it was deleted
            showPage(Page::Home);
    });
    const auto showReply = [this](quint64 job, const QString &message) {
        if (m_editor->isDryRun(job))
            return;                       // the following question has the message
        const bool isUnasked = job == 0;  // the user does not expect it
        statusBar()->showMessage(message, isUnasked ? 120'000 : 10'000);
    };
    connect(m_client, &protocol::EngineClient::requestDone, this,
            [showReply](quint64 job, const facts::Facts &reply) { showReply(job, replyText(reply)); });
    connect(m_client, &protocol::EngineClient::requestFailed, this,
            [showReply](quint64 job, const facts::Fact &reason) { showReply(job, reasonText(reason)); });
}

void MainWindow::begin(const QString &sweepFile)
{
    m_home->setWorkspace(m_client->workspaceName());
    m_chooseOnArrival = sweepFile.isEmpty();
    if (!sweepFile.isEmpty())
        openFile(sweepFile);
    else
        openExample();
    m_editor->keepUnsavedIn(m_settings);
    chooseFirstSweep();  // the client may have them already
    if (m_chooseOnArrival && !m_client->isConnected())
        new LoadingCover(m_client, m_splitter->widget(1));
}

void MainWindow::openExample()
{
    if (const QString path = examplePath(); !path.isEmpty())
        openFile(path);
    else
        m_editor->newSweep();
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
    if (m_chooseOnArrival)  // the strip above the editor must not name another sweep than the editor shows
        m_sweepPage->showDefinition(newest->id);
    if (m_chooseOnArrival)
        showPage(active ? Page::Live : isRun(newest->id) ? Page::Trial : Page::Trials);
    m_chooseOnArrival = false;
}

void MainWindow::openFile(const QString &path)
{
    m_editor->openFile(path);
    showEditor();
}

void MainWindow::openImported(const QString &file, const QString &toml)
{
    const QFileInfo info(file);
    m_editor->setSweep(sweep::parseSweep(toml.toStdString()).spec, info.absolutePath(),
                       tr("Import of %1").arg(info.fileName()), toml.toStdString());
    showEditor();
}

/// Also selects the sweep, so that strip and editor agree.
void MainWindow::carryOutRequest(SweepRequest request, const QList<qint64> &sweeps)
{
    switch (request) {
    case SweepRequest::Edit:
        return editSweep(sweeps.front());
    case SweepRequest::Clone:
        return copySweep(sweeps.front());
    case SweepRequest::Rename:
        return askForName(
            sweeps.front(), m_client,
            [this, id = sweeps.front()](const QString &name) { m_commands->rename(id, name); }, this);
    case SweepRequest::Join:
        return joinSweeps(sweeps);
    default:
        return carryOut(request, sweeps, m_client, m_sweepUndo, this);
    }
}

void MainWindow::joinSweeps(const QList<qint64> &sweeps)
{
    if (m_client->isReadOnly() || hasOpenQuestion(this))
        return;
    auto *dialog = new JoinDialog(m_client, sweeps, this);
    connect(dialog, &JoinDialog::joined, this, [this](qint64 id) {
        m_selection.selectSweep(id);
        showPage(Page::Trials);
    });
    dialog->open();
}

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

/// In the form if it has the probed sweep, else in a copy of that sweep, or of the probe if its sweep is not here.
void MainWindow::useProbedValue(const QString &parameter, double value)
{
    const sweep::SweepRecord *probe = m_client->sweep(sweepId());
    if (!probe)
        return;
    if (m_editor->offersResultOf(probe->id))
        return showEditor();
    const sweep::SweepRecord *source = probe;
    const std::string probed = sweep::probedName(probe->name);
    QStringList names;
    for (const sweep::SweepRecord &sweep : m_client->sweeps()) {
        names << QString::fromStdString(sweep.name);
        if (sweep.name == probed)
            source = &sweep;  // ends with the newest one
    }
    sweep::SweepSpec copy =
        sweep::withProbedValue(sweep::parseSweep(source->toml).spec, parameter.toStdString(), value);
    if (const QString name = QString::fromStdString(copy.name); names.contains(name))
        copy.name = freeName(name, names).toStdString();
    m_editor->setSweep(copy, QString::fromStdString(source->baseFolder),
                       tr("Copy of %1").arg(QString::fromStdString(source->name)), source->toml);
    showEditor();
}

void MainWindow::showEditor()
{
    const bool wasSeen = m_editor->isVisible();
    m_sweepPage->showEditor();
    {
        const QScopedValueRollback opening(m_opensEditor, true);
        showPage(Page::Sweep);
    }
    if (!wasSeen)
        m_navigator->focusButton();  // rather than the widget that replaced the clicked button
}

bool MainWindow::isRun(qint64 sweepId)
{
    const SweepListModel *sweeps = m_sideBar->model();
    const int row = sweeps->rowOf(sweepId);
    return row >= 0 && sweeps->index(row).data(SweepListModel::IsRunRole).toBool();
}

/// What is above the pages is about the selected sweep, or about a sweep that is being written.
void MainWindow::followPage()
{
    const bool isOfSweep = scopeOf(m_navigator->current()) != Scope::Workspace;
    const bool isDraft =
        m_navigator->current() == Page::Sweep && m_sweepPage->isEditing() && m_editor->editedSweep() == 0;
    const Page pagesWithPlots[] = {Page::Trials, Page::Analysis, Page::Trial, Page::Live, Page::Timeline};
    const bool hasPlots = std::ranges::find(pagesWithPlots, m_navigator->current()) != std::end(pagesWithPlots);
    m_actions.savePlot->setEnabled(hasPlots);
    m_actions.copyPlot->setEnabled(hasPlots);
    m_strip->setVisible(isOfSweep);
    m_pageBar->setVisible(isOfSweep);
    m_sideBar->markSelected(isOfSweep && !isDraft);
    m_pageBar->setDraft(isDraft);
    m_pageBar->setRun(isRun(sweepId()));
    m_commands->setPageTitle(m_navigator->current() == Page::Home      ? tr("Home")
                             : m_navigator->current() == Page::Devices ? tr("Devices")
                                                                       : QString());
    m_commands->setAboutSweep(!isDraft && m_navigator->current() != Page::Devices);
}

/// Shows the actions of the trial table for a running trial.
void MainWindow::showTileMenu(qint64 sweepId, int trial, const QPoint &globalPosition)
{
    auto *menu = new QMenu(this);
    menu->setObjectName(u"tileMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(symbolIcon(u"trial"_s), tr("Show details"), this,
                    [this, sweepId, trial] { m_navigator->openTrial(sweepId, trial, Page::Trial); });
    menu->addAction(symbolIcon(u"logs"_s), tr("Show log"), this, [this, sweepId, trial] { openLog(sweepId, trial); });
    menu->addSeparator();
    addTrialCommands(menu, m_client, m_trials->undo(), sweepId, {trial}, this);
    menu->popup(globalPosition);
}

/// Shows the first error, even if the trial is selected already.
void MainWindow::openLog(qint64 sweepId, int trial)
{
    m_navigator->openTrial(sweepId, trial, Page::Logs);
    m_logs->showError();
}

/// Until another page or sweep is shown, to which the message would not apply.
void MainWindow::showPageMessage(const QString &message)
{
    m_pageMessage = message;
    statusBar()->showMessage(message, 10'000);
}

void MainWindow::clearPageMessage()
{
    if (statusBar()->currentMessage() == std::exchange(m_pageMessage, {}))
        statusBar()->clearMessage();
}

/// Null if the page has no plot; then says so.
PictureSaver *MainWindow::picturesOfPage()
{
    std::vector<PictureSaver *> all{m_analysis->pictures(), m_trial->pictures(),    m_trials->pictures(),
                                    m_live->pictures(),     m_timeline->pictures(), m_devices->pictures()};
    std::ranges::copy(m_analysis->allPictures(), std::back_inserter(all));
    const auto found = std::ranges::find_if(all, [](const PictureSaver *pictures) { return pictures->hasPlot(); });
    if (found != all.end())
        return *found;
    const bool hidesCurves = m_navigator->current() == Page::Trials;
    showPageMessage(hidesCurves ? tr("No plot to export: show the curves of the trials first.")
                                : tr("No plot to export: no curves are shown."));
    return nullptr;
}

/// On the Analysis page, all visible plots can be chosen, the focused one first.
void MainWindow::exportPlots()
{
    PictureSaver *pictures = picturesOfPage();
    if (!pictures || hasOpenQuestion(this))
        return;
    std::vector<PictureSubject> subjects = pictures->subjects();
    if (m_analysis->isVisible()) {
        for (PictureSaver *other : m_analysis->allPictures()) {
            if (other != pictures && other->hasPlot())
                std::ranges::move(other->subjects(), std::back_inserter(subjects));
        }
    }
    pictures->askForFile(std::move(subjects), 0);
}

void MainWindow::exportCsv()
{
    if (!m_client->sweep(sweepId()))
        return;
    ExportScope scope = m_trials->exportScope();
    scope.visible = m_live->visibleRange();
    showExportDialog(m_client, sweepId(), scope, m_settings, this);
}

void MainWindow::search()
{
    QList<QAction *> actions = m_actions.all() + m_actions.schemes;
    actions.removeOne(m_actions.search);
    (new QuickSearch(quickEntries(m_navigator, &m_selection, m_client, actions), this))->open();
}

/// Menus have no tips for the status bar, but would clear its message.
bool MainWindow::event(QEvent *event)
{
    return event->type() == QEvent::StatusTip || QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    const bool mayClose = m_closing->mayCloseNow();
    const bool hasExported = mayClose && closeExportDialogs(this);
    if (mayClose && !hasExported)
        statusBar()->showMessage(tr("An export is in progress: wait for it or cancel it"), 10'000);
    if (!hasExported) {
        event->ignore();
        return;
    }
    m_windowSettings.save();
    event->accept();
}

}  // namespace sweepscope::ui
