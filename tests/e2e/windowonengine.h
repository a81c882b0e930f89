#pragma once

#include "e2e/workspaceengine.h"
#include "ui/shell/mainwindow.h"
#include "ui/theme/theme.h"

#include <memory>

namespace sweepscope::tests {

/// A window on a workspace of its own with a real engine, for tests to derive from; nothing of it is there at first.
class WindowOnEngine {
protected:
    static constexpr int patience = 60'000;

    /// Unexpected warnings fail the test from here on. False: the engine does not answer, see the client's errorText().
    bool startEngine();
    /// A new one, where there is one already.
    void openWindow();
    /// And the engine with it.
    void closeAll();
    /// Trials n = 1 … `trials` of this program of tests/clients, so many at a time. 0: the engine has not taken it.
    qint64 launch(const QString &name, const QStringList &command, int trials, int concurrent = 1);
    bool waitForState(qint64 sweepId, sweep::SweepState state);

    protocol::EngineClient &client() const { return m_engine->client(); }
    template <typename Widget>
    Widget *find(const QString &name) const
    {
        return m_window->findChild<Widget *>(name);
    }

    std::unique_ptr<ui::Theme> m_theme;  ///< of the application, so of all tests
    std::unique_ptr<WorkspaceEngine> m_engine;
    std::unique_ptr<ui::MainWindow> m_window;
};

}  // namespace sweepscope::tests
