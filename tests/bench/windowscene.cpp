#include "bench/windowscene.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <sys/prctl.h>

namespace sweepscope::bench {
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr double bytesPerPoint = 24;

class PaintCount : public QObject {
public:
    explicit PaintCount(QWidget *widget) { widget->installEventFilter(this); }
    int count() const { return m_count; }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        m_count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }

private:
    int m_count = 0;
};

std::unique_ptr<Ranks> makeRanks(const std::filesystem::path &root, std::int64_t sweep, int ranks, int points)
{
    const std::filesystem::path folder = attemptFolder(root, sweep);
    std::filesystem::create_directories(folder);
    return std::make_unique<Ranks>(folder, ranks, points);
}

}  // namespace

Scale scale()
{
    return {setting("SWEEPSCOPE_BENCH_TRIALS", 10'000), largeRanks, setting("SWEEPSCOPE_BENCH_RANKS", 64)};
}

void run(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

void waitUntil(const char *what, const std::function<bool()> &holds)
{
    QElapsedTimer time;
    time.start();
    while (!holds()) {
        if (time.elapsed() > patienceMs) {
            std::fprintf(stderr, "bench_window: waited in vain: %s\n", what);
            std::_Exit(1);
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
    }
}

Child::Child(const QString &task, const QString &workspace)
{
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });  // a failed measurement ends at once
    process.start(QCoreApplication::applicationFilePath(), {task, workspace});
}

Child::~Child()
{
    process.kill();
    process.waitForFinished(5000);
}

WindowScene::WindowScene()
{
    const std::filesystem::path root = folder.path().toStdString();
    const double bytes = setting("SWEEPSCOPE_BENCH_MEGABYTES", 1000) * 1e6;
    large = makeRanks(root, largeSweep, largeRanks, static_cast<int>(bytes / bytesPerPoint / largeRanks));
    streaming = makeRanks(root, streamingSweep, scale().streamingRanks, setting("SWEEPSCOPE_BENCH_POINTS", 20'000));
    engine = std::make_unique<Child>(u"--serve"_s, folder.path());
    settings = std::make_unique<QSettings>(folder.filePath(u"window.ini"_s), QSettings::IniFormat);
    theme = std::make_unique<Theme>(qApp);
    window = std::make_unique<MainWindow>(&client, theme.get(), settings.get());
    window->resize(1600, 1000);
    window->begin({});
    window->show();
    client.connectToWorkspace(folder.path(), false);
    waitUntil("the state of the engine", [this] {
        return client.trials(streamingSweep).size() == 1
               && client.trials(tableSweep).size() == static_cast<std::size_t>(scale().trials);
    });
}

LivePlot *WindowScene::livePlot() const
{
    return find<QWidget>(u"livePage"_s)->findChild<LivePlot *>();
}

QTableView *WindowScene::table() const
{
    return find<QTableView>(u"trialsTable"_s);
}

bool WindowScene::isDrawn(const Ranks &ranks, int count) const
{
    const auto &curves = livePlot()->frame().main.curves;
    return static_cast<int>(curves.size()) == count && std::ranges::all_of(curves, [&](const PlotCurve &curve) {
               return !curve.columns.empty() && curve.columns.back().x > toSeconds(ranks.newest()) - 30;
           });
}

void WindowScene::showTable()
{
    window->selection().selectSweep(tableSweep);
    window->showPage(MainWindow::Page::Trials);
    waitUntil("the table", [this] { return table()->isVisible() && table()->model()->rowCount() > 0; });
    run(500);
}

double WindowScene::slowest(const std::vector<std::function<void()>> &actions) const
{
    const PaintCount paints(table()->viewport());
    double longest = 0;
    for (const auto &act : actions) {
        QElapsedTimer time;
        time.start();
        const int before = paints.count();
        act();
        waitUntil("the table", [&] { return paints.count() > before; });
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
        longest = std::max(longest, static_cast<double>(time.nsecsElapsed()) * 1e-6);
        run(50);
    }
    return longest;
}

}  // namespace sweepscope::bench
