#pragma once

#include <QObject>

#include <set>

class QAction;
class QMainWindow;
class QMessageBox;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class EditorPage;

/// Closing a window loses nothing unasked: neither what is written in the editor, nor the sight of trials that go on.
class WindowClosing : public QObject {
    Q_OBJECT

public:
    WindowClosing(QMainWindow *window, protocol::EngineClient *client, EditorPage *editor, QAction *save);

    /// False: a question is open; its answer closes the window or leaves it.
    bool mayCloseNow();

Q_SIGNALS:
    /// The changes to the sweep in the editor are to be applied, which asks.
    void applyRequested();

private:
    bool askAboutDraft();
    QMessageBox *draftQuestion();
    bool askAboutTrials();
    void stopAll();
    void answered(quint64 job);

    QMainWindow *m_window;
    protocol::EngineClient *m_client;
    EditorPage *m_editor;
    QAction *m_save;
    bool m_draftIsSafe = false;  ///< started, so that the engine keeps it, or given up
    bool m_decided = false;
    std::set<quint64> m_stopJobs;  ///< answers to wait for before closing
};

}  // namespace sweepscope::ui
