// Which sweep and which trial the window's pages show.
#include "ui/analysis/analysispage.h"
#include "ui/devices/devicespage.h"
#include "ui/findings/findingspage.h"
#include "ui/home/homepage.h"
#include "ui/home/sweeppage.h"
#include "ui/home/sweepsidebar.h"
#include "ui/live/livepage.h"
#include "ui/logs/logspage.h"
#include "ui/mainwindow.h"
#include "ui/models/sweepsummary.h"
#include "ui/timeline/timelinepage.h"
#include "ui/trial/trialpage.h"
#include "ui/trials/trialspage.h"

namespace sweepscope::ui {

void MainWindow::leadSweepPagesTo(qint64 sweepId)
{
    m_sweepId = sweepId;
    m_sideBar->selectSweep(sweepId);
    m_home->selectSweep(sweepId);
    m_sweepPage->follow(sweepId);
    m_trials->showSweep(sweepId);
    m_timeline->showSweep(sweepId);
    m_findings->showSweep(sweepId);
    m_devices->showSweep(sweepId);
    m_analysis->showSweep(sweepId);
}

void MainWindow::showSweep(qint64 sweepId)
{
    m_awaitedTrial = 0;
    leadSweepPagesTo(sweepId);
    showBestOrRunningTrial();
    updateStrip();
}

void MainWindow::showBestOrRunningTrial()
{
    const sweep::SweepRecord *record = m_client->sweep(m_sweepId);
    const int number = record ? trialToShow(m_client->trials(m_sweepId), record->goal) : 0;
    m_trialPending = number == 0;
    if (number == 0)
        return;
    if (m_awaitedTrial != 0) {
        showTrial(m_sweepId, m_awaitedTrial);
        return;
    }
    leadPagesTo(m_sweepId, number);
    m_trials->selectTrial(number);
    if (sweep::isActive(record->state))
        m_live->showTrial(m_sweepId, 0);  // from this one on to the next when it ends
}

void MainWindow::showTrial(qint64 sweepId, int trialNumber)
{
    leadPagesTo(sweepId, trialNumber);
    if (sweepId == m_sweepId)
        markTrial(trialNumber);
    m_awaitedTrial = m_client->trials(sweepId).empty() ? trialNumber : 0;
}

void MainWindow::markTrial(int trialNumber)
{
    m_trials->followTrial(trialNumber);
    m_timeline->selectTrial(trialNumber);
    m_analysis->selectTrial(trialNumber);
}

void MainWindow::leadPagesTo(qint64 sweepId, int trialNumber)
{
    m_live->showTrial(sweepId, trialNumber);
    m_trial->showTrial(sweepId, trialNumber);
    m_logs->showTrial(sweepId, trialNumber);
}

void MainWindow::showTrial(qint64 sweepId, int trialNumber, Page page)
{
    showTrial(sweepId, trialNumber);
    showPage(page);
}

void MainWindow::liveTrialChanged(qint64 sweepId, int trialNumber)
{
    if (sweepId != m_sweepId) {
        leadSweepPagesTo(sweepId);
        updateStrip();
    }
    if (!m_trial->isVisible())  // nobody is taken away from what they read
        m_trial->showTrial(sweepId, trialNumber);
    m_logs->showTrial(sweepId, trialNumber);
    if (!m_live->followsNewest())  // what was selected there is the person's
        m_trials->followTrial(trialNumber);
    m_timeline->selectTrial(trialNumber);
    m_analysis->selectTrial(trialNumber);
}

}  // namespace sweepscope::ui
