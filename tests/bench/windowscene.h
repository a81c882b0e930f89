#pragma once

#include "bench/recordedengine.h"
#include "bench/streamingranks.h"
#include "protocol/engineclient.h"
#include "ui/plot/liveplot.h"
#include "ui/shell/mainwindow.h"
#include "ui/theme/theme.h"

#include <QProcess>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>

#include <functional>
#include <memory>
#include <vector>

namespace sweepscope::bench {

constexpr int patienceMs = 120'000;
constexpr int largeRanks = 4;

/// Returns the scale set by SWEEPSCOPE_BENCH_TRIALS and _RANKS.
Scale scale();

/// Runs the event loop for this time.
void run(int milliseconds);
/// Ends the program if the condition never holds: a figure would be meaningless.
void waitUntil(const char *what, const std::function<bool()> &holds);

/// A child process of this program.
struct Child {
    QProcess process;

    Child(const QString &task, const QString &workspace);
    ~Child();
};

/// Everything that is measured except the first window: one window on one workspace.
struct WindowScene {
    QTemporaryDir folder;
    std::unique_ptr<Ranks> large;
    std::unique_ptr<Ranks> streaming;
    std::unique_ptr<Child> engine;
    std::unique_ptr<QSettings> settings;
    std::unique_ptr<ui::Theme> theme;
    protocol::EngineClient client;
    std::unique_ptr<ui::MainWindow> window;

    WindowScene();

    template <typename Widget>
    Widget *find(const QString &name) const
    {
        return window->findChild<Widget *>(name);
    }
    ui::LivePlot *livePlot() const;
    QTableView *table() const;
    /// Returns whether all curves are shown up to their newest points.
    bool isDrawn(const Ranks &ranks, int count) const;
    void showTable();
    /// Returns the time of the slowest action in milliseconds, each until the table was painted completely.
    double slowest(const std::vector<std::function<void()>> &actions) const;
};

}  // namespace sweepscope::bench
