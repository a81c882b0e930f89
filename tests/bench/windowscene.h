#pragma once

#include "bench/recordedengine.h"
#include "bench/streamingranks.h"
#include "protocol/engineclient.h"
#include "ui/live/liveplot.h"
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

/// As SWEEPSCOPE_BENCH_TRIALS and _RANKS say.
Scale scale();

/// The loop of events, for so long.
void run(int milliseconds);
/// Ends the program where it never holds: a figure would say nothing.
void waitUntil(const char *what, const std::function<bool()> &holds);

/// A child of this very program.
struct Child {
    QProcess process;

    Child(const QString &task, const QString &workspace);
    ~Child();
};

/// Everything that is measured but the first window: one window on one workspace.
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
    /// Whether all curves are there, up to their newest points.
    bool isDrawn(const Ranks &ranks, int count) const;
    void showTable();
    /// The slowest of some actions, each until the table was painted and nothing more is to be, in milliseconds.
    double slowest(const std::vector<std::function<void()>> &actions) const;
};

}  // namespace sweepscope::bench
