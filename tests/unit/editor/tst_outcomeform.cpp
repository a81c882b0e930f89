#include "testprogram.h"

#include "ui/editor/editabletablemodel.h"
#include "ui/editor/objectivemodel.h"
#include "unit/editor/editordriver.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

QTableView *table(const EditorDriver &driver, const QString &name)
{
    return driver.find<QTableView>(name + u".table"_s);
}

QString cell(const EditorDriver &driver, const QString &name, int row, int column)
{
    return table(driver, name)->model()->index(row, column).data().toString();
}

const QString fileToml = uR"([sweep]
name = "x"
objective = "loss"

[objectives]
latency = "minimize"
accuracy = "maximize"

[search]
method = "tpe"
trials = 20

[space]
width = [16, 32, 64]
depth = [1, 2, 3, 4, 5, 6, 7, 8]

[outcome_constraints]
fits = "peak_memory < 40"

[run]
command = ["true", "{width}", "{depth}"]
)"_s;

}  // namespace

/// Several objectives, and constraints on results, in the form.
class TestOutcomeForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void unusedTablesTakeNoRoom();
    void sectionsOfTheFileAreShown();
    void objectiveIsAddedAndRemoved();
    void goalFollowsTheObjectiveUntilItIsSet();
    void reportedMetricsAreProposed();
    void unknownObjectiveIsShownAtItsName();
    void constraintOnResultsIsAdded();
};

void TestOutcomeForm::init()
{
    // The offscreen platform itself warns about features that it lacks.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void TestOutcomeForm::unusedTablesTakeNoRoom()
{
    EditorDriver driver;
    for (const QString &name : {u"objectives"_s, u"outcome_constraints"_s}) {
        QVERIFY(!table(driver, name)->isVisible());
        QVERIFY(driver.find(name + u".add"_s)->isVisible());
    }
}

void TestOutcomeForm::sectionsOfTheFileAreShown()
{
    EditorDriver driver;
    driver.editor().typeToml(fileToml);
    QCOMPARE(cell(driver, u"objectives"_s, 0, 0), u"latency"_s);
    QCOMPARE(cell(driver, u"objectives"_s, 0, 1), u"Minimize"_s);
    QCOMPARE(cell(driver, u"objectives"_s, 1, 0), u"accuracy"_s);
    QCOMPARE(cell(driver, u"objectives"_s, 1, 1), u"Maximize"_s);
    QCOMPARE(cell(driver, u"outcome_constraints"_s, 0, 0), u"fits"_s);
    QCOMPARE(cell(driver, u"outcome_constraints"_s, 0, 1), u"peak_memory < 40"_s);
    QTRY_VERIFY(driver.start()->isEnabled());
    QCOMPARE(driver.toml(), fileToml);
}

void TestOutcomeForm::objectiveIsAddedAndRemoved()
{
    EditorDriver driver;
    driver.editor().typeToml(
        QString(fileToml).remove(u"[objectives]\nlatency = \"minimize\"\naccuracy = \"maximize\"\n\n"_s));
    driver.click(u"objectives.add"_s);
    driver.typeKeys(u"size"_s);
    driver.press(Qt::Key_Tab);
    QTRY_VERIFY(qobject_cast<QComboBox *>(driver.cellEditor()));
    QTRY_VERIFY(driver.toml().contains(u"[objectives]\nsize = \"minimize\""_s));
    driver.press(Qt::Key_Down);
    QTRY_VERIFY(driver.toml().contains(u"size = \"maximize\""_s));
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.click(u"objectives.remove"_s);
    QTRY_VERIFY(!driver.toml().contains(u"size ="_s));
    QVERIFY(!table(driver, u"objectives"_s)->isVisible());
}

void TestOutcomeForm::goalFollowsTheObjectiveUntilItIsSet()
{
    ObjectiveModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(model.insertRows(0, 1));
    QVERIFY(model.isUntouched(0));
    const QModelIndex name = model.index(0, static_cast<int>(ObjectiveColumn::Name));
    const QModelIndex goal = model.index(0, static_cast<int>(ObjectiveColumn::Goal));
    QVERIFY(model.setData(name, u"test_accuracy"_s, Qt::EditRole));
    QVERIFY(model.rows().front().goal == sweep::Goal::Maximize);
    QVERIFY(model.setData(goal, u"Minimize"_s, Qt::EditRole));
    QVERIFY(model.setData(name, u"accuracy"_s, Qt::EditRole));
    QVERIFY(model.rows().front().goal == sweep::Goal::Minimize);
}

void TestOutcomeForm::reportedMetricsAreProposed()
{
    EditorDriver driver;
    driver.editor().typeToml(fileToml);
    driver.editor().setReported({u"loss"_s, u"memory_use"_s});
    driver.click(u"objectives.add"_s);
    driver.typeKeys(u"mem"_s);
    QTRY_VERIFY(QApplication::activePopupWidget());
    driver.press(Qt::Key_Down);
    driver.press(Qt::Key_Return);
    QTRY_COMPARE(cell(driver, u"objectives"_s, 2, 0), u"memory_use"_s);
}

void TestOutcomeForm::unknownObjectiveIsShownAtItsName()
{
    EditorDriver driver;
    driver.click(u"objectives.add"_s);
    QTRY_COMPARE(driver.problemCount(), 1);
    // Nothing is red before the first input.
    QVERIFY(driver.find<QLabel>(u"objectives.problems"_s)->text().isEmpty());
    driver.typeKeys(u"latency"_s);
    const QModelIndex name = table(driver, u"objectives"_s)->model()->index(0, static_cast<int>(ObjectiveColumn::Name));
    QTRY_VERIFY(name.data(EditableTableModel::ProblemRole).toString().contains(u"built-in worker"_s));
    QVERIFY(driver.find<QLabel>(u"objectives.problems"_s)->text().startsWith(u"latency: "_s));
    QVERIFY(!driver.start()->isEnabled());
}

void TestOutcomeForm::constraintOnResultsIsAdded()
{
    EditorDriver driver;
    driver.click(u"outcome_constraints.add"_s);
    driver.typeKeys(u"quick"_s);
    driver.press(Qt::Key_Tab);
    driver.typeKeys(u"step_time <"_s);
    QTRY_VERIFY(!driver.find<QLabel>(u"outcome_constraints.problems"_s)->text().isEmpty());
    QVERIFY(!driver.start()->isEnabled());
    driver.typeKeys(u" 0.5"_s);
    QTRY_VERIFY(driver.toml().contains(u"[outcome_constraints]\nquick = \"step_time < 0.5\""_s));
    QTRY_VERIFY(driver.start()->isEnabled());
}

SWEEPSCOPE_TEST(TestOutcomeForm)
#include "tst_outcomeform.moc"
