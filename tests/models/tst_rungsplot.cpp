#include "testprogram.h"

// Where trials were pruned: bars, their tooltips and the sentence below them.
#include "ui/analysis/pruningpanel.h"
#include "ui/analysis/rungsplot.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>
#include <QToolTip>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::RungsPlot;

class RungsPlotTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::Theme> m_theme;
    ui::PruningPanel *m_panel = nullptr;

    void show(const analysis::SavedByPruning &saved)
    {
        m_panel = new ui::PruningPanel;
        m_panel->resize(420, 260);
        m_panel->setSaved(saved);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel));
        m_panel->plot()->replot();
    }
    QPoint middleOf(int rung) const
    {
        const RungsPlot *plot = m_panel->plot();
        return {qRound(plot->xAxis->coordToPixel(rung)), plot->axisRect()->center().y()};
    }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void cleanup() { delete std::exchange(m_panel, nullptr); }

    void everyRungHasABarAndATooltip()
    {
        show({7, 0.414, {{100, 30, 4}, {300, 20, 2}, {12'000, 11, 1}}});
        RungsPlot *plot = m_panel->plot();
        for (int rung = 0; rung < 3; ++rung)
            QCOMPARE(plot->rungAt(middleOf(rung)), rung);
        QCOMPARE(plot->rungAt(QPointF(2, 2)), -1);
        QCOMPARE(plot->textOf(0), u"Step 100: reached by 30 trials, 4 were pruned"_s);
        QCOMPARE(plot->textOf(2), u"Step 12,000: reached by 11 trials, 1 was pruned"_s);
        QVERIFY(plot->yAxis->range().upper > 30);
        QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(QToolTip::text(), plot->textOf(0));
        QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(QToolTip::text(), plot->textOf(1));
        QVERIFY(plot->accessibleDescription().contains(plot->textOf(1)));
        const auto *sentence = m_panel->findChild<QLabel *>(u"savedByPruning"_s);
        QCOMPARE(sentence->text(), u"Pruning ended 7 trials early and saved 41% of the steps."_s);
    }

    void heightsOfBarsAreNumbersOfTrials()
    {
        show({4, 0.3, {{100, 20, 5}, {200, 10, 10}}});
        RungsPlot *plot = m_panel->plot();
        const QImage image = plot->grab().toImage();
        const QColor ground = plot->palette().color(QPalette::Base);
        const auto isBar = [&](int rung, double trials) {
            const QPoint place(middleOf(rung).x(), qRound(plot->yAxis->coordToPixel(trials)));
            int inked = 0;
            for (int dx = -8; dx <= 8; ++dx)
                inked += image.pixelColor((place + QPoint(dx, 0)) * image.devicePixelRatio()) != ground ? 1 : 0;
            return inked > 1;
        };
        QVERIFY(isBar(0, 3));
        QVERIFY(isBar(0, 18.5));
        QVERIFY(!isBar(0, 21.5));
        QVERIFY(isBar(1, 5.3));
        QVERIFY(!isBar(1, 12.3));
    }

    void aSingleRungFits()
    {
        show({1, 0, {{5, 1, 1}}});
        QCOMPARE(m_panel->plot()->rungAt(middleOf(0)), 0);
        QCOMPARE(m_panel->findChild<QLabel *>(u"savedByPruning"_s)->text(),
                 u"Pruning ended 1 trial early and saved 0% of the steps."_s);
    }
};

SWEEPSCOPE_TEST(RungsPlotTest)
#include "tst_rungsplot.moc"
