#include "chartplots.h"
#include "testprogram.h"

#include "ui/plot/chartsmenu.h"
#include "ui/plot/livetoolbar.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QTimer>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

/// Adding, pinning and removing charts by menu, dialog and keyboard.
class ChartsMenuTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void chartsAreAddedByTheKeyboard()
    {
        Plots p;
        QVERIFY(p.isReady());
        p.plots.plot()->setFocus();
        // An open menu runs a nested event loop.
        bool isOpened = false;
        QTimer::singleShot(0, &p.plots, [&isOpened] {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            isOpened = menu != nullptr;
            if (!menu)
                return;
            auto *series = menu->findChild<QMenu *>(u"addSeries"_s);
            for (QAction *action : series->actions()) {
                if (action->text() == u"accuracy"_s)
                    action->trigger();
            }
            menu->close();
        });
        QTest::keyClick(p.plots.plot(), Qt::Key_C);
        QTRY_VERIFY(isOpened);
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s, seriesId({u"accuracy"_s})}));
    }

    void chartsAreAddedNextToAndBelowAnother()
    {
        Plots p;
        QVERIFY(p.isReady());
        auto *charts = p.plots.findChild<ChartsMenu *>(u"chartsMenu"_s);
        const auto add = [charts](const QString &to, const QString &where) {
            QMenu menu;
            charts->addAdditionsAround(to, &menu);
            for (QAction *action : menu.findChild<QMenu *>(where)->findChild<QMenu *>(u"addSeries"_s)->actions()) {
                if (action->text() == (where == "addRight"_L1 ? u"accuracy"_s : u"data_wait"_s))
                    action->trigger();
            }
        };
        add(chosenChart(), u"addRight"_s);
        QVERIFY(
            p.waitFor(ChartRows{{chosenChart(), seriesId({u"accuracy"_s})}, {u"rank.cpu"_s}, {u"core.utilization"_s}}));
        add(seriesId({u"accuracy"_s}), u"addBelow"_s);
        QVERIFY(p.waitFor(ChartRows{{chosenChart(), seriesId({u"accuracy"_s})},
                                    {seriesId({u"data_wait"_s})},
                                    {u"rank.cpu"_s},
                                    {u"core.utilization"_s}}));
    }

    void firstChartIsPinnedRemovedAndRestored()
    {
        Plots p;
        QVERIFY(p.isReady());
        const auto trigger = [&p](const QString &id, const QString &name) {
            QMenu menu;
            p.plots.findChild<ChartsMenu *>(u"chartsMenu"_s)->addActionsOf(id, &menu);
            menu.findChild<QAction *>(name)->trigger();
        };
        const TrialSource source = p.attempt.source();
        const QString pinned = u"@%1/%2 chosen"_s.arg(source.sweepId).arg(source.trial);
        p.plots.setPinned({source});
        trigger(chosenChart(), u"chartPin"_s);
        QVERIFY(p.waitFor(ChartRows{{pinned}, {u"rank.cpu"_s}, {u"core.utilization"_s}}));
        // It shows the same series as the main chart, for its own trial.
        auto *series = p.plots.findChild<QComboBox *>(u"seriesChooser"_s);
        series->setCurrentText(u"accuracy"_s);
        Q_EMIT series->activated(series->currentIndex());
        QTRY_COMPARE(panelTitle(p.pane(pinned).panel()), u"accuracy · trial %1"_s.arg(source.trial));
        trigger(pinned, u"chartPin"_s);
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s}));
        trigger(chosenChart(), u"chartRemove"_s);
        QVERIFY(p.waitFor(ChartRows{{u"rank.cpu"_s}, {u"core.utilization"_s}}));
        trigger(u"rank.cpu"_s, u"chartRemove"_s);
        QVERIFY(p.waitFor(ChartRows{{u"core.utilization"_s}}));
        // This chart has no data by step, so the chosen series is shown instead.
        p.plots.findChild<QComboBox *>(u"xScale"_s)->setCurrentIndex(2);
        QVERIFY(p.waitFor(ChartRows{{chosenChart()}}));
        p.plots.findChild<QComboBox *>(u"xScale"_s)->setCurrentIndex(0);
        QVERIFY(p.waitFor(ChartRows{{u"core.utilization"_s}}));
        QMenu menu;
        auto *charts = p.plots.findChild<ChartsMenu *>(u"chartsMenu"_s);
        charts->addAdditions(&menu, {ChartPlace::Side::Above, u"core.utilization"_s});
        for (QAction *action : menu.actions()) {
            if (action->data() == chosenChart())
                action->trigger();
        }
        QVERIFY(p.waitFor(ChartRows{{chosenChart()}, {u"core.utilization"_s}}));
    }

    void pinnedTrialOfAnotherDayBeginsWithTheShownOne()
    {
        Plots p;
        QVERIFY(p.isReady());
        const auto *axis = p.plots.findChild<QComboBox *>(u"xScale"_s);
        TrialSource source = p.attempt.source();
        source.started = t0;
        p.plots.showSource(source);
        TrialSource pinned = source;
        pinned.trial += 1;
        p.plots.setPinned({pinned});
        QCOMPARE(axis->currentText(), u"Clock time"_s);
        constexpr WallNs day = 86'400 * second;
        pinned.started = t0 - day;
        pinned.ended = t0 - day + 60 * second;
        p.plots.setPinned({pinned});
        QCOMPARE(axis->currentText(), u"Time since start"_s);
        // Clock time can still be chosen.
        p.plots.findChild<LiveToolBar *>()->setXScale(XScale::WallTime);
        pinned.objective = "loss";
        p.plots.setPinned({pinned});
        QCOMPARE(axis->currentText(), u"Clock time"_s);
    }

    void openMenuRefersToTheDisplayedTrial()
    {
        Plots p;
        QVERIFY(p.isReady());
        auto *charts = p.plots.findChild<ChartsMenu *>(u"chartsMenu"_s);
        const TrialSource source = p.attempt.source();
        p.plots.setPinned({source});
        charts->setTrial({source.sweepId, source.trial + 1});
        QMenu menu;
        charts->addActionsOf(chosenChart(), &menu);
        auto *pin = menu.findChild<QAction *>(u"chartPin"_s);
        QCOMPARE(pin->text(), u"Pin to trial %1"_s.arg(source.trial + 1));
        charts->setTrial({source.sweepId, source.trial});
        QCOMPARE(pin->text(), u"Pin to trial %1"_s.arg(source.trial));
        pin->trigger();
        QVERIFY(p.waitFor(ChartRows{
            {u"@%1/%2 chosen"_s.arg(source.sweepId).arg(source.trial)}, {u"rank.cpu"_s}, {u"core.utilization"_s}}));
    }

    void deleteRemovesTheChartUnderThePointerAndCtrlZRestoresIt()
    {
        Plots p;
        QVERIFY(p.isReady());
        p.plots.plot()->setFocus();
        const auto pointAt = [&p](const PlotPane &pane) {
            QTest::mouseMove(p.plots.plot(), pane.area()->center() + QPoint(1, 0));
            QTest::mouseMove(p.plots.plot(), pane.area()->center());
        };
        pointAt(p.pane(u"rank.cpu"_s));
        QTest::keyClick(p.plots.plot(), Qt::Key_Delete);
        QVERIFY(p.waitFor({u"core.utilization"_s}));
        QTest::keyClick(p.plots.plot(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s}));
        QTest::keyClick(p.plots.plot(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(p.waitFor({u"core.utilization"_s}));
    }

    void severalSeriesAreSelectedInADialog()
    {
        Plots p;
        QVERIFY(p.isReady());
        auto *menu = p.plots.findChild<QMenu *>(u"chartsMenu"_s);
        Q_EMIT menu->aboutToShow();
        menu->findChild<QAction *>(u"severalSeries"_s)->trigger();
        auto *dialog = p.plots.findChild<QDialog *>(u"seriesDialog"_s);
        QVERIFY(dialog && dialog->isVisible());
        auto *add = dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
        QVERIFY(!add->isEnabled());
        auto *list = dialog->findChild<QListWidget *>();
        list->setFocus();
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Space);
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Space);
        QTest::mouseClick(add, Qt::LeftButton);
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s, seriesId({u"loss"_s, u"accuracy"_s})}));
    }
};

SWEEPSCOPE_TEST(ChartsMenuTest)
#include "tst_chartsmenu.moc"
