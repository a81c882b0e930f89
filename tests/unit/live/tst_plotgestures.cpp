#include "plotfixture.h"
#include "testprogram.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

/// How the mouse changes the view.
class PlotGesturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void zoomedViewIsNotMovedByNewData()
    {
        Plot p;
        QSignalSpy following(&p.plot, &LivePlot::followingChanged);
        p.wheel(p.center(), 3);
        QCOMPARE(following.size(), 1);
        QVERIFY(!p.plot.isFollowing());
        p.show(frameOf(100));  // the first frame after the zoom fits y once
        const QCPRange x = p.plot.xRange();
        const QCPRange y = p.curves().yAxis()->range();
        for (const int seconds : {120, 200, 400}) {
            PlotFrame frame = frameOf(seconds);
            frame.main.curves[0].columns[55].max = 1000;
            p.show(frame);
        }
        QCOMPARE(p.plot.xRange().lower, x.lower);
        QCOMPARE(p.plot.xRange().upper, x.upper);
        QCOMPARE(p.curves().yAxis()->range().lower, y.lower);
        QCOMPARE(p.curves().yAxis()->range().upper, y.upper);

        QTest::mouseDClick(&p.plot, Qt::LeftButton, {}, p.center().toPoint());
        QVERIFY(p.plot.isFollowing());
        p.show(frameOf(400));
        QVERIFY(p.plot.xRange().upper >= start + 400);
    }

    void wheelZoomsTimeAtThePointer()
    {
        Plot p;
        const QPointF at(p.center().x() + 100, p.center().y());
        const double under = p.curves().xAxis()->pixelToCoord(at.x());
        const double width = p.plot.xRange().size();
        const QCPRange y = p.curves().yAxis()->range();
        p.wheel(at, 2);
        QVERIFY(p.plot.xRange().size() < width * 0.7);
        QVERIFY(std::abs(p.curves().xAxis()->pixelToCoord(at.x()) - under) < 0.01);
        QCOMPARE(p.curves().yAxis()->range().lower, y.lower);
    }

    void wheelScrollsThePageOfAnEmbeddedPlot()
    {
        Plot p;
        p.gestures.setWheelScrollsPage();
        const QCPRange x = p.plot.xRange();
        QVERIFY(!p.wheel(p.center(), 2));
        QCOMPARE(p.plot.xRange().size(), x.size());
        QVERIFY(p.wheel(p.center(), 2, Qt::ControlModifier));
        QVERIFY(p.plot.xRange().size() < x.size());
    }

    void wheelOverTheVerticalAxisZoomsOnlyThatAxis()
    {
        Plot p;
        const QCPRange x = p.plot.xRange();
        const double height = p.curves().yAxis()->range().size();
        p.wheel(QPointF(p.curves().area()->left() - 20, p.center().y()), 2);
        QCOMPARE(p.plot.xRange().lower, x.lower);
        QCOMPARE(p.plot.xRange().upper, x.upper);
        QVERIFY(p.curves().yAxis()->range().size() < height * 0.7);
    }

    void draggedBoxIsZoomedInto()
    {
        Plot p;
        p.drag(p.pixel(start + 20, 0.8), p.pixel(start + 40, 0.2));
        QVERIFY(std::abs(p.plot.xRange().lower - (start + 20)) < 0.5);
        QVERIFY(std::abs(p.plot.xRange().upper - (start + 40)) < 0.5);
        QVERIFY(std::abs(p.curves().yAxis()->range().upper - 0.8) < 0.02);
    }

    void clickDoesNotZoom()
    {
        Plot p;
        p.drag(p.center(), p.center() + QPointF(2, 1));
        QVERIFY(p.plot.isFollowing());
    }

    void shiftDragAndMiddleDragPan_data()
    {
        QTest::addColumn<Qt::MouseButton>("button");
        QTest::addColumn<Qt::KeyboardModifiers>("keys");
        QTest::newRow("shift") << Qt::LeftButton << Qt::KeyboardModifiers(Qt::ShiftModifier);
        QTest::newRow("middle") << Qt::MiddleButton << Qt::KeyboardModifiers(Qt::NoModifier);
    }
    void shiftDragAndMiddleDragPan()
    {
        QFETCH(Qt::MouseButton, button);
        QFETCH(Qt::KeyboardModifiers, keys);
        Plot p;
        const QCPRange before = p.plot.xRange();
        p.drag(p.pixel(start + 50, 0.5), p.pixel(start + 30, 0.5), keys, button);
        QVERIFY(std::abs(p.plot.xRange().lower - (before.lower + 20)) < 0.5);
        QVERIFY(std::abs(p.plot.xRange().size() - before.size()) < 1e-6);
    }

    void devicePlotsShareTheTimeAxis()
    {
        Plot p;
        PlotFrame frame = frameOf(100);
        frame.strips.push_back(cpuStrip());
        p.show(frame);
        QCOMPARE(p.plot.panes().size(), std::size_t(2));
        p.wheel(p.plot.panes()[1]->area()->center(), 2);
        QCOMPARE(p.plot.panes()[0]->xAxis()->range().lower, p.plot.panes()[1]->xAxis()->range().lower);
        QCOMPARE(p.plot.panes()[0]->area()->left(), p.plot.panes()[1]->area()->left());
        QCOMPARE(p.plot.panes()[1]->yAxis()->range().lower, 0.0);
        p.show(frameOf(100));
        QCOMPARE(p.plot.panes().size(), std::size_t(1));
    }
};

SWEEPSCOPE_TEST(PlotGesturesTest)
#include "tst_plotgestures.moc"
