#include "plotfixture.h"
#include "testprogram.h"

#include "ui/theme/palettes.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

/// How keys move the cursor, the charts and the view.
class PlotKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysMoveTheCursorFromValueToValue()
    {
        Plot p;
        p.show(frameOf(100, 2));
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start + 100));  // starts at the newest value
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start + 98));
        QTest::keyClick(&p.plot, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start + 99));
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ControlModifier);
        QVERIFY(std::abs(*p.cursor.position() - (start + 94)) <= 1);
        QVERIFY(p.plot.isFollowing());
        for (int i = 0; i < 30; ++i)
            QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(p.cursor.position(), std::optional(start));
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start));
        // New data does not move it. Moving the pointer or pressing Escape removes it.
        p.show(frameOf(200, 2));
        QCOMPARE(p.cursor.position(), std::optional(start));
        QTest::mouseMove(&p.plot, p.center().toPoint());
        QVERIFY(*p.cursor.position() > start + 50);
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(p.cursor.isPut());
        QTest::keyClick(&p.plot, Qt::Key_Escape);
        QVERIFY(!p.cursor.position());
    }

    void keyedCursorScrollsTheView()
    {
        Plot p;
        p.plot.setXRange(QCPRange(start + 40, start + 60));
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start + 100));
        QVERIFY(p.plot.xRange().contains(start + 100));
        QVERIFY(std::abs(p.plot.xRange().size() - 20) < 1e-6);
    }

    void keysSelectAChartAndZoomItsAxis()
    {
        Plot p;
        PlotFrame frame = frameOf(100);
        frame.strips = {cpuStrip()};
        p.show(frame);
        QCOMPARE(&p.plot.currentPane(), p.plot.panes()[0].get());
        QSignalSpy changed(&p.plot, &LivePlot::currentChanged);
        QTest::keyClick(&p.plot, Qt::Key_Down);
        QCOMPARE(&p.plot.currentPane(), p.plot.panes()[1].get());
        QCOMPARE(changed.count(), 1);
        const QRect menuAt = p.plot.inputMethodQuery(Qt::ImCursorRectangle).toRect();
        QVERIFY(p.plot.panes()[1]->area()->rect().contains(menuAt.center()));
        QTest::keyClick(&p.plot, Qt::Key_Down);  // no chart is below
        QTest::keyClick(&p.plot, Qt::Key_Up);
        QCOMPARE(&p.plot.currentPane(), p.plot.panes()[0].get());
        const QCPRange before = p.curves().yAxis()->range();
        QTest::keyClick(&p.plot, Qt::Key_Up, Qt::ControlModifier);
        QVERIFY(p.curves().yAxis()->range().size() < before.size());
        QTest::keyClick(&p.plot, Qt::Key_Down, Qt::ControlModifier);
        QVERIFY(std::abs(p.curves().yAxis()->range().size() - before.size()) < before.size() * 0.02);
        QTest::keyClick(&p.plot, Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(p.curves().yAxis()->range().center() > before.center());
        QTest::mouseClick(&p.plot, Qt::LeftButton, {}, p.plot.panes()[1]->area()->center());
        QCOMPARE(&p.plot.currentPane(), p.plot.panes()[1].get());
    }

    void focusedChartIsFramed()
    {
        Plot p;
        PlotFrame frame = frameOf(100);
        frame.strips = {cpuStrip()};
        p.show(frame);
        p.plot.activateWindow();
        p.plot.setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(p.plot.hasFocus());
        QTest::keyClick(&p.plot, Qt::Key_Down);
        const auto isFramed = [&p](int pane) {
            const QImage image = p.plot.grab().toImage();
            const QRect place = p.plot.panes()[static_cast<std::size_t>(pane)]->titleArea();
            return isColored(image, QPointF(p.plot.width() / 2.0, place.top()), focusColor(p.plot.palette()), 2);
        };
        QTRY_VERIFY(isFramed(1));
        QVERIFY(!isFramed(0));
        p.plot.clearFocus();
        QTRY_VERIFY(!isFramed(1));
    }
};

SWEEPSCOPE_TEST(PlotKeysTest)
#include "tst_plotkeys.moc"
