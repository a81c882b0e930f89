// What leads where: the window's actions, its pages and the engine's client.
#include "ui/analysis/analysispage.h"
#include "ui/base/emptyview.h"
#include "ui/devices/devicespage.h"
#include "ui/editor/editorpage.h"
#include "ui/findings/findingspage.h"
#include "ui/home/helpdialogs.h"
#include "ui/home/homepage.h"
#include "ui/home/sweeppage.h"
#include "ui/home/sweepsidebar.h"
#include "ui/home/sweepstrip.h"
#include "ui/live/livepage.h"
#include "ui/live/picturesaver.h"
#include "ui/logs/logspage.h"
#include "ui/mainwindow.h"
#include "ui/models/reasontext.h"
#include "ui/stopquestion.h"
#include "ui/sweepkeeping.h"
#include "ui/theme/icons.h"
#include "ui/timeline/timelinepage.h"
#include "ui/trial/trialpage.h"
#include "ui/trials/trialcommands.h"
#include "ui/trials/trialspage.h"
#include "ui/windowclosing.h"

#include <QAction>
#include <QMenu>
#include <QStatusBar>

#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

void MainWindow::connectActions()
{
    // The editor's own actions, from anywhere in the window.
    for (QAction *action : m_actions.editor) {
        action->setShortcutContext(Qt::WindowShortcut);
        connect(action, &QAction::triggered, this, &MainWindow::showEditor);
    }
    connect(m_actions.newSweep, &QAction::triggered, m_editor, &EditorPage::beginAtName);  // the page was hidden so far
    connect(m_actions.start, &QAction::triggered, this, [this] {
        // Nobody starts what another sweep hides.
        const bool isSeen = m_sweepPage->isEditing() && m_editor->isVisible();
        showEditor();
        if (!isSeen)
            return;
        if (const QString whyNot = m_editor->submit(); !whyNot.isEmpty())
            statusBar()->showMessage(whyNot, 5'000);
    });
    connect(m_actions.edit, &QAction::triggered, this, [this] { editSweep(sweepId()); });
    connect(m_actions.undoEdit, &QAction::triggered, this, [this] { m_editor->undoLastEdit(sweepId()); });
    connect(m_actions.exportCsv, &QAction::triggered, this, &MainWindow::exportCsv);
    // Where two pages have plots, the one that is shown; from elsewhere the curves.
    const auto pictures = [this] {
        if (m_analysis->isVisible())
            return m_analysis->pictures();
        if (m_trial->isVisible())
            return m_trial->pictures();
        if (PictureSaver *compared = m_trials->pictures())
            return compared;
        showPage(Page::Live);
        return m_live->pictures();
    };
    connect(m_actions.savePlot, &QAction::triggered, this, [pictures] { pictures()->askForFile(); });
    connect(m_actions.copyPlot, &QAction::triggered, this, [pictures] { pictures()->copy(); });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.readOnly, &QAction::toggled, m_client, &protocol::EngineClient::setReadOnly);
    connect(m_actions.stop, &QAction::triggered, this, [this] { askToStop(m_client, sweepId(), this); });
    for (int page = 0; page < m_actions.pages.size(); ++page)
        connect(m_actions.pages[page], &QAction::triggered, this, [this, page] {
            showPage(static_cast<Page>(page));
            focusPage();
        });
    connect(m_actions.sideBar, &QAction::toggled, m_sideBar, &QWidget::setVisible);
    connect(m_actions.fullScreen, &QAction::toggled, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
    for (QAction *action : m_actions.schemes) {
        connect(action, &QAction::triggered, this,
                [this, action] { m_look.setScheme(static_cast<ColorScheme>(action->data().toInt())); });
    }
    connect(m_actions.largerText, &QAction::triggered, this, [this] { m_look.setTextSize(1); });
    connect(m_actions.smallerText, &QAction::triggered, this, [this] { m_look.setTextSize(-1); });
    connect(m_actions.usualText, &QAction::triggered, this, [this] { m_look.setTextSize(0); });
    connect(m_actions.search, &QAction::triggered, this, &MainWindow::search);
    connect(m_actions.shortcuts, &QAction::triggered, this, [this] { showShortcuts(m_actions.all(), this); });
    connect(m_actions.about, &QAction::triggered, this, [this] { showAbout(this); });
}

void MainWindow::connectPages()
{
    connect(m_sideBar, &SweepSideBar::newRequested, m_actions.newSweep, &QAction::trigger);
    connect(m_sideBar, &SweepSideBar::openRequested, m_actions.open, &QAction::trigger);
    connect(m_sideBar, &SweepSideBar::exampleRequested, this, &MainWindow::openFile);
    connect(m_sideBar, &SweepSideBar::editRequested, this, &MainWindow::editSweep);
    connect(m_sideBar, &SweepSideBar::copyRequested, this, &MainWindow::copySweep);
    connect(m_sideBar, &SweepSideBar::stopRequested, this,
            [this](qint64 sweepId) { askToStop(m_client, sweepId, this); });
    connect(m_sideBar, &SweepSideBar::sweepSelected, this, [this](qint64 sweepId) {
        m_selection.selectSweep(sweepId);
        m_sweepPage->showDefinition(sweepId);
    });
    const auto archive = [this](qint64 sweepId, bool archived) { setArchived(m_client, sweepId, archived); };
    const auto deletion = [this](qint64 sweepId) { askToDelete(m_client, sweepId, this); };
    connect(m_sideBar, &SweepSideBar::archiveRequested, this, archive);
    connect(m_sideBar, &SweepSideBar::deleteRequested, this, deletion);
    connect(m_home, &HomePage::archiveRequested, this, archive);
    connect(m_home, &HomePage::deleteRequested, this, deletion);
    connect(m_home, &HomePage::newRequested, m_actions.newSweep, &QAction::trigger);
    connect(m_home, &HomePage::openRequested, m_actions.open, &QAction::trigger);
    connect(m_home, &HomePage::exampleRequested, this, [this] { openFile(examplePath()); });
    connect(m_home, &HomePage::editRequested, this, &MainWindow::editSweep);
    connect(m_home, &HomePage::copyRequested, this, &MainWindow::copySweep);
    connect(m_home, &HomePage::stopRequested, this, [this](qint64 sweepId) { askToStop(m_client, sweepId, this); });
    connect(m_home, &HomePage::sweepOpened, this, [this](qint64 sweepId) {
        const sweep::SweepRecord *record = m_client->sweep(sweepId);
        m_selection.selectSweep(sweepId);
        m_sweepPage->showDefinition(sweepId);
        showPage(record && sweep::isActive(record->state) ? Page::Live : Page::Trials);
    });
    connect(m_sweepPage, &SweepPage::editRequested, this, &MainWindow::editSweep);
    connect(m_sweepPage, &SweepPage::copyRequested, this, &MainWindow::copySweep);
    connect(m_strip, &SweepStrip::stopRequested, this, [this] { askToStop(m_client, sweepId(), this); });
    const auto ask = [this](sweep::Control::Action action) {
        sweep::Control control;
        control.action = action;
        m_client->control(sweepId(), control);
    };
    connect(m_actions.pause, &QAction::triggered, this, [this, ask] {
        const sweep::SweepRecord *record = m_client->sweep(sweepId());
        const bool isPaused = record && record->state == sweep::SweepState::Paused;
        ask(isPaused ? sweep::Control::Action::Resume : sweep::Control::Action::Pause);
    });
    connect(m_actions.retryFailed, &QAction::triggered, this, [ask] { ask(sweep::Control::Action::Retry); });
    connect(m_strip, &SweepStrip::pauseRequested, this, [ask] { ask(sweep::Control::Action::Pause); });
    connect(m_strip, &SweepStrip::resumeRequested, this, [ask] { ask(sweep::Control::Action::Resume); });
    connect(m_strip, &SweepStrip::exportRequested, this, &MainWindow::exportCsv);
    connect(m_strip, &SweepStrip::trialRequested, this,
            [this](int number) { openTrial(sweepId(), number, Page::Live); });
    connect(m_editor, &EditorPage::sweepLaunched, this, [this](qint64 sweepId) {
        m_chooseOnArrival = false;
        m_selection.selectSweep(sweepId);
        showPage(Page::Live);
    });
    connect(m_closing, &WindowClosing::applyRequested, this, [this] {
        showEditor();
        m_editor->submit();
    });
    // The pages of one trial lead to each other.
    const auto leadsTo = [this](Page page) {
        return [this, page](qint64 id, int number) { openTrial(id, number, page); };
    };
    connect(m_trials, &TrialsPage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_trials, &TrialsPage::liveRequested, this, leadsTo(Page::Live));
    connect(m_trials, &TrialsPage::logsRequested, this, leadsTo(Page::Logs));
    connect(m_trial, &TrialPage::liveRequested, this, leadsTo(Page::Live));
    connect(m_trial, &TrialPage::logRequested, this, leadsTo(Page::Logs));
    connect(m_trial, &TrialPage::findingRequested, this, [this](const diagnosis::Finding &finding) {
        showPage(Page::Findings);
        focusPage();
        m_findings->showFinding(finding);
    });
    connect(m_live, &LivePage::logRequested, this, leadsTo(Page::Logs));
    connect(m_live, &LivePage::detailsRequested, this, leadsTo(Page::Trial));
    // Where nothing has run yet, each of them offers the first step.
    for (const QWidget *page : std::initializer_list<QWidget *>{m_live, m_logs, m_timeline, m_findings, m_analysis}) {
        for (EmptyView *empty : page->findChildren<EmptyView *>())
            connect(empty, &EmptyView::actionTriggered, this, &MainWindow::showEditor);
    }
    connect(m_live, &LivePage::menuRequested, this, &MainWindow::showTileMenu);
    connect(m_trials, &TrialsPage::newSweepRequested, this, &MainWindow::showEditor);
    const auto repeat = [this](const QString &sentence) { statusBar()->showMessage(sentence, 10'000); };
    connect(m_live->pictures(), &PictureSaver::told, this, repeat);
    connect(m_trial->pictures(), &PictureSaver::told, this, repeat);
    for (const PictureSaver *pictures : m_analysis->allPictures())
        connect(pictures, &PictureSaver::told, this, repeat);
    connect(m_trials, &TrialsPage::told, this, repeat);
    connect(m_timeline, &TimelinePage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_findings, &FindingsPage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_devices, &DevicesPage::trialRequested, this, leadsTo(Page::Trial));
    connect(m_analysis, &AnalysisPage::trialActivated, this, leadsTo(Page::Trial));
    connect(m_analysis, &AnalysisPage::filterRequested, this,
            [this](const QString &filter, const std::vector<int> &trials) {
                m_trials->setFilter(filter, trials);
                showPage(Page::Trials);
                focusPage();
            });
}

/// What the table of trials offers for a trial that runs.
void MainWindow::showTileMenu(qint64 sweepId, int trial, const QPoint &globalPosition)
{
    auto *menu = new QMenu(this);
    menu->setObjectName(u"tileMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(symbolIcon(u"trial"_s), tr("Show details"), this,
                    [this, sweepId, trial] { openTrial(sweepId, trial, Page::Trial); });
    menu->addAction(symbolIcon(u"logs"_s), tr("Show logs"), this,
                    [this, sweepId, trial] { openTrial(sweepId, trial, Page::Logs); });
    menu->addSeparator();
    addTrialCommands(menu, m_client, m_trials->undo(), sweepId, {trial}, this);
    menu->popup(globalPosition);
}

void MainWindow::connectClient()
{
    m_stripUpdate.setSingleShot(true);
    m_stripUpdate.setInterval(100ms);
    connect(&m_stripUpdate, &QTimer::timeout, this, &MainWindow::updateStrip);
    m_stripTick.setInterval(1s);
    connect(&m_stripTick, &QTimer::timeout, this, &MainWindow::updateStrip);
    m_stripTick.start();

    connect(m_client, &protocol::EngineClient::readOnlyChanged, this, &MainWindow::followReadOnly);
    followReadOnly();
    connect(m_client, &protocol::EngineClient::silentChanged, this, [this](bool silent) {
        m_strip->setEngineSilent(silent);
        updateStrip();
    });
    connect(m_client, &protocol::EngineClient::connected, this,
            [this] { m_home->setWorkspace(m_client->workspace()); });
    connect(m_client, &protocol::EngineClient::sweepsChanged, this, [this] {
        chooseFirstSweep();
        m_chooseOnArrival = false;  // a sweep that somebody starts later does not take the page away
        updateStrip();
    });
    connect(m_client, &protocol::EngineClient::trialsChanged, this, [this](qint64 sweepId) {
        if (sweepId == this->sweepId() && !m_stripUpdate.isActive())
            m_stripUpdate.start();
    });
    connect(&m_selection, &SelectionModel::changed, this, [this](const Selection &now, const Selection &before) {
        if (now.sweepId == before.sweepId)
            return;
        updateStrip();
        if (now.sweepId == 0)  // it was deleted
            showPage(Page::Home);
    });
    const auto tell = [this](quint64 job, const QString &message) {
        if (m_editor->isDryRun(job))
            return;                       // the question that follows says it
        const bool isUnasked = job == 0;  // nobody looks for it at that moment
        statusBar()->showMessage(message, isUnasked ? 120'000 : 10'000);
    };
    connect(m_client, &protocol::EngineClient::requestDone, this,
            [tell](quint64 job, const facts::Facts &reply) { tell(job, replyText(reply)); });
    connect(m_client, &protocol::EngineClient::requestFailed, this,
            [tell](quint64 job, const facts::Fact &reason) { tell(job, reasonText(reason)); });
}

}  // namespace sweepscope::ui
