#pragma once

#include "e2e/workspaceengine.h"
#include "ui/shell/mainwindow.h"
#include "ui/theme/theme.h"

#include <memory>

namespace sweepscope::tests {

/// The text of a label; empty if there is none.
QString textOf(const ui::MainWindow &window, const QString &name);

/// A window on a temporary workspace with a real engine, as a base class for tests; initially without both.
class WindowOnEngine {
protected:
    /// From here on unexpected warnings fail the test. Returns false if the engine does not respond: see the client's
    /// errorText().
    bool startEngine();
    /// Opens a window, and replaces an existing one.
    void openWindow();
    /// Closes the window and ends the engine.
    void closeAll();
    /// Launches trials n = 1 … `trials` of this program of tests/clients. Returns 0 if the engine refused it.
    qint64 launch(const QString &name, const QStringList &command, int trials, int concurrent = 1);
    bool waitForState(qint64 sweepId, sweep::SweepState state);

    protocol::EngineClient &client() const { return m_engine->client(); }
    template <typename Widget>
    Widget *find(const QString &name) const
    {
        return m_window->findChild<Widget *>(name);
    }

    std::unique_ptr<ui::Theme> m_theme;  ///< of the application, so shared by all tests
    std::unique_ptr<WorkspaceEngine> m_engine;
    std::unique_ptr<ui::MainWindow> m_window;
};

}  // namespace sweepscope::tests
