#include "testprogram.h"

// Points of trials: where they are, what a click on them does, and the bars next to them.
#include "models/analysisfigures.h"
#include "ui/analysis/importancedelegate.h"
#include "ui/analysis/importancemodel.h"
#include "ui/analysis/importancepanel.h"
#include "ui/analysis/scattercontent.h"
#include "ui/analysis/trialscatter.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QListView>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::PointKind;
using ui::TrialScatter;

class TrialScatterTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<TrialScatter> m_plot;

    /// Trials 1 … at these places; the last was pruned.
    void show(const std::vector<QPointF> &places, const std::vector<QPointF> &line = {})
    {
        m_plot = std::make_unique<TrialScatter>(u"plot"_s);
        m_plot->resize(500, 300);
        TrialScatter::Content content;
        content.x.low = 0;
        content.x.high = 10;
        content.y.low = 0;
        content.y.high = 1;
        content.xTitle = u"lr"_s;
        content.yTitle = u"loss"_s;
        content.best = 1;
        content.line = line;
        for (std::size_t i = 0; i < places.size(); ++i)
            content.points.push_back({places[i].x(), places[i].y(), static_cast<int>(i + 1),
                                      i + 1 == places.size() ? PointKind::Pruned : PointKind::Completed});
        m_plot->setContent(content);
        m_plot->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_plot.get()));
        m_plot->replot();
    }
    bool isInked(const QPointF &place) const
    {
        const QImage image = m_plot->grab().toImage();
        const QColor ground = m_plot->palette().color(QPalette::Base);
        for (int dx = -4; dx <= 4; ++dx) {
            for (int dy = -4; dy <= 4; ++dy) {
                const QColor pixel = image.pixelColor((place.toPoint() + QPoint(dx, dy)) * image.devicePixelRatio());
                if (std::abs(pixel.lightness() - ground.lightness()) > 60)
                    return true;
            }
        }
        return false;
    }

    void verifyThatNothingIsCovered() const
    {
        const QCPItemText *name = nullptr;
        for (int i = 0; i < m_plot->itemCount() && !name; ++i)
            name = qobject_cast<QCPItemText *>(m_plot->item(i));
        QVERIFY(name && name->visible());
        const QRectF area(name->topLeft->pixelPosition(), name->bottomRight->pixelPosition());
        QVERIFY(QRectF(m_plot->axisRect()->rect()).contains(area));
        for (const ui::TrialPoint &point : m_plot->points())
            QVERIFY2(!area.contains(m_plot->placeOf(point.trial)), qPrintable(QString::number(point.trial)));
    }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void cleanup() { m_plot.reset(); }

    void theNameOfTheBestCoversNoPoints()
    {
        // The best is on the right; others are left of it at the same height.
        show({{8, 0.5}, {7.4, 0.5}, {6.9, 0.5}, {6.4, 0.5}, {2, 0.9}});
        verifyThatNothingIsCovered();
        // A cloud around the best.
        std::vector<QPointF> cloud{{5, 0.5}};
        for (int i = 0; i < 60; ++i)
            cloud.emplace_back(4 + 2 * (i % 10) / 9.0, 0.36 + 0.28 * (i / 10) / 5.0);
        show(cloud);
        verifyThatNothingIsCovered();
    }

    void ringOfTheBestIsCompleteAtTheEdge()
    {
        show({{5, 0.5}, {2, 0.9}});
        m_plot->xAxis->setRange(0, 5);
        m_plot->replot();
        const QPointF place = m_plot->placeOf(1);
        QCOMPARE(qRound(place.x()), m_plot->axisRect()->right() + 1);
        QVERIFY(isInked(place + QPointF(8, 0)));
    }

    void everyTrialIsInSliceAndHistory()
    {
        const ui::FigurePtr figure = AnalysedSweep(40).figure();
        std::vector<char> within(figure->values.size(), 1);
        within[0] = 0;
        const int faint = figure->values.trials[0];
        const TrialScatter::Content slice = ui::sliceContent(*figure, 0, within);
        const TrialScatter::Content history = ui::historyContent(*figure, within, nullptr);
        QCOMPARE(slice.xTitle, u"lr"_s);
        QCOMPARE(slice.best, figure->values.trials[static_cast<std::size_t>(figure->best)]);
        QCOMPARE(slice.points.size(), figure->values.size());
        QCOMPARE(history.points.size(), figure->values.size());
        for (const TrialScatter::Content *content : {&slice, &history}) {
            for (const ui::TrialPoint &point : content->points) {
                const auto row = static_cast<std::size_t>(figure->rowOf(point.trial));
                QCOMPARE(point.y, figure->target().scale.unitOf(figure->values.values[row]));
                QCOMPARE(point.kind == PointKind::FaintCompleted || point.kind == PointKind::FaintPruned,
                         point.trial == faint);
            }
        }
        for (std::size_t i = 0; i < history.points.size(); ++i)
            QCOMPARE(history.points[i].x, static_cast<double>(i + 1));
        QCOMPARE(history.line.back().y(),
                 figure->target().scale.unitOf(figure->values.values[static_cast<std::size_t>(figure->best)]));
        QVERIFY(ui::sliceContent(*figure, -1, within).points.empty());
        QVERIFY(ui::trialText(*figure, faint).startsWith(u"Trial %1, "_s.arg(faint)));
        QCOMPARE(ui::trialText(*figure, 100'000), QString());
    }

    void historyIsComparedWithRandomSearch()
    {
        const ui::FigurePtr figure = AnalysedSweep(40).figure(true);
        const std::vector<char> within(figure->values.size(), 1);
        analysis::RandomBaseline baseline;
        for (int trial = 1; trial <= 100; ++trial) {
            baseline.medians.push_back(1.0 / trial);
            baseline.lows.push_back(0.5 / trial - 0.05);
            baseline.highs.push_back(2.0 / trial);
        }
        const ui::ReferenceBand::Data reference = ui::historyContent(*figure, within, &baseline).reference;
        QCOMPARE(reference.curve.size(), figure->values.size());  // as many trials as the sweep has
        QCOMPARE(reference.curve[0], QPointF(1, 0));
        QVERIFY(std::ranges::is_sorted(reference.lows, std::greater()));
        QCOMPARE(reference.lows.back(), figure->target().scale.lowest());  // no logarithm

        show({{2, 0.2}, {5, 0.8}, {8, 0.5}}, {{2, 0.2}, {8, 0.2}});
        QVERIFY(!m_plot->markLegend()->names().contains(u"Random search"_s));
        TrialScatter::Content content = m_plot->content();
        content.points = m_plot->points();
        content.reference = {
            u"Random search"_s, u"estimated"_s, {{1, 0.9}, {5, 0.6}, {9, 0.5}}, {0.8, 0.4, 0.4}, {1, 0.7, 0.6}};
        m_plot->setContent(content);
        m_plot->replot();
        content = m_plot->content();
        QCOMPARE(m_plot->markLegend()->names(), (QStringList{u"Completed"_s, u"Pruned"_s, u"Random search"_s}));
        const auto pixel = [this](double x, double y) {
            return QPointF(m_plot->xAxis->coordToPixel(x), m_plot->yAxis->coordToPixel(y));
        };
        QCOMPARE(m_plot->textAt(m_plot->markLegend()->placeOf(u"Random search"_s).center()), u"estimated"_s);
        const QString text = m_plot->textAt(pixel(5, 0.6));
        QVERIFY2(text.contains(u"trial 2: 0.6"_s) && text.contains(u"0.4 to 0.7"_s), qPrintable(text));
        QCOMPARE(m_plot->textAt(pixel(5, 0.2)), QString());
    }

    void legendNamesTheMarksBelowThePlot()
    {
        show({{2, 0.2}, {5, 0.8}});
        const ui::MarkLegend *legend = m_plot->markLegend();
        QCOMPARE(legend->names(), (QStringList{u"Completed"_s, u"Pruned"_s}));
        const QRectF place = legend->placeOf(u"Pruned"_s);
        QVERIFY(place.top() >= m_plot->axisRect()->outerRect().bottom());
        QVERIFY(QRectF(m_plot->rect()).contains(place));
        QVERIFY(isInked(place.center()));
        // All marks are alike: nothing needs a name.
        TrialScatter::Content content = m_plot->content();
        content.points = {{2, 0.2, 1, PointKind::Completed}};
        m_plot->setContent(content);
        m_plot->replot();
        QVERIFY(legend->names().isEmpty());
        QCOMPARE(legend->minimumOuterSizeHint().height(), 0);
        // In a narrow plot the names take several rows.
        content.points = {{2, 0.2, 1, PointKind::Completed},
                          {3, 0.2, 2, PointKind::Pruned},
                          {4, 0.2, 3, PointKind::Stopped},
                          {5, 0.2, 4, PointKind::FaintCompleted}};
        m_plot->setContent(content);
        m_plot->replot();
        const int height = legend->minimumOuterSizeHint().height();
        m_plot->resize(200, 300);
        m_plot->replot();
        QVERIFY(legend->minimumOuterSizeHint().height() > height);
        QVERIFY(QRectF(m_plot->rect()).contains(legend->placeOf(u"Not selected"_s)));
    }

    void distributionsAreComparedWithOtherSweeps()
    {
        const AnalysedSweep sweep(60);
        analysis::Target target;
        analysis::TrialValues values = analysis::collect(sweep.spec, sweep.record, sweep.trials, target);
        const auto completed = analysis::completedValues(sweep.trials, target);
        const ui::FigurePtr figure =
            ui::makeFigure(std::move(values), u"Best val_loss"_s, false, {{7, u"other"_s, {1e6, 0.5, 2}}});
        const std::vector<char> within(figure->values.size(), 1);
        const TrialScatter::Content content = ui::distributionContent(*figure, within);
        QCOMPARE(content.points.size(), completed.size());  // without pruned ones
        QCOMPARE(content.line.front().y(), 0.0);
        QCOMPARE(content.line.back().y(), 1.0);
        QVERIFY(std::ranges::is_sorted(content.line, {}, [](const QPointF &point) { return point.y(); }));
        QVERIFY(std::ranges::is_sorted(content.line, {}, [](const QPointF &point) { return point.x(); }));
        QCOMPARE(content.otherLines.size(), std::size_t(1));
        QCOMPARE(content.otherLines[0].name, u"other #7"_s);
        QCOMPARE(content.otherLines[0].points.size(), std::size_t(5));
        QCOMPARE(content.x.scale, analysis::Scale::Log);  // one value of the other is far out
        for (const ui::TrialPoint &point : content.points) {
            const auto row = static_cast<std::size_t>(figure->rowOf(point.trial));
            const auto atMost =
                std::ranges::count_if(completed, [&](double value) { return value <= figure->values.values[row]; });
            QCOMPARE(point.y, static_cast<double>(atMost) / static_cast<double>(completed.size()));
        }
        m_plot = std::make_unique<TrialScatter>(u"plot"_s);
        m_plot->resize(500, 300);
        m_plot->setContent(content);
        m_plot->show();
        m_plot->replot();
        QCOMPARE(m_plot->markLegend()->names(), (QStringList{u"This sweep"_s, u"other #7"_s}));
        QSignalSpy selected(m_plot.get(), &TrialScatter::trialSelected);
        const int trial = m_plot->points().front().trial;
        QTest::mouseClick(m_plot.get(), Qt::LeftButton, {}, m_plot->placeOf(trial).toPoint());
        QCOMPARE(selected.count(), 1);  // also without points
    }

    void pointIsDrawnAtItsValue()
    {
        show({{2, 0.2}, {5, 0.8}, {8, 0.5}});
        for (const auto &[trial, x, y] : {std::tuple{1, 2.0, 0.2}, {2, 5.0, 0.8}, {3, 8.0, 0.5}}) {
            const QPointF place = m_plot->placeOf(trial);
            QVERIFY(std::abs(m_plot->xAxis->pixelToCoord(place.x()) - x) < 1e-9);
            QVERIFY(std::abs(m_plot->yAxis->pixelToCoord(place.y()) - y) < 1e-9);
            QVERIFY(isInked(place));
        }
        const double middle = m_plot->axisRect()->center().y();
        QVERIFY(!isInked({m_plot->placeOf(1).x() + 30, middle - 8}));
    }

    void lineDoesNotCrossTheNameOfTheBest()
    {
        for (const double y : {0.2, 0.02, 0.98}) {
            for (const double x : {2.0, 8.0}) {
                show({{x, y}, {5, 0.5}}, {{0, 0.7}, {1, 0.6}, {x, y}, {10, y}});
                const QCPItemText *text = nullptr;
                for (int i = 0; i < m_plot->itemCount() && !text; ++i)
                    text = qobject_cast<QCPItemText *>(m_plot->item(i));
                QVERIFY(text && text->visible());
                const QRectF area(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
                QVERIFY(QRectF(m_plot->axisRect()->rect()).adjusted(-1, -1, 1, 1).contains(area));
                const QPointF place = m_plot->placeOf(1);
                const double right = m_plot->xAxis->coordToPixel(10);
                QVERIFY(!area.intersects(QRectF(place.x(), place.y() - 1, right - place.x(), 2)));
                const double before = m_plot->yAxis->coordToPixel(0.6);
                const QRectF step(QPointF(place.x() - 1, before), QPointF(place.x() + 1, place.y()));
                QVERIFY(!area.intersects(step.normalized()));
            }
        }
    }

    void prunedTrialsHaveAnotherShape()
    {
        QImage images[2];
        for (int i = 0; i < 2; ++i) {
            images[i] = QImage(12, 12, QImage::Format_ARGB32_Premultiplied);
            images[i].fill(Qt::transparent);
            QPainter painter(&images[i]);
            ui::TrialPoints::drawShape(&painter, {6, 6}, 8, i == 0 ? PointKind::Completed : PointKind::Pruned,
                                       Qt::black);
        }
        QVERIFY(qAlpha(images[0].pixel(6, 6)) > 200);
        QVERIFY(qAlpha(images[1].pixel(6, 5)) < 60);  // it is open
        QVERIFY(images[0] != images[1]);
    }

    void clicksAndKeysSelectTrials()
    {
        show({{2, 0.2}, {5, 0.8}, {8, 0.5}});
        QSignalSpy selected(m_plot.get(), &TrialScatter::trialSelected);
        QSignalSpy opened(m_plot.get(), &TrialScatter::trialActivated);
        QTest::mouseClick(m_plot.get(), Qt::LeftButton, {}, m_plot->placeOf(2).toPoint());
        QCOMPARE(selected.back()[0].toInt(), 2);
        m_plot->selectTrial(2);
        QTest::keyClick(m_plot.get(), Qt::Key_Right);
        QCOMPARE(selected.back()[0].toInt(), 3);
        QTest::keyClick(m_plot.get(), Qt::Key_Left);
        QCOMPARE(selected.back()[0].toInt(), 1);
        QTest::keyClick(m_plot.get(), Qt::Key_Return);
        QCOMPARE(opened.back()[0].toInt(), 2);
        QTest::mouseDClick(m_plot.get(), Qt::LeftButton, {}, m_plot->placeOf(3).toPoint());
        QCOMPARE(opened.back()[0].toInt(), 3);
        const int clicks = static_cast<int>(selected.count());
        QTest::mouseClick(m_plot.get(), Qt::LeftButton, {}, m_plot->axisRect()->center() + QPoint(60, 60));
        QCOMPARE(selected.count(), clicks);
    }

    void newTrialsDoNotMoveAZoomedView()
    {
        show({{2, 0.2}, {5, 0.8}, {8, 0.5}});
        const QPoint from = m_plot->axisRect()->center() - QPoint(60, 40);
        const QPoint to = from + QPoint(120, 80);
        QTest::mousePress(m_plot.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(m_plot.get(), from + QPoint(30, 30));
        QTest::mouseMove(m_plot.get(), to);
        QTest::mouseRelease(m_plot.get(), Qt::LeftButton, {}, to);
        QTRY_VERIFY(m_plot->isZoomed());
        const QCPRange zoomed = m_plot->xAxis->range();
        QVERIFY(zoomed.size() < 6);
        TrialScatter::Content more = m_plot->content();
        more.x.high = 20;
        more.points = m_plot->points();
        more.points.push_back({15, 0.4, 4, PointKind::Completed});
        m_plot->setContent(more);
        QCOMPARE(m_plot->xAxis->range(), zoomed);
        QTest::keyClick(m_plot.get(), Qt::Key_Home);
        QVERIFY(!m_plot->isZoomed());
        QVERIFY(m_plot->xAxis->range().upper > 20);
    }

    /// As many names as fit, without overlap or duplicates.
    void namesOfManyCategoriesFitAndDiffer()
    {
        show({{2, 0.2}, {5, 0.8}, {8, 0.5}});
        for (const bool hasUnset : {false, true}) {
            TrialScatter::Content content = m_plot->content();
            content.x.scale = analysis::Scale::Categories;
            content.x.hasUnset = hasUnset;
            content.x.categories.clear();
            for (int i = 0; i < 300; ++i)
                content.x.categories << u"a/long/name/of/an/architecture-%1"_s.arg(i);
            content.x.high = 299;
            m_plot->setContent(content);
            for (const QCPRange &range : {m_plot->xAxis->range(), QCPRange(99.5, 106), QCPRange(0, 80)}) {
                m_plot->xAxis->setRange(range);
                m_plot->replot(QCustomPlot::rpImmediateRefresh);
                QVector<double> ticks;
                QVector<QString> labels;
                m_plot->xAxis->ticker()->generate(range, {}, u'g', 6, ticks, nullptr, &labels);
                QVERIFY2(ticks.size() >= 2 && ticks.size() <= 11, qPrintable(QString::number(ticks.size())));
                QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
                double last = -1e9;
                const QFontMetricsF metrics(m_plot->xAxis->tickLabelFont());
                for (qsizetype i = 0; i < ticks.size(); ++i) {
                    const double place = m_plot->xAxis->coordToPixel(ticks[i]);
                    const double half = metrics.horizontalAdvance(labels[i]) / 2;
                    QVERIFY2(place - half >= last, qPrintable(labels.join(u' ')));
                    last = place + half;
                }
            }
        }
    }

    void zoomEndsAtTheResolutionOfNumbers()
    {
        show({{2, 0.2}, {5, 0.8}, {8, 0.5}});
        const QPointF place = m_plot->placeOf(2);
        const auto turn = [this, &place](int by) {
            QWheelEvent wheel(place, m_plot->mapToGlobal(place), {}, {0, by}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(m_plot.get(), &wheel);
            m_plot->replot(QCustomPlot::rpImmediateRefresh);
        };
        for (int notch = 0; notch < 250; ++notch)
            turn(120);
        const QCPRange deepest = m_plot->xAxis->range();
        QVERIFY2(deepest.size() > 1e-9 * deepest.upper, qPrintable(QString::number(deepest.size())));
        QVERIFY(deepest.size() < 0.01);
        turn(120);
        QCOMPARE(m_plot->xAxis->range(), deepest);  // and it does not drift
        turn(-120);
        QVERIFY(m_plot->xAxis->range().size() > deepest.size());
        // Nor does a box zoom further.
        for (int box = 0; box < 20; ++box) {
            QTest::mousePress(m_plot.get(), Qt::LeftButton, {}, place.toPoint() - QPoint(20, 20));
            QTest::mouseMove(m_plot.get(), place.toPoint());
            QTest::mouseMove(m_plot.get(), place.toPoint() + QPoint(20, 20));
            QTest::mouseRelease(m_plot.get(), Qt::LeftButton, {}, place.toPoint() + QPoint(20, 20));
            m_plot->replot(QCustomPlot::rpImmediateRefresh);
        }
        QVERIFY(m_plot->xAxis->range().size() >= deepest.size() * 0.999);
    }

    void barsAreSortedAndNameMissingValues()
    {
        ui::ImportanceModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const ui::FigurePtr figure = AnalysedSweep(400).figure();
        model.setImportance(figure, figure->importance);
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(model.index(0).data().toString(), u"lr"_s);
        double sum = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const double share = model.index(row).data(ui::ImportanceModel::ShareRole).toDouble();
            QVERIFY(row == 0 || share <= model.index(row - 1).data(ui::ImportanceModel::ShareRole).toDouble());
            sum += share;
        }
        QVERIFY(std::abs(sum - 1) < 1e-9);
        const double longest = model.index(0).data(ui::ImportanceModel::LongestRole).toDouble();
        for (int row = 0; row < model.rowCount(); ++row) {
            const double share = model.index(row).data(ui::ImportanceModel::ShareRole).toDouble();
            QVERIFY(model.index(row).data(ui::ImportanceModel::LowRole).toDouble() <= share);
            QVERIFY(model.index(row).data(ui::ImportanceModel::HighRole).toDouble() >= share);
            QVERIFY(model.index(row).data(ui::ImportanceModel::HighRole).toDouble() <= longest);
        }

        ui::ImportancePanel panel;
        panel.resize(300, 200);
        panel.setData(AnalysedSweep(7).figure());
        QVERIFY2(panel.message().contains(QString::number(analysis::fewestTrials)), qPrintable(panel.message()));
        panel.setData(AnalysedSweep(12).figure());
        QVERIFY(panel.message().isEmpty());
        QVERIFY2(panel.note().startsWith(u"11 completed trials · order uncertain"_s), qPrintable(panel.note()));
        auto single = std::make_shared<ui::AnalysisFigure>(*figure);
        single->values.parameters.resize(1);
        panel.setData(single);
        QVERIFY2(panel.message().startsWith(u"This sweep varies only "_s), qPrintable(panel.message()));
        panel.setData(figure);
        QVERIFY(panel.message().isEmpty());
        QVERIFY2(!panel.note().contains(u"uncertain"_s), qPrintable(panel.note()));
        // Of the trials that are picked out, if they are enough.
        const auto startsWith = [&panel](const QString &text, int trials) {
            return panel.note().startsWith(text.arg(trials));
        };
        const int all = figure->importance.completed;
        std::vector<char> within(figure->values.size());
        std::fill_n(within.begin(), 5, 1);
        panel.setData(figure, within);
        QVERIFY2(startsWith(u"All %1 completed trials: too few are selected"_s, all), qPrintable(panel.note()));
        int picked = 0;
        for (std::size_t row = 0; row < within.size(); ++row) {
            within[row] = row % 2 == 0 ? 1 : 0;
            picked += within[row] && figure->values.isCompleted(row) ? 1 : 0;
        }
        panel.setData(figure, within);
        QTRY_VERIFY(!panel.isBusy());
        QVERIFY2(startsWith(u"%1 selected trials"_s, picked), qPrintable(panel.note()));
        panel.setData(figure);
        QVERIFY2(startsWith(u"%1 completed trials"_s, all), qPrintable(panel.note()));
        QSignalSpy chosen(&panel, &ui::ImportancePanel::parameterChosen);
        panel.chooseParameter(u"layers"_s);
        QCOMPARE(chosen.count(), 0);  // it was not the user's choice
        panel.show();
        panel.list()->setFocus();
        QTest::keyClick(panel.list(), Qt::Key_Home);
        QCOMPARE(chosen.back()[0].toString(), u"lr"_s);
    }
};

SWEEPSCOPE_TEST(TrialScatterTest)
#include "tst_trialscatter.moc"
