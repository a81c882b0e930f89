#pragma once

#include <QObject>
#include <QTimer>

#include <set>

class QAction;
class QMainWindow;
class QMessageBox;

namespace sweepscope::facts {
struct Fact;
}

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class EditorPage;

/// Asks before closing the window would lose unsaved work in the editor or hide running trials.
class WindowClosing : public QObject {
    Q_OBJECT

public:
    WindowClosing(QMainWindow *window, protocol::EngineClient *client, EditorPage *editor, QAction *save);

    /// Returns false if it opened a question; the answer closes the window or keeps it.
    bool mayCloseNow();

Q_SIGNALS:
    /// Requests to apply the changes in the editor, which asks for confirmation.
    void applyRequested();

private:
    bool askAboutDraft();
    QMessageBox *draftQuestion();
    bool askAboutTrials();
    void stopAll();
    void stopAnswered(quint64 job);
    void stopFailed(quint64 job, const facts::Fact &why);
    void close();
    void reopen();

    QMainWindow *m_window;
    protocol::EngineClient *m_client;
    EditorPage *m_editor;
    QAction *m_save;
    bool m_draftIsSafe = false;  ///< launched, so that the engine has it, or discarded
    bool m_decided = false;
    QTimer m_longestWait;          ///< for the answers to m_stopJobs
    std::set<quint64> m_stopJobs;  ///< requests to wait for before closing
};

}  // namespace sweepscope::ui
