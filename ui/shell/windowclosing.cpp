#include "ui/shell/windowclosing.h"

#include "protocol/engineclient.h"
#include "ui/base/openquestion.h"
#include "ui/base/stopquestion.h"
#include "ui/editor/editedsweep.h"
#include "ui/editor/editorpage.h"
#include "ui/models/reasontext.h"
#include "ui/shell/closequestion.h"

#include <QAction>
#include <QMainWindow>
#include <QMessageBox>
#include <QStatusBar>

#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto longestWaitForStop = 5s;

}  // namespace

WindowClosing::WindowClosing(QMainWindow *window, protocol::EngineClient *client, EditorPage *editor, QAction *save)
    : QObject(window), m_window(window), m_client(client), m_editor(editor), m_save(save)
{
    connect(m_editor, &EditorPage::sweepLaunched, this, [this] { m_draftIsSafe = true; });
    connect(m_editor, &EditorPage::draftChanged, this, [this] { m_draftIsSafe = false; });
    connect(m_client, &protocol::EngineClient::requestDone, this, &WindowClosing::stopAnswered);
    connect(m_client, &protocol::EngineClient::requestFailed, this, &WindowClosing::stopFailed);
    m_longestWait.setSingleShot(true);
    m_longestWait.setInterval(longestWaitForStop);
    connect(&m_longestWait, &QTimer::timeout, this, &WindowClosing::close);
}

bool WindowClosing::mayCloseNow()
{
    return m_decided || (!askAboutDraft() && !askAboutTrials());
}

bool WindowClosing::askAboutDraft()
{
    const bool isOfASweep = m_client->sweep(m_editor->editedSweep()) != nullptr;
    if (m_draftIsSafe || !(isOfASweep ? m_editor->hasChanges() : m_editor->isModified()))
        return false;
    if (hasOpenQuestion(m_window))
        return true;
    QMessageBox *question = draftQuestion();
    connect(question, &QDialog::finished, this, [this, question] {
        switch (unsavedChoiceOf(question)) {
        case UnsavedChoice::Cancel:
            return;
        case UnsavedChoice::Save:
            m_save->trigger();
            return;
        case UnsavedChoice::Apply:
            Q_EMIT applyRequested();
            return;
        case UnsavedChoice::Discard:
            m_draftIsSafe = true;
            m_window->close();
        }
    });
    question->open();
    return true;
}

/// An existing sweep cannot be saved as a draft, only applied.
QMessageBox *WindowClosing::draftQuestion()
{
    const sweep::SweepRecord *record = m_client->sweep(m_editor->editedSweep());
    return record ? unappliedQuestion(numberedName(*record), m_editor->whyNotApplied(), m_window)
                  : unsavedQuestion(m_window);
}

bool WindowClosing::askAboutTrials()
{
    const GoingOn goingOn = whatGoesOn(*m_client);
    if (!goingOn.any || !m_client->isConnected() || m_client->isReadOnly())
        return false;
    if (hasOpenQuestion(m_window))
        return true;
    QMessageBox *question = closeQuestion(goingOn, m_window);
    connect(question, &QDialog::finished, this, [this, question] {
        switch (choiceOf(question)) {
        case CloseChoice::Cancel:
            return;
        case CloseChoice::StopAllAndClose:
            stopAll();
            return;
        case CloseChoice::Close:
            m_decided = true;
            close();
        }
    });
    question->open();
    return true;
}

void WindowClosing::stopAll()
{
    m_decided = true;
    for (const sweep::SweepRecord &record : m_client->sweeps()) {
        if (mayBeStopped(record))
            m_stopJobs.insert(m_client->stopSweep(record.id));
    }
    if (m_stopJobs.empty())
        return close();
    m_window->setEnabled(false);
    m_window->statusBar()->showMessage(tr("Stopping trials…"));
    m_longestWait.start();
}

void WindowClosing::stopAnswered(quint64 job)
{
    if (m_stopJobs.erase(job) > 0 && m_stopJobs.empty())
        close();
}

void WindowClosing::stopFailed(quint64 job, const facts::Fact &why)
{
    if (!m_stopJobs.contains(job))
        return;
    if (!whatGoesOn(*m_client).any)  // it ended by itself
        return stopAnswered(job);
    reopen();
    m_window->statusBar()->showMessage(tr("Trials were not stopped: %1").arg(reasonText(why)));
}

void WindowClosing::close()
{
    if (!m_window->close())
        reopen();  // an export is in progress, and the status bar says so
}

void WindowClosing::reopen()
{
    m_longestWait.stop();
    m_stopJobs.clear();
    m_decided = false;
    m_window->setEnabled(true);
}

}  // namespace sweepscope::ui
