#include "testprogram.h"

#include "e2e/windowonengine.h"
#include "ui/base/exportchoice.h"
#include "ui/plot/liveplot.h"
#include "ui/trials/trialtable.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::MainWindow;

/// The export dialog by mouse and keyboard, on a sweep that a real engine has run; Python reads the files.
class ExportTest : public QObject, private tests::WindowOnEngine {
    Q_OBJECT

    QString message() const { return find<QLabel>(u"exportMessage"_s)->text(); }
    void openDialog() const
    {
        m_window->findChild<QAction *>(u"exportAction"_s)->trigger();
        QTRY_VERIFY(find<QWidget>(u"exportDialog"_s) && find<QWidget>(u"exportDialog"_s)->isVisible());
        find<QLineEdit>(u"exportFolder"_s)->setText(m_engine->path({}));
    }
    void closeDialog() const
    {
        QTest::mouseClick(find<QPushButton>(u"exportClose"_s), Qt::LeftButton);
        QTRY_VERIFY(!find<QWidget>(u"exportDialog"_s));
    }
    void exportNow() const
    {
        QTRY_VERIFY(find<QPushButton>(u"exportButton"_s)->isEnabled());
        QTest::mouseClick(find<QPushButton>(u"exportButton"_s), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(message().contains(u"Wrote"_s), qPrintable(message()), patience);
    }
    /// Returns what Python evaluates for the file with this ending, for an expression over `rows` (CSV) or `d` (JSON).
    QString python(const QString &ending, const QString &expression) const
    {
        QProcess python;
        const QString file = m_engine->path(u"0001-points"_s + ending);
        const QString reads = ending.endsWith(u".csv"_s)
                                  ? u"rows = list(csv.DictReader(open(sys.argv[1], newline='')))"_s
                                  : u"d = json.load(open(sys.argv[1]))"_s;
        python.start(u"python3"_s, {u"-c"_s, u"import csv, json, sys\n%1\nprint(%2)"_s.arg(reads, expression), file});
        if (!python.waitForFinished(patience))
            return u"python3 hangs"_s;
        return QString::fromUtf8(python.readAllStandardOutput() + python.readAllStandardError()).trimmed();
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(startEngine(), qPrintable(client().errorText()));
        QVERIFY(waitForState(launch(u"points"_s, {u"reportspoints"_s, u"{n}"_s}, 4), sweep::SweepState::Completed));
    }
    void cleanupTestCase() { closeAll(); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        m_engine->settings().clear();
        openWindow();
        m_window->selection().selectSweep(client().sweeps()[0].id);
        m_window->showPage(MainWindow::Page::Trials);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->findChild<ui::TrialTable *>()->model()->rowCount(), 4, patience);
    }
    void cleanup()
    {
        m_window.reset();
        for (const QString &ending : {u"-trials.csv"_s, u"-curves.csv"_s, u"-trials.json"_s, u"-curves.json"_s})
            QFile::remove(m_engine->path(u"0001-points"_s + ending));
    }

    void windowIsUsableWhileTheDialogIsOpen()
    {
        const qint64 id = launch(u"other"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        QVERIFY(waitForState(id, sweep::SweepState::Completed));
        m_window->selection().selectSweep(id);
        openDialog();
        auto *dialog = find<QDialog>(u"exportDialog"_s);
        QVERIFY(!QApplication::activeModalWidget() && !dialog->isModal());
        QVERIFY(dialog->windowTitle().contains(u"other (#%1)"_s.arg(id)));
        m_window->findChild<QAction *>(u"exportAction"_s)->trigger();
        QCOMPARE(m_window->findChildren<QDialog *>(u"exportDialog"_s).size(), 1);  // the dialog that is already open
        m_window->selection().selectSweep(client().sweeps()[0].id);
        exportNow();
        QVERIFY2(message().contains(u"other"_s), qPrintable(message()));
        QVERIFY(QFile::exists(m_engine->path(u"%1-other-trials.csv"_s.arg(id, 4, 10, QLatin1Char('0')))));
        // And when its sweep is deleted.
        sweep::Control deletion;
        deletion.action = sweep::Control::Action::Delete;
        client().control(id, deletion);
        QTRY_VERIFY_WITH_TIMEOUT(!client().sweep(id), patience);
        QVERIFY(QFile::remove(m_engine->path(u"%1-other-trials.csv"_s.arg(id, 4, 10, QLatin1Char('0')))));
        QVERIFY(QFile::remove(m_engine->path(u"%1-other-curves.csv"_s.arg(id, 4, 10, QLatin1Char('0')))));
        QTest::mouseClick(find<QPushButton>(u"exportButton"_s), Qt::LeftButton);
        QTRY_VERIFY2(message().contains(u"This sweep no longer exists"_s), qPrintable(message()));
        m_window->close();
        QTRY_VERIFY(!m_window->isVisible() && !dialog->isVisible());
    }

    void allIsExportedWithoutASelection()
    {
        openDialog();
        QCOMPARE(find<QComboBox>(u"exportWhich"_s)->currentText(), u"All 4"_s);
        exportNow();
        QCOMPARE(python(u"-trials.csv"_s, u"[r['trial'] for r in rows], len(rows[0])"_s), u"['1', '2', '3', '4'] 32"_s);
        QCOMPARE(python(u"-curves.csv"_s, u"sorted({r['trial'] for r in rows})"_s), u"['1', '2', '3', '4']"_s);
        closeDialog();
    }

    void filteredTrialsAndVisibleColumnsAreExported()
    {
        QTest::keyClicks(find<QLineEdit>(u"trialsFilter"_s), u"n >= 3"_s);
        QTRY_COMPARE(m_window->findChild<ui::TrialTable *>()->model()->rowCount(), 2);
        openDialog();
        QCOMPARE(find<QComboBox>(u"exportWhich"_s)->currentText(), u"2 matching the filter"_s);
        find<QComboBox>(u"exportColumns"_s)->setFocus();
        QTest::keyClick(find<QComboBox>(u"exportColumns"_s), Qt::Key_Down);
        find<QComboBox>(u"exportFormat"_s)->setFocus();
        QTest::keyClick(find<QComboBox>(u"exportFormat"_s), Qt::Key_Down);
        exportNow();
        QCOMPARE(python(u"-trials.json"_s, u"[(t['trial'], t['parameters']) for t in d['trials']]"_s),
                 u"[(3, {'n': 3}), (4, {'n': 4})]"_s);
        QCOMPARE(python(u"-trials.json"_s, u"'objective_best' in d['trials'][0], 'note' in d['trials'][0]"_s),
                 u"True False"_s);
        QCOMPARE(python(u"-curves.json"_s, u"sorted({c['trial'] for c in d['curves']})"_s), u"[3, 4]"_s);
        closeDialog();
    }

    void selectedSeriesRanksAndStepsAreExported()
    {
        openDialog();
        QTRY_VERIFY_WITH_TIMEOUT(find<QMenu>(u"exportSeriesMenu"_s)->actions().size() >= 1
                                     && find<QMenu>(u"exportSeriesMenu"_s)->actions()[0]->isCheckable(),
                                 patience);
        const QString series = find<QMenu>(u"exportSeriesMenu"_s)->actions()[0]->text();
        find<QMenu>(u"exportSeriesMenu"_s)->actions()[0]->trigger();
        QCOMPARE(find<QPushButton>(u"exportSeries"_s)->text().trimmed(), series);
        QTest::keyClicks(find<QLineEdit>(u"exportRanks"_s), u"0-x"_s);
        QVERIFY(!find<QPushButton>(u"exportButton"_s)->isEnabled());
        QVERIFY2(message().contains(u"is not a list of ranks"_s), qPrintable(message()));
        find<QLineEdit>(u"exportRanks"_s)->clear();
        QTest::keyClicks(find<QLineEdit>(u"exportRanks"_s), u"0"_s);
        QTest::keyClicks(find<QLineEdit>(u"exportFirstStep"_s), u"1"_s);
        QTest::keyClicks(find<QLineEdit>(u"exportLastStep"_s), u"2"_s);
        exportNow();
        QCOMPARE(python(u"-curves.csv"_s, u"sorted({(r['series'], r['rank'], r['step']) for r in rows})"_s),
                 u"[('%1', '0', '1'), ('%1', '0', '2')]"_s.arg(series));
        closeDialog();
    }

    void onlyTheLiveSelectionIsExported()
    {
        m_window->selection().selectTrial(client().sweeps()[0].id, 4);
        m_window->showPage(MainWindow::Page::Live);
        auto *plot = find<QWidget>(u"livePage"_s)->findChild<ui::LivePlot *>();
        find<QWidget>(u"livePage"_s)->findChild<QComboBox *>(u"xScale"_s)->setCurrentIndex(2);
        QTRY_VERIFY_WITH_TIMEOUT(plot->frame().to > 2 && plot->frame().to < 10, patience);
        openDialog();
        QCOMPARE(find<QComboBox>(u"exportRange"_s)->findText(u"Visible"_s, Qt::MatchStartsWith), -1);
        closeDialog();
        plot->setXRange(QCPRange(0.5, 2.5));
        openDialog();
        auto *range = find<QComboBox>(u"exportRange"_s);
        QCOMPARE(range->itemText(1), u"Visible in Live: steps 1 to 2"_s);
        QCOMPARE(range->currentIndex(), 0);
        QTest::keyClicks(find<QLineEdit>(u"exportFirstStep"_s), u"3"_s);
        QCOMPARE(range->currentIndex(), 2);
        range->setCurrentIndex(1);
        QVERIFY(find<QLineEdit>(u"exportFirstStep"_s)->text().isEmpty());
        exportNow();
        QCOMPARE(python(u"-curves.csv"_s, u"sorted({r['step'] for r in rows})"_s), u"['1', '2']"_s);
        closeDialog();
        for (const QString &ending : {u"-trials.csv"_s, u"-curves.csv"_s})
            QVERIFY(QFile::remove(m_engine->path(u"0001-points"_s + ending)));
        // By wall-clock time there is nothing hours before.
        find<QWidget>(u"livePage"_s)->findChild<QComboBox *>(u"xScale"_s)->setCurrentIndex(0);
        QTRY_VERIFY_WITH_TIMEOUT(plot->isFollowing() && plot->frame().from > 1e9, patience);
        plot->setXRange(QCPRange(plot->frame().from - 7200, plot->frame().from - 3600));
        openDialog();
        find<QComboBox>(u"exportRange"_s)->setCurrentIndex(1);
        exportNow();
        QCOMPARE(python(u"-curves.csv"_s, u"len(rows)"_s), u"0"_s);
        closeDialog();
    }

    void reportIsAPdf()
    {
        openDialog();
        find<QCheckBox>(u"exportTrials"_s)->setChecked(false);
        find<QCheckBox>(u"exportCurves"_s)->setChecked(false);
        QVERIFY(!find<QPushButton>(u"exportButton"_s)->isEnabled());
        find<QCheckBox>(u"exportReport"_s)->setChecked(true);
        QVERIFY(!find<QPushButton>(u"exportCopy"_s)->isEnabled());
        exportNow();
        QFile file(m_engine->path(u"0001-points-report.pdf"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.startsWith("%PDF-"));
        QVERIFY(bytes.contains("/MediaBox"));
        QVERIFY(file.remove());
        QVERIFY(!QFile::exists(m_engine->path(u"0001-points-trials.csv"_s)));
        closeDialog();
    }

    void reportForBrowsersAndFilesForOtherProgramsAreWritten()
    {
        openDialog();
        for (const QString &box : {u"exportTrials"_s, u"exportCurves"_s})
            find<QCheckBox>(box)->setChecked(false);
        for (const QString &box : {u"exportHtml"_s, u"exportTensorBoard"_s, u"exportOptuna"_s})
            find<QCheckBox>(box)->setChecked(true);
        QVERIFY(!find<QPushButton>(u"exportCopy"_s)->isEnabled());
        exportNow();
        const auto startOf = [this](const QString &rest) {
            QFile file(m_engine->path(u"0001-points"_s + rest));
            return file.open(QIODevice::ReadOnly) ? file.read(100) : QByteArray();
        };
        QVERIFY(startOf(u"-report.html"_s).startsWith("<!DOCTYPE html>"));
        QFile report(m_engine->path(u"0001-points-report.html"_s));
        QVERIFY(report.open(QIODevice::ReadOnly));
        const QByteArray html = report.readAll();
        for (const char *heading : {"<h2>Code of trial 1</h2>", "<h2>Environment of trial 1</h2>"})
            QVERIFY2(html.contains(heading), heading);
        QVERIFY(startOf(u"-optuna.journal"_s).startsWith("{\"op_code\""));
        QDir runs(m_engine->path(u"0001-points-tensorboard"_s));
        QCOMPARE(runs.entryList({u"trial-*"_s}, QDir::Dirs).size(), 4);
        QVERIFY2(message().contains(u"Wrote the folder 0001-points-tensorboard"_s), qPrintable(message()));
        // A folder with contents is left alone.
        find<QCheckBox>(u"exportHtml"_s)->setChecked(false);
        find<QCheckBox>(u"exportOptuna"_s)->setChecked(false);
        QTest::mouseClick(find<QPushButton>(u"exportButton"_s), Qt::LeftButton);
        QTRY_VERIFY2(message().contains(u"empty"_s), qPrintable(message()));
        QVERIFY(runs.removeRecursively());
        for (const QString &rest : {u"-report.html"_s, u"-optuna.journal"_s})
            QVERIFY(QFile::remove(m_engine->path(u"0001-points"_s + rest)));
        closeDialog();
    }

    void largeTextsCutNeitherFolderNorMessage()
    {
        const int usual = m_theme->textSize();
        m_theme->setTextSize(175);
        openDialog();
        auto *dialog = find<QDialog>(u"exportDialog"_s);
        QVERIFY(!find<QWidget>(u"exportOpenFolder"_s)->isVisible());  // nothing has been written
        dialog->resize(dialog->width(), dialog->minimumSizeHint().height() + 100);
        find<QLineEdit>(u"exportRanks"_s)->setText(u"one, two"_s);
        QTRY_VERIFY2(message().contains(u"one, two"_s), qPrintable(message()));
        for (const QString &name : {u"exportFormat"_s, u"exportFolder"_s, u"exportMessage"_s, u"exportButton"_s}) {
            const auto *widget = find<QWidget>(name);
            QTRY_VERIFY2(widget->visibleRegion().boundingRect().height() == widget->height(), qPrintable(name));
        }
        closeDialog();
        m_theme->setTextSize(usual);
    }

    void trialsAreCopied()
    {
        QGuiApplication::clipboard()->clear();
        openDialog();
        QVERIFY(!find<QPushButton>(u"exportCopy"_s)->isEnabled());
        QTest::mouseClick(find<QCheckBox>(u"exportCurves"_s), Qt::LeftButton, {}, QPoint(8, 8));
        QVERIFY(find<QPushButton>(u"exportCopy"_s)->isEnabled());
        QTest::mouseClick(find<QPushButton>(u"exportCopy"_s), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(message().contains(u"Copied"_s), qPrintable(message()), patience);
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY2(text.startsWith(u"sweep,trial,"_s), qPrintable(text));
        QCOMPARE(text.count(u'\n'), 5);
        QVERIFY(!QFile::exists(m_engine->path(u"0001-points-trials.csv"_s)));
        closeDialog();
    }

    void rankListsAreParsedInAnyUsualForm()
    {
        QVERIFY(ui::ranksFromText(u" 0, 2-4 "_s) == std::set<int>({0, 2, 3, 4}));
        QVERIFY(ui::ranksFromText({})->empty());
        for (const QString &wrong : {u"a"_s, u"3-1"_s, u"-1"_s, u"1-2-3"_s, u"0-99999999"_s})
            QVERIFY2(!ui::ranksFromText(wrong), qPrintable(wrong));
    }
};

SWEEPSCOPE_TEST(ExportTest)
#include "tst_export.moc"
