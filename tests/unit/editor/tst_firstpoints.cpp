#include "testprogram.h"

#include "search/asktell.h"
#include "sweep/sweepfile.h"
#include "ui/editor/firstpointssection.h"
#include "unit/editor/editordriver.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineF>
#include <QRegularExpression>
#include <QTest>

#include <map>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

const std::atomic<bool> neverCancelled = false;

PointPreview previewWith(int points, std::optional<int> certain, std::uint64_t trials)
{
    PointPreview preview;
    preview.first.points.resize(static_cast<std::size_t>(points));
    preview.first.certain = certain;
    preview.trials = trials;
    return preview;
}

analysis::Parameter parameter(analysis::Scale scale)
{
    analysis::Parameter parameter;
    parameter.scale = scale;
    return parameter;
}

const QString searchToml = uR"([sweep]
name = "x"
objective = "loss"
[search]
method = "tpe"
trials = 50
seed = 3
[space]
lr = { log = [1e-4, 0.1] }
units = [16, 32, 64]
kind = ["a", "b"]
[run]
command = ["true", "{lr}", "{units}", "{kind}"]
)"_s;

}  // namespace

/// The first points of a search in the form.
class TestFirstPoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void textSaysWhichTrialsDependOnResults_data();
    void textSaysWhichTrialsDependOnResults();
    void numbersArePlottedBeforeCategories();
    void pointsAreThoseThatTheEngineSuggests();
    void trialsAtOnePlaceDoNotCoverEachOther();
    void pointsFollowEdits();
    void chosenAxesAreKept();
    void mistakeIsTheReasonForNoPoints();
    void valuesOfAListAreEquallyFarApart();
    void gridTakesNoRoom();
    void sweepThatWasLaunchedHasNoFirstPoints();
    void programChoosesItsPoints();
};

void TestFirstPoints::init()
{
    // The offscreen platform itself warns about features that it lacks.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void TestFirstPoints::textSaysWhichTrialsDependOnResults_data()
{
    QTest::addColumn<PointPreview>("preview");
    QTest::addColumn<QString>("text");
    QTest::newRow("model") << previewWith(8, 8, 60)
                           << u"The first 8 trials. From trial 9 on, points depend on results."_s;
    QTest::newRow("many certain") << previewWith(20, 30, 200)
                                  << u"The first 20 trials. From trial 31 on, points depend on results."_s;
    QTest::newRow("repeats") << previewWith(1, 1, 60)
                             << u"The first trial. From trial 2 on, points depend on results."_s;
    QTest::newRow("few trials") << previewWith(6, 8, 6) << u"All 6 trials. No point depends on results."_s;
    QTest::newRow("random") << previewWith(20, {}, 1000)
                            << u"The first 20 of 1,000 trials. No point depends on results."_s;
    QTest::newRow("no number of trials") << previewWith(20, {}, 0)
                                         << u"The first 20 trials. No point depends on results."_s;
    QTest::newRow("small space") << previewWith(3, {}, 0)
                                 << u"All 3 points of the space. No point depends on results."_s;
    QTest::newRow("small space of a model")
        << previewWith(3, 10, 0) << u"All 3 points of the space. No point depends on results."_s;
    QTest::newRow("nothing found") << previewWith(0, {}, 5) << u"No point was found that satisfies the constraints."_s;
}

void TestFirstPoints::textSaysWhichTrialsDependOnResults()
{
    QFETCH(PointPreview, preview);
    QTEST(firstPointsText(preview), "text");
}

void TestFirstPoints::numbersArePlottedBeforeCategories()
{
    using analysis::Scale;
    const analysis::Parameter category = parameter(Scale::Categories);
    const analysis::Parameter number = parameter(Scale::Log);
    QCOMPARE(usualAxes({category, number, category, number}), std::pair(1, 3));
    QCOMPARE(usualAxes({category, number}), std::pair(1, 0));
    QCOMPARE(usualAxes({number}), std::pair(0, -1));
    QCOMPARE(usualAxes({}), std::pair(-1, -1));
}

void TestFirstPoints::pointsAreThoseThatTheEngineSuggests()
{
    const sweep::SweepSpec spec = sweep::parseSweep(searchToml.toStdString()).spec;
    const PointPreview preview = previewPoints(spec, neverCancelled);
    const auto space = sweep::SearchSpace::compile(spec);
    search::AskTell search(spec, *space, search::methodOf(spec), {}, neverCancelled);
    QCOMPARE(preview.first.points.size(), std::size_t{10});
    for (int number = 1; number <= 10; ++number) {
        search::Observation trial;
        trial.number = number;
        trial.outcome = search::Outcome::Complete;
        trial.values = {1.0 / number};
        trial.parameters = search.ask(number)->parameters;
        QVERIFY(preview.first.points[static_cast<std::size_t>(number) - 1] == trial.parameters);
        search.tell(std::move(trial));
    }
    // A column per parameter, with its values as numbers.
    QCOMPARE(preview.parameters.size(), std::size_t{3});
    QCOMPARE(preview.parameters[0].values[4], std::get<double>(preview.first.points[4][0].second));
}

void TestFirstPoints::trialsAtOnePlaceDoNotCoverEachOther()
{
    PointPlot plot;
    plot.resize(plot.sizeHint());
    PointPlot::Axis axis;
    axis.values = {0.5, 0.5, 0.5, 0.2};
    plot.setPoints(axis, axis, {});
    const std::vector<QPointF> places = plot.places();
    QCOMPARE(places.size(), std::size_t{4});
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            QVERIFY(QLineF(places[i], places[j]).length() > 10);
    }
}

void TestFirstPoints::pointsFollowEdits()
{
    EditorDriver driver;
    driver.editor().typeToml(searchToml);
    auto *table = driver.find<QTableView>(u"firstPoints.table"_s);
    auto *plot = driver.find<PointPlot>(u"firstPoints.plot"_s);
    const QAbstractItemModelTester tester(table->model());
    QTRY_COMPARE(table->model()->rowCount(), 10);
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->columnCount(), 4);
    QCOMPARE(plot->places().size(), std::size_t{10});
    QCOMPARE(driver.find<QLabel>(u"firstPoints.text"_s)->text(),
             u"The first 10 trials. From trial 11 on, points depend on results."_s);
    driver.typeInto(u"search.trials"_s, u"4"_s);
    QTRY_COMPARE(table->model()->rowCount(), 4);
    QCOMPARE(plot->places().size(), std::size_t{4});
    const QString before = table->model()->index(0, 1).data().toString();
    driver.typeIntoCell(0, SpaceColumn::To, u"10"_s);
    QTRY_VERIFY(table->model()->index(0, 1).data().toString() != before);
}

void TestFirstPoints::chosenAxesAreKept()
{
    EditorDriver driver;
    driver.editor().typeToml(searchToml);
    auto *vertical = driver.find<QComboBox>(u"firstPoints.vertical"_s);
    auto *horizontal = driver.find<QComboBox>(u"firstPoints.horizontal"_s);
    QTRY_COMPARE(horizontal->currentText(), u"lr"_s);
    QCOMPARE(vertical->currentText(), u"units"_s);
    const std::vector<QPointF> places = driver.find<PointPlot>(u"firstPoints.plot"_s)->places();
    vertical->setFocus();
    QTest::keyClick(vertical, Qt::Key_Down);
    QCOMPARE(vertical->currentText(), u"kind"_s);
    QVERIFY(driver.find<PointPlot>(u"firstPoints.plot"_s)->places() != places);
    driver.typeInto(u"search.trials"_s, u"4"_s);
    QTRY_COMPARE(driver.find<QTableView>(u"firstPoints.table"_s)->model()->rowCount(), 4);
    QCOMPARE(vertical->currentText(), u"kind"_s);
}

void TestFirstPoints::mistakeIsTheReasonForNoPoints()
{
    EditorDriver driver;
    driver.editor().typeToml(searchToml);
    auto *table = driver.find<QTableView>(u"firstPoints.table"_s);
    QTRY_COMPARE(table->model()->rowCount(), 10);
    const int height = driver.find(u"firstPoints.plot"_s)->parentWidget()->height();
    driver.typeIntoCell(0, SpaceColumn::To, u"much"_s);
    QTRY_COMPARE(table->model()->rowCount(), 0);
    QVERIFY(driver.find<QLabel>(u"firstPoints.text"_s)->text().contains(u"“much” is not a number."_s));
    QVERIFY(driver.find<PointPlot>(u"firstPoints.plot"_s)->places().empty());
    QCOMPARE(driver.find(u"firstPoints.plot"_s)->parentWidget()->height(), height);  // nothing moves
    driver.typeIntoCell(0, SpaceColumn::To, u"1"_s);
    QTRY_COMPARE(table->model()->rowCount(), 10);
}

void TestFirstPoints::gridTakesNoRoom()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    QVERIFY(!driver.find(u"firstPoints.text"_s)->isVisible());
    QVERIFY(!driver.find(u"firstPoints.plot"_s)->isVisible());
}

void TestFirstPoints::valuesOfAListAreEquallyFarApart()
{
    EditorDriver driver;
    driver.editor().typeToml(QString(searchToml).replace(u"[16, 32, 64]"_s, u"[256, 16, 32]"_s));
    auto *table = driver.find<QTableView>(u"firstPoints.table"_s);
    QTRY_COMPARE(table->model()->rowCount(), 10);
    const std::vector<QPointF> places = driver.find<PointPlot>(u"firstPoints.plot"_s)->places();
    std::map<int, double> heights;  // by units
    for (int row = 0; row < 10; ++row)
        heights[table->model()->index(row, 2).data().toInt()] = places[static_cast<std::size_t>(row)].y();
    QCOMPARE(heights.size(), std::size_t{3});
    QCOMPARE(heights[16] - heights[32], heights[32] - heights[256]);
    QVERIFY(heights[16] > heights[32]);
}

void TestFirstPoints::sweepThatWasLaunchedHasNoFirstPoints()
{
    EditorDriver driver;
    driver.editor().typeToml(searchToml);
    QTRY_VERIFY(driver.find(u"firstPoints.table"_s)->isVisible());
    EditedSweep sweep;
    sweep.id = 7;
    driver.editor().setEdited(sweep);
    driver.editor().document()->becomeSweep(7);
    QVERIFY(!driver.find(u"firstPoints.table"_s)->isVisible());
    driver.editor().document()->becomeSweep(0);
    QVERIFY(driver.find(u"firstPoints.table"_s)->isVisible());
}

void TestFirstPoints::programChoosesItsPoints()
{
    EditorDriver driver;
    driver.editor().typeToml(QString(searchToml).replace(u"\"tpe\""_s, u"\"optuna\""_s));
    QTRY_COMPARE(driver.trials(), u"50 trials"_s);
    QTRY_COMPARE(driver.find<QLabel>(u"firstPoints.text"_s)->text(),
                 u"Optuna's TPESampler chooses the points while the sweep runs."_s);
    QVERIFY(!driver.find(u"firstPoints.plot"_s)->isVisible());
}

SWEEPSCOPE_TEST(TestFirstPoints)
#include "tst_firstpoints.moc"
