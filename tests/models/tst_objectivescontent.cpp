#include "testprogram.h"

// What is drawn of several objectives: the front as steps around what it dominates, and the growing hypervolume.
#include "models/analysisfigures.h"
#include "ui/analysis/objectivescontent.h"

#include <QTest>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::PointKind;

namespace {

/// Trials 1 … 4 of the figure; `sign` -1 maximizes both objectives.
std::shared_ptr<const ui::ObjectivesFigure> objectivesOf(double sign)
{
    return ui::makeObjectivesFigure(
        {{"loss", "latency"}, {sign, sign}, {1, 2, 3, 4}, {{1, 4}, {2, 2}, {3, 3}, {4, 1}}});
}

}  // namespace

class ObjectivesContentTest : public QObject {
    Q_OBJECT

    ui::FigurePtr m_figure = AnalysedSweep(10).figure();
    std::vector<char> m_within = std::vector<char>(m_figure->values.size(), 1);

private Q_SLOTS:
    void frontIsAStepLine()
    {
        using Line = std::vector<QPointF>;
        const ui::TrialScatter::Content least = ui::frontContent(*objectivesOf(1), 0, 1, *m_figure, m_within);
        QCOMPARE(least.line, (Line{{1, 4}, {2, 4}, {2, 2}, {4, 2}, {4, 1}}));
        const ui::TrialScatter::Content most = ui::frontContent(*objectivesOf(-1), 0, 1, *m_figure, m_within);
        QCOMPARE(most.line, (Line{{1, 4}, {1, 3}, {3, 3}, {3, 1}, {4, 1}}));
        QCOMPARE(least.points.size(), std::size_t(4));
        QCOMPARE(least.xTitle, u"loss"_s);
        QCOMPARE(least.yTitle, u"latency"_s);
        const ui::TrialScatter::Content turned = ui::frontContent(*objectivesOf(1), 1, 0, *m_figure, m_within);
        QCOMPARE(turned.line, (Line{{1, 4}, {2, 4}, {2, 2}, {4, 2}, {4, 1}}));
        QVERIFY(!ui::makeObjectivesFigure({}));
    }

    void rangesFadeTrialsHereToo()
    {
        m_within[static_cast<std::size_t>(m_figure->rowOf(2))] = 0;
        const ui::TrialScatter::Content content = ui::frontContent(*objectivesOf(1), 0, 1, *m_figure, m_within);
        for (const ui::TrialPoint &point : content.points)
            QCOMPARE(ui::isFaint(point.kind), point.trial == 2);
    }

    void pointsAreWhereTheHypervolumeGrew()
    {
        const auto objectives = objectivesOf(1);
        const ui::TrialScatter::Content content = ui::hypervolumeContent(*objectives, *m_figure, m_within);
        QCOMPARE(content.line.size(), std::size_t(4));
        // The first and the last trial are the best in one objective and the worst in the other; the third is dominated.
        QCOMPARE(content.points.size(), std::size_t(1));
        QCOMPARE(content.points.front().trial, 2);
        QCOMPARE(content.line.back().y(), objectives->hypervolumes.back());
        QVERIFY(content.y.high >= content.line.back().y());
    }
};

SWEEPSCOPE_TEST(ObjectivesContentTest)
#include "tst_objectivescontent.moc"
