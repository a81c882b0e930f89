#include "testprogram.h"

// The window without a mouse: Tab reaches every usable widget on every page and leaves it again, and the focused widget
// looks different.
#include "e2e/windowonengine.h"
#include "ui/trials/trialtable.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QSet>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::MainWindow;

namespace {

QString nameOf(const QWidget *widget)
{
    if (!widget)
        return u"nothing"_s;
    const auto *button = qobject_cast<const QAbstractButton *>(widget);
    return u"%1 “%2”"_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                            button && !button->text().isEmpty() ? button->text() : widget->objectName());
}

/// Returns whether the user can press it, type into it or move in it: then it must be reachable.
bool isUsable(const QWidget *widget)
{
    if (!widget->isVisible() || !widget->isEnabled() || widget->focusPolicy() == Qt::NoFocus || widget->focusProxy())
        return false;
    if (qobject_cast<const QHeaderView *>(widget) || qobject_cast<const QLabel *>(widget)
        || widget->inherits("QScrollArea") || widget->inherits("QTabWidget"))
        return false;  // their frame handles the focus
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget);
        button && (button->autoExclusive() || (button->group() && button->group()->exclusive()))
        && button->isCheckable() && !button->isChecked())
        return false;  // arrow keys lead from the selected one to the others
    const auto *around = widget->parentWidget();
    return !qobject_cast<const QAbstractSpinBox *>(around) && !qobject_cast<const QComboBox *>(around);
}

/// An empty list shows no focus frame.
bool showsSomething(const QWidget *widget)
{
    const auto *view = qobject_cast<const QAbstractItemView *>(widget);
    return !view || (view->model() && view->model()->rowCount() > 0);
}

}  // namespace

class KeyboardTest : public QObject, private tests::WindowOnEngine {
    Q_OBJECT

    void press(int key, Qt::KeyboardModifiers modifiers = {}) const
    {
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : m_window.get(),
                        static_cast<Qt::Key>(key), modifiers);
    }
    /// Presses Tab until the focus returns to its start.
    QSet<QWidget *> walk(const QString &page)
    {
        QSet<QWidget *> reached;
        QWidget *const first = QApplication::focusWidget();
        for (int step = 0; step < 300; ++step) {
            QWidget *const before = QApplication::focusWidget();
            const QImage with = before->grab().toImage();
            press(Qt::Key_Tab);
            QWidget *now = QApplication::focusWidget();
            if (now != before && showsSomething(before) && before->grab().toImage() == with)
                QTest::qFail(qPrintable(page + u": nothing says that the keys are with "_s + nameOf(before)), __FILE__,
                             __LINE__);
            if (!now || !now->isVisible())
                QTest::qFail(qPrintable(page + u": the focus is nowhere, after "_s + nameOf(first)), __FILE__,
                             __LINE__);
            reached.insert(now);
            if (qEnvironmentVariableIsSet("SWEEPSCOPE_TELL"))
                qInfo().noquote() << page << nameOf(now);
            if (now == first)
                break;
        }
        if (!reached.contains(first))
            QTest::qFail(qPrintable(page + u": Tab never comes back to "_s + nameOf(first) + u"; it stays at "_s
                                    + nameOf(QApplication::focusWidget())),
                         __FILE__, __LINE__);
        return reached;
    }

private Q_SLOTS:
    void init() { QVERIFY2(startEngine(), qPrintable(client().errorText())); }
    void cleanup() { closeAll(); }

    void tabReachesEverythingOnEveryPage()
    {
        const qint64 ended = launch(u"points"_s, {u"reportspoints"_s, u"{n}"_s}, 3);
        QVERIFY(waitForState(ended, sweep::SweepState::Completed));
        const qint64 running = launch(u"endless"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 2, 2);
        openWindow();
        m_window->activateWindow();
        QTRY_VERIFY(QApplication::activeWindow() == m_window.get());
        m_window->setAttribute(Qt::WA_KeyboardFocusChange);  // as after the first Tab
        for (const qint64 sweepId : {ended, running}) {
            QTRY_VERIFY_WITH_TIMEOUT(!client().trials(sweepId).empty(), patience);
            m_window->selection().selectSweep(sweepId);
            if (sweepId == running)
                find<QAction>(u"editAction"_s)->trigger();  // in the editor; the other one is read-only
            find<QToolButton>(u"trialsCurves"_s)->setChecked(sweepId == ended);
            find<QTableView>(u"trialsTable"_s)->selectAll();
            for (const QString &page : m_window->pageNames()) {
                m_window->showPage(page);
                QTest::qWait(300);  // results of threads may come later: that only adds widgets to visit
                find<QToolButton>(page + u"PageButton"_s)->setFocus(Qt::TabFocusReason);
                walk(page);  // passing a list selects something in it, which enables more
                const QSet<QWidget *> reached = walk(page);
                for (QWidget *widget : m_window->findChildren<QWidget *>()) {
                    if (widget->window() == m_window.get() && isUsable(widget) && !reached.contains(widget))
                        QTest::qFail(qPrintable(page + u": Tab does not lead to "_s + nameOf(widget)), __FILE__,
                                     __LINE__);
                }
            }
        }
        client().stopSweep(running);
    }

    void quickSearchFindsTrialsOfOtherSweeps()
    {
        const qint64 other = launch(u"other"_s, {u"reportspoints"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(other, sweep::SweepState::Completed));
        const qint64 shown = launch(u"shown"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        QVERIFY(waitForState(shown, sweep::SweepState::Completed));
        openWindow();
        m_window->selection().selectSweep(shown);
        find<QAction>(u"searchAction"_s)->trigger();
        QTRY_VERIFY(find<QLineEdit>(u"quickLine"_s));
        QTest::keyClicks(find<QLineEdit>(u"quickLine"_s), u"other 2"_s);
        const auto *list = find<QListView>(u"quickList"_s);
        QCOMPARE(list->model()->index(0, 0).data().toString(), u"Trial 2 in #%1 other"_s.arg(other));
        QTest::keyClick(find<QLineEdit>(u"quickLine"_s), Qt::Key_Return);
        QTRY_COMPARE(m_window->selection().current().sweepId, other);
        QCOMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Trial));
        const auto *number = find<QWidget>(u"trialPage"_s)->findChild<QAbstractSpinBox *>(u"trialNumber"_s);
        QTRY_VERIFY2(number->text().contains(u'2'), qPrintable(number->text()));
    }

    void keysSortTheTrialsTableAndMoveItsColumns()
    {
        QVERIFY(waitForState(launch(u"points"_s, {u"reportspoints"_s, u"{n}"_s}, 3), sweep::SweepState::Completed));
        openWindow();
        m_window->activateWindow();
        m_window->selection().selectSweep(client().sweeps()[0].id);
        m_window->showPage(MainWindow::Page::Trials);
        auto *table = m_window->findChild<ui::TrialTable *>();
        QTRY_VERIFY_WITH_TIMEOUT(table->isVisible() && table->model()->rowCount() == 3, patience);
        QHeaderView *header = table->horizontalHeader();
        const auto isCalled = [&](const QString &title, int section) {
            return table->model()->headerData(section, Qt::Horizontal).toString() == title;
        };
        table->setFocus();
        QTRY_VERIFY(table->hasFocus());
        table->setCurrentIndex(table->model()->index(0, 0));
        for (int i = 0; i < 20 && !isCalled(u"n"_s, table->currentIndex().column()); ++i)
            press(Qt::Key_Right);
        const int section = table->currentIndex().column();
        QVERIFY(isCalled(u"n"_s, section));
        press(Qt::Key_O);
        QCOMPARE(header->sortIndicatorSection(), section);
        QCOMPARE(header->sortIndicatorOrder(), Qt::AscendingOrder);
        press(Qt::Key_O);
        QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
        QCOMPARE(table->model()->index(0, section).data().toString(), u"3"_s);
        int next = header->visualIndex(section) + 1;
        while (header->isSectionHidden(header->logicalIndex(next)))
            ++next;
        const int other = header->logicalIndex(next);
        press(Qt::Key_Right, Qt::AltModifier);
        QVERIFY(header->visualIndex(other) < header->visualIndex(section));
        press(Qt::Key_Left, Qt::AltModifier);
        QVERIFY(header->visualIndex(section) < header->visualIndex(other));

        // A menu of check boxes stays open after the first one.
        auto *columns = find<QMenu>(u"trialsColumnsMenu"_s);
        auto *button = find<QToolButton>(u"trialsColumns"_s);
        columns->popup(button->mapToGlobal(button->rect().bottomLeft()));
        QTRY_VERIFY(columns->isVisible());
        QTest::keyClick(columns, Qt::Key_Down);
        QAction *tick = columns->activeAction();
        QVERIFY(tick && tick->isCheckable());
        const bool was = tick->isChecked();
        QTest::keyClick(columns, Qt::Key_Space);
        QCOMPARE(tick->isChecked(), !was);
        QVERIFY(columns->isVisible());
        QTest::keyClick(columns, Qt::Key_Space);
        QTest::keyClick(columns, Qt::Key_Escape);
        QVERIFY(!columns->isVisible());

        // Enter in the comparison opens the trial of its column.
        table->selectAll();
        find<QToolButton>(u"trialsCurves"_s)->setChecked(true);
        m_window->resize(1500, 900);
        auto *compared = find<QTableView>(u"comparisonTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(compared->isVisible() && compared->model()->columnCount() == 3, patience);
        m_window->activateWindow();
        compared->setFocus();
        QTRY_VERIFY(compared->hasFocus());
        compared->setCurrentIndex(compared->model()->index(0, 1));
        const QString trial = compared->model()->headerData(1, Qt::Horizontal).toString();
        press(Qt::Key_Return);
        QTRY_COMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Trial));
        QTRY_VERIFY(
            find<QWidget>(u"trialPage"_s)->findChild<QAbstractSpinBox *>(u"trialNumber"_s)->text().startsWith(trial));
    }
};

SWEEPSCOPE_TEST(KeyboardTest)
#include "tst_keyboard.moc"
