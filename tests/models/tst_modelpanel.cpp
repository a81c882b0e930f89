#include "testprogram.h"

// The predicted value over two parameters: what is offered, computed, drawn and selected.
#include "models/analysisfigures.h"
#include "ui/analysis/modelcontent.h"
#include "ui/analysis/modelpanel.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::ModelPanel;
using ui::PointKind;

namespace {

analysis::SurrogatePtr surrogateOf(const AnalysedSweep &sweep)
{
    analysis::Target target;
    const analysis::TrialValues values = analysis::collect(sweep.spec, sweep.record, sweep.trials, target);
    return analysis::Surrogate::fit(sweep.spec, target.goal,
                                    analysis::observationsOf(sweep.spec, sweep.trials, values));
}

}  // namespace

class ModelPanelTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<ModelPanel> m_panel;

    void show(const AnalysedSweep &sweep, bool logarithmic = false)
    {
        const ui::FigurePtr figure = sweep.figure(logarithmic);
        m_panel = std::make_unique<ModelPanel>();
        m_panel->resize(460, 320);
        m_panel->setData(figure, surrogateOf(sweep), std::vector<char>(figure->values.size(), 1));
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
        m_panel->plot()->replot();
    }
    QComboBox *box(const QString &name) const { return m_panel->findChild<QComboBox *>(name); }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void cleanup() { m_panel.reset(); }

    void showsTheMostImportantNumbersFirst()
    {
        const AnalysedSweep sweep(200);
        show(sweep);
        QVERIFY(m_panel->hasPlot());
        QCOMPARE(box(u"modelX"_s)->currentText(), u"lr"_s);
        QCOMPARE(box(u"modelY"_s)->currentText(), u"layers"_s);
        const ui::ModelPlot::Map &map = m_panel->plot()->map();
        QCOMPARE(map.units.size(), map.columns * map.rows);
        QVERIFY(std::ranges::all_of(map.units, [](double unit) { return std::isfinite(unit); }));
        QVERIFY(map.isSmooth);
        QVERIFY(map.isLowBest);
        QCOMPARE(map.title, u"Best val_loss"_s);
        // The loss rises with the number of layers, and is lowest near a rate of 1e-3.
        const auto at = [&map](std::size_t column, std::size_t row) { return map.units[row * map.columns + column]; };
        QVERIFY(at(map.columns / 2, 0) < at(map.columns / 2, map.rows - 1));
        QVERIFY(at(map.columns / 2, 0) < at(0, 0));
        QVERIFY(at(map.columns / 2, 0) < at(map.columns - 1, 0));
        // The others are those of the best trial, which has no momentum.
        const auto *others = m_panel->findChild<QLabel *>(u"modelOthers"_s);
        QVERIFY2(others->text().contains(u"optimizer adam"_s), qPrintable(others->text()));
        QVERIFY(!others->text().contains(u"lr"_s));
        QCOMPARE(box(u"modelX"_s)->findText(u"momentum"_s), -1);
    }

    void trialsAreOnTheMap()
    {
        const AnalysedSweep sweep(200);
        show(sweep);
        const std::vector<ui::TrialPoint> &points = m_panel->plot()->points();
        for (const ui::TrialPoint &point : points) {
            const sweep::TrialRecord &trial = sweep.trials[static_cast<std::size_t>(point.trial - 1)];
            const PointKind expected = trial.state == sweep::TrialState::Completed ? PointKind::Completed
                                       : trial.state == sweep::TrialState::Pruned  ? PointKind::Pruned
                                                                                   : PointKind::Pending;
            QCOMPARE(point.kind, expected);
            QCOMPARE(point.x, std::log10(std::get<double>(*sweep::find(trial.parameters, "lr"))));
            QCOMPARE(point.y, static_cast<double>(std::get<std::int64_t>(*sweep::find(trial.parameters, "layers"))));
        }
        const auto running = std::ranges::count(sweep.trials, sweep::TrialState::Running, &sweep::TrialRecord::state);
        QCOMPARE(std::ranges::count(points, PointKind::Pending, &ui::TrialPoint::kind), running);
        QCOMPARE(m_panel->plot()->content().best,
                 sweep.figure()->values.trials[static_cast<std::size_t>(sweep.figure()->best)]);
        QSignalSpy selected(m_panel->plot(), &ui::TrialScatter::trialSelected);
        const int trial = points.back().trial;
        QTest::mouseClick(m_panel->plot(), Qt::LeftButton, {}, m_panel->plot()->placeOf(trial).toPoint());
        QCOMPARE(selected.count(), 1);
    }

    void choosingTheOtherParameterExchangesTheAxes()
    {
        show(AnalysedSweep(100));
        const QString x = box(u"modelX"_s)->currentText();
        const QString y = box(u"modelY"_s)->currentText();
        box(u"modelX"_s)->setCurrentText(y);
        QCOMPARE(box(u"modelY"_s)->currentText(), x);
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
        QCOMPARE(m_panel->plot()->content().xTitle, y);
        // The choice outlasts further results.
        const AnalysedSweep more(120);
        m_panel->setData(more.figure(), surrogateOf(more), std::vector<char>(more.figure()->values.size(), 1));
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
        QCOMPARE(m_panel->plot()->content().xTitle, y);
        QCOMPARE(m_panel->plot()->content().yTitle, x);
    }

    void categoriesAreCells()
    {
        show(AnalysedSweep(100));
        box(u"modelY"_s)->setCurrentText(u"optimizer"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
        const ui::ModelPlot *plot = m_panel->plot();
        QCOMPARE(plot->map().rows, std::size_t(3));
        QVERIFY(!plot->map().isSmooth);
        QCOMPARE(plot->content().y.categories, (QStringList{u"adam"_s, u"sgd"_s, u"two words"_s}));
    }

    void uncertaintyHasItsOwnScale()
    {
        show(AnalysedSweep(100), true);
        QCOMPARE(m_panel->plot()->map().scale.scale, analysis::Scale::Log);  // as that of the target
        show(AnalysedSweep(100));
        QCOMPARE(m_panel->plot()->map().scale.scale, analysis::Scale::Linear);
        box(u"modelValue"_s)->setCurrentIndex(1);
        const ui::ModelPlot::Map &map = m_panel->plot()->map();
        QCOMPARE(map.title, u"Standard deviation"_s);
        QVERIFY(!map.isLowBest);
        QCOMPARE(map.scale.scale, analysis::Scale::Log);
        const auto [least, most] = std::ranges::minmax(map.units);
        QVERIFY(std::abs(map.scale.low - least) < 1e-9 && std::abs(map.scale.high - most) < 1e-9);
    }

    void saysWhatIsMissing()
    {
        show(AnalysedSweep(6));
        QVERIFY(!m_panel->hasPlot());
        const auto *message = m_panel->findChild<QLabel *>(u"modelMessage"_s);
        QVERIFY2(message->text().contains(QString::number(analysis::fewestResults)), qPrintable(message->text()));
        AnalysedSweep narrow(100);
        narrow.spec.space.resize(1);
        show(narrow);
        QVERIFY(!m_panel->hasPlot());
        message = m_panel->findChild<QLabel *>(u"modelMessage"_s);
        QVERIFY2(message->text().contains(u"two parameters"_s), qPrintable(message->text()));
    }

    void colorsOfTheMapAreDrawn()
    {
        show(AnalysedSweep(100));
        const QImage image = m_panel->plot()->grab().toImage();
        QSet<QRgb> colors;
        const QRect inside = m_panel->plot()->axisRect()->rect();
        for (int x = inside.left() + 5; x < inside.right() - 5; x += 3)
            colors.insert(image.pixel(QPoint(x, inside.center().y()) * image.devicePixelRatio()));
        QVERIFY2(colors.size() > 10, qPrintable(QString::number(colors.size())));
    }
};

SWEEPSCOPE_TEST(ModelPanelTest)
#include "tst_modelpanel.moc"
