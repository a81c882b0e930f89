// A window with simulated ranks, to look at the plots while working on them; not a test:
//   livedemo [--dark] [--ranks N] [--gpu] [--seconds N] [--view spread] [--shot FILE] [--cursor X,Y] …
// It plays N seconds of training in fast motion, then continues live; --shot writes a picture and exits. With
// --workspace FOLDER it shows the pages with the sweeps of a running engine.
#include "unit/live/attemptfixture.h"

#include "base/clock.h"
#include "ui/base/noticebanner.h"
#include "ui/base/selectionmodel.h"
#include "ui/base/trialheader.h"
#include "ui/live/livepage.h"
#include "ui/logs/logspage.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/livetoolbar.h"
#include "ui/plot/trialplots.h"
#include "ui/theme/spacing.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCommandLineParser>
#include <QMouseEvent>
#include <QSlider>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <cmath>
#include <ctime>
#include <random>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

class Player {
public:
    Player(AttemptFixture &attempt, int ranks, bool gpu) : m_attempt(attempt), m_ranks(ranks), m_gpu(gpu) {}

    /// Plays one tenth of a second of training: two steps of every rank.
    void play(WallNs time)
    {
        const double x = static_cast<double>(m_tick) / 50;
        for (int rank = 0; rank < m_ranks; ++rank) {
            for (int i = 0; i < 2; ++i) {
                const std::int64_t step = 2 * m_tick + i;
                const WallNs at = time + i * 50'000'000 + rank * 1'000'000;
                const double noise = m_normal(m_random);
                double loss = 2.3 * std::exp(-x / 8) + 0.12 + (0.05 + 0.2 * std::exp(-x / 6)) * noise * 0.5;
                if (step == 411 && rank == 1)
                    loss = std::nan("");
                m_attempt.rank(rank, "loss", step, at, std::max(loss, 0.01));
                m_attempt.rank(rank, "accuracy", step, at, std::min(1.0, 1 - 0.9 * std::exp(-x / 5) + 0.02 * noise));
                m_attempt.rank(rank, "lr", step, at, 0.01 * std::max(0.0, 1 - x / 60));
                m_attempt.rank(rank, "step_time", step, at,
                               0.021 + 0.002 * rank + 0.003 * std::abs(noise) + (m_tick % 61 == 0 ? 0.05 : 0));
            }
            if (m_tick % 40 == 39)
                m_attempt.rank(rank, "val_loss", 2 * m_tick, time, 2.2 * std::exp(-x / 8) + 0.15);
            if (m_tick % 5 == 0) {
                m_attempt.host("rank" + std::to_string(rank) + ".cpu", time, 88 + 6 * m_normal(m_random) - 12 * rank);
                m_attempt.host("rank" + std::to_string(rank) + ".memory", time, 4.1e8 + 1e6 * x, "B");
            }
        }
        if (m_tick % 10 == 0) {
            for (int i = 0; i < m_ranks; ++i) {
                const std::string id = m_gpu ? "GPU-" + std::to_string(i) : "cpu:" + std::to_string(i);
                const bool reading = m_tick % 130 < 20;
                m_attempt.device(id + ".utilization", time,
                                 reading ? 31 + 5 * i : std::min(100.0, 93 + 3 * m_normal(m_random) - i));
                if (m_gpu) {
                    m_attempt.device(id + ".memory", time, 21e9 + 1e9 * std::min(8.0, x) + 2e8 * i, "B");
                    m_attempt.device(id + ".power", time, 520 + 40 * m_normal(m_random), "W");
                }
            }
        }
        ++m_tick;
        m_attempt.flush();
    }

private:
    AttemptFixture &m_attempt;
    int m_ranks;
    bool m_gpu;
    std::int64_t m_tick = 0;
    std::mt19937 m_random{7};
    std::normal_distribution<double> m_normal;
};

/// Shows the two pages with the sweeps of a real engine.
int showWorkspace(const QString &folder, const QPointF &size, bool logsFirst, const QString &shot)
{
    protocol::EngineClient client;
    QTabWidget tabs;
    SelectionModel selection(&client);
    auto *live = new LivePage(&client, &selection);
    auto *logs = new LogsPage(&client, &selection);
    tabs.addTab(live, QStringLiteral("Live"));
    tabs.addTab(logs, QStringLiteral("Logs"));
    tabs.setCurrentIndex(logsFirst ? 1 : 0);
    QObject::connect(live, &LivePage::logRequested, &tabs, [&] { tabs.setCurrentWidget(logs); });
    client.connectToWorkspace(folder, false);
    tabs.resize(size.toPoint().x(), size.toPoint().y());
    tabs.show();
    if (!shot.isEmpty()) {
        QTimer::singleShot(3000, &tabs, [&] {
            tabs.grab().save(shot);
            QApplication::quit();
        });
    }
    return QApplication::exec();
}

}  // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QCommandLineParser parser;
    const auto option = [&parser](const char *name, const char *value = nullptr, const char *preset = "") {
        parser.addOption(value ? QCommandLineOption(QString::fromLatin1(name), {}, QString::fromLatin1(value),
                                                    QString::fromLatin1(preset))
                               : QCommandLineOption(QString::fromLatin1(name)));
    };
    option("dark");
    option("gpu");
    option("log");
    option("ranks", "n", "2");
    option("seconds", "n", "60");
    option("series", "name");
    option("view", "index", "0");
    option("scale", "index", "0");
    option("smoothing", "percent", "0");
    option("cursor", "x,y");
    option("zoom", "from,to");
    option("shot", "file");
    option("size", "w,h", "1180,740");
    option("workspace", "folder");
    option("logs");
    parser.process(application);
    const auto text = [&parser](const char *name) { return parser.value(QString::fromLatin1(name)); };
    const auto pair = [&text](const char *name) {
        const QStringList parts = text(name).split(QLatin1Char(','));
        return QPointF(parts.value(0).toDouble(), parts.value(1).toDouble());
    };

    Theme theme(&application);
    theme.setScheme(parser.isSet(QStringLiteral("dark")) ? ColorScheme::Dark : ColorScheme::Light);
    if (!text("workspace").isEmpty())
        return showWorkspace(text("workspace"), pair("size"), parser.isSet(QStringLiteral("logs")), text("shot"));
    const int ranks = text("ranks").toInt();
    const bool gpu = parser.isSet(QStringLiteral("gpu"));
    const int ticks = text("seconds").toInt() * 10;
    AttemptFixture attempt(ranks);
    Player player(attempt, ranks, gpu);
    const WallNs begun = AttemptFixture::start;
    for (int tick = 0; tick < ticks; ++tick)
        player.play(begun + tick * 100'000'000LL);
    TrialSource source = attempt.source();
    for (int rank = 0; gpu && rank < ranks; ++rank) {
        source.devices[static_cast<std::size_t>(rank)] = "GPU-" + std::to_string(rank);
        source.deviceNames[static_cast<std::size_t>(rank)] = "GPU " + std::to_string(rank);
    }

    sweep::SweepRecord sweep;
    sweep.name = "digits-mlp";
    sweep.objective = "val_loss";
    sweep::TrialRecord trial;
    trial.number = 7;
    trial.state = sweep::TrialState::Running;
    trial.attempts = 1;
    trial.step = 2 * ticks;
    trial.progress = 0.42;
    trial.parameters = {
        {"lr", 0.01}, {"batch_size", std::int64_t(64)}, {"optimizer", std::string("sgd")}, {"momentum", 0.9}};
    trial.objectiveLast = sweep::ObjectiveValue{0.3127, trial.step};
    trial.objectiveBest = trial.objectiveLast;

    QWidget page;
    auto *header = new TrialHeader;
    auto *banner = new NoticeBanner;
    auto *plots = new TrialPlots;
    auto *layout = new QVBoxLayout(&page);
    layout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::medium);
    layout->setSpacing(spacing::small);
    layout->addWidget(header);
    layout->addWidget(banner);
    layout->addWidget(plots, 1);
    sweep.trialsTotal = 12;
    header->setTrial(sweep, trial, {trial});
    header->setFollowingNewest(true);
    page.resize(static_cast<int>(pair("size").x()), static_cast<int>(pair("size").y()));
    plots->toolBar()->findChild<QComboBox *>(QStringLiteral("rankView"))->setCurrentIndex(text("view").toInt());
    plots->toolBar()->findChild<QComboBox *>(QStringLiteral("xScale"))->setCurrentIndex(text("scale").toInt());
    plots->toolBar()->findChild<QSlider *>()->setValue(text("smoothing").toInt());
    plots->toolBar()
        ->findChild<QCheckBox *>(QStringLiteral("logarithmic"))
        ->setChecked(parser.isSet(QStringLiteral("log")));
    plots->showSource(source);
    page.show();

    QTimer live;
    int tick = ticks;
    QObject::connect(&live, &QTimer::timeout, &page, [&] { player.play(begun + tick++ * 100'000'000LL); });
    if (!parser.isSet(QStringLiteral("shot")))
        live.start(100);
    QTimer::singleShot(900, &page, [&] {
        if (auto *series = plots->findChild<QComboBox *>(QStringLiteral("seriesChooser")); !text("series").isEmpty()) {
            series->setCurrentText(text("series"));
            Q_EMIT series->activated(series->currentIndex());
        }
        if (!text("zoom").isEmpty())
            plots->plot()->setXRange(
                QCPRange(toSeconds(begun) + pair("zoom").x(), toSeconds(begun) + pair("zoom").y()));
    });
    QTimer::singleShot(1800, &page, [&] {
        if (!text("cursor").isEmpty()) {
            QMouseEvent move(QEvent::MouseMove, pair("cursor"), plots->plot()->mapToGlobal(pair("cursor")),
                             Qt::NoButton, {}, {});
            QCoreApplication::sendEvent(plots->plot(), &move);
        }
    });
    if (parser.isSet(QStringLiteral("shot"))) {
        QTimer::singleShot(2200, &page, [&] {
            page.grab().save(text("shot"));
            // Processor time, not wall time: this machine may be busy.
            const std::clock_t before = std::clock();
            for (int i = 0; i < 20; ++i)
                plots->plot()->replot(QCustomPlot::rpQueuedRefresh);
            qInfo("one replot: %.1f ms", 50.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
            QApplication::quit();
        });
    }
    return QApplication::exec();
}
