#include "testprogram.h"

#include "e2e/windowonengine.h"
#include "ui/media/imagewipe.h"
#include "ui/shell/mainwindow.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSlider>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::MainWindow;

namespace {

constexpr const char *script = R"(
import sys
import sweepscope
run = sweepscope.init()
trial = int(sys.argv[1])
for step in range(3):
    run.log(step, loss=trial)
    run.image("samples", [[[255 * (trial == 1), 0, 40 * step]] * 8] * 8, step)
    run.histogram("weights", [trial, step, 3], step)
run.text("story", "once upon a time", 2)
run.confusion_matrix("classes", [0, 1], [1, 1], ["cat", "dog"], 2)
run.artifact(sys.argv[0], step=2)
)";

}  // namespace

/// The Media page on a real engine whose trials record images and others.
class MediaPageTest : public QObject, private WindowOnEngine {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { closeAll(); }

    void itemsOfAllTrialsAreShown()
    {
        const QString python = QStandardPaths::findExecutable(u"python3"_s);
        if (python.isEmpty())
            QSKIP("python3 is not installed");
        QVERIFY2(startEngine(), qPrintable(client().errorText()));
        openWindow();
        MainWindow &window = *m_window;
        window.findChild<QAction *>(u"showMediaPageAction"_s)->trigger();
        QFile code(m_engine->path(u"record.py"_s));
        QVERIFY(code.open(QIODevice::WriteOnly));
        code.write(script);
        code.close();
        QFile file(m_engine->writeSweep(u"recorded"_s, {python, code.fileName(), u"{n}"_s}, 2));
        QVERIFY(file.open(QIODevice::ReadOnly));
        client().launchSweep(QString::fromUtf8(file.readAll()), m_engine->path(u"."_s));
        QTRY_COMPARE_WITH_TIMEOUT(client().sweeps().size(), std::size_t(1), patience);
        window.selection().selectSweep(client().sweeps().front().id);
        window.findChild<QAction *>(u"showMediaPageAction"_s)->trigger();

        auto *names = window.findChild<QComboBox *>(u"mediaNames"_s);
        auto *grid = window.findChild<QTableView *>(u"mediaGrid"_s);
        QTRY_COMPARE_WITH_TIMEOUT(names->count(), 5, patience);
        QCOMPARE(names->currentText(), u"samples (images)"_s);
        QTRY_COMPARE_WITH_TIMEOUT(grid->model()->rowCount(), 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(grid->model()->columnCount(), 3, patience);
        QTRY_COMPARE_WITH_TIMEOUT(textOf(window, u"mediaSummary"_s), u"2 trials · 3 steps"_s, patience);

        // The slider goes to a step, and two images are compared.
        auto *images = window.findChild<ui::ImageWipe *>(u"mediaImages"_s);
        window.findChild<QSlider *>(u"mediaStep"_s)->setValue(1);
        QCOMPARE(grid->currentIndex().column(), 1);
        QCOMPARE(textOf(window, u"mediaStepText"_s), u"Step 1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(images->isVisible(), patience);
        grid->setCurrentIndex(grid->model()->index(0, 0));
        grid->selectionModel()->setCurrentIndex(grid->model()->index(1, 0), QItemSelectionModel::Select);
        QTRY_VERIFY_WITH_TIMEOUT(images->comparesTwo(), patience);
        QVERIFY(textOf(window, u"mediaTitle"_s).contains(u"Right: samples, trial 2, step 0"_s));

        for (const auto &[name, view] :
             {std::pair{u"weights (histograms)"_s, u"mediaHistograms"_s}, std::pair{u"story (texts)"_s, u"mediaText"_s},
              std::pair{u"classes (confusion matrices)"_s, u"mediaTable"_s},
              std::pair{u"record.py (artifacts)"_s, u"mediaMessage"_s}}) {
            names->setCurrentText(name);
            QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QWidget *>(view)->isVisible(), patience);
        }

        // Only trials that are picked out on other pages.
        window.selection().brush({2});
        QCOMPARE(grid->model()->rowCount(), 1);
        window.selection().brush({});
        QCOMPARE(grid->model()->rowCount(), 2);
    }
};

SWEEPSCOPE_TEST(MediaPageTest)
#include "tst_mediapage.moc"
