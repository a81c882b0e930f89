#include "testprogram.h"

#include "e2e/windowonengine.h"
#include "ui/logs/logview.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using Page = ui::MainWindow::Page;

/// The logs of a sweep's trials in the window.
class LogsPageTest : public QObject, private tests::WindowOnEngine {
    Q_OBJECT

    ui::LogView *view() const { return m_window->findChild<ui::LogView *>(); }

private Q_SLOTS:
    void init() { QVERIFY2(startEngine(), qPrintable(client().errorText())); }
    void cleanup() { closeAll(); }

    void lineFoundInAllTrialsIsOpenedInItsLog()
    {
        const qint64 sweepId = launch(u"printing"_s, {u"exits"_s, u"0"_s, u"all"_s, u"begin"_s, u"number {n}"_s}, 3);
        QVERIFY(waitForState(sweepId, sweep::SweepState::Completed));
        openWindow();
        m_window->selection().selectSweep(sweepId);
        m_window->selection().selectTrial(sweepId, 1);
        m_window->showPage(Page::Logs);
        auto *field = find<QLineEdit>(u"logSearch"_s);
        QTRY_VERIFY_WITH_TIMEOUT(field->isVisible(), patience);
        find<QAction>(u"searchLogsAction"_s)->trigger();  // asks for a text
        QVERIFY(!find<QTableView>(u"sweepHits"_s)->isVisible());
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, u"number 3"_s);
        QTest::keyClick(field, Qt::Key_Return);
        auto *table = find<QTableView>(u"sweepHits"_s);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, patience);
        QTRY_COMPARE(find<QLabel>(u"sweepSearchState"_s)->text(), u"1 line in 1 of 3 trials, all attempts"_s);
        QTRY_VERIFY(table->isVisible());

        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, 3)).center());
        QTRY_COMPARE(m_window->selection().current().trial, 3);
        QTRY_COMPARE_WITH_TIMEOUT(view()->textCursor().selectedText(), u"number 3"_s, patience);

        QTest::keyClick(table, Qt::Key_Escape);
        QVERIFY(!table->isVisible());
        find<QToolButton>(u"logFilter"_s)->click();
        QTRY_COMPARE_WITH_TIMEOUT(view()->toPlainText(), u"number 3"_s, patience);
        find<QToolButton>(u"logFilter"_s)->click();
        QTRY_COMPARE_WITH_TIMEOUT(view()->toPlainText(), u"begin\nnumber 3"_s, patience);
    }
};

SWEEPSCOPE_TEST(LogsPageTest)
#include "tst_logspage.moc"
