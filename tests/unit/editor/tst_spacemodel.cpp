#include "testprogram.h"

#include "ui/editor/constraintmodel.h"
#include "ui/editor/spacemodel.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

QModelIndex cell(const SpaceModel &model, int row, SpaceColumn column)
{
    return model.index(row, static_cast<int>(column));
}

bool type(SpaceModel &model, int row, SpaceColumn column, const QString &text)
{
    return model.setData(cell(model, row, column), text, Qt::EditRole);
}

bool isEditable(const SpaceModel &model, int row, SpaceColumn column)
{
    return cell(model, row, column).flags().testFlag(Qt::ItemIsEditable);
}

}  // namespace

class TestSpaceModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void isAConsistentModel();
    void emptyModelHasNoRows();
    void valuesOfAListCoverTheColumnsOfARange();
    void listBecomesTheRangeBetweenItsEnds();
    void nameOfAChoiceFillsInItsValues();
    void previewFollowsTyping();
    void everyEditIsSignalledOnce();
    void sameTextIsNotAnEdit();
    void problemIsAtItsCellAndInThePreview();
    void rowsMoveAndAreDuplicated();
    void rowsSetByTheProgramAreNotAnEdit();
};

void TestSpaceModel::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
}

void TestSpaceModel::isAConsistentModel()
{
    SpaceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(model.insertRows(0, 2));
    type(model, 0, SpaceColumn::Name, u"lr"_s);
    type(model, 0, SpaceColumn::Kind, SpaceModel::kindNames().at(3));
    QVERIFY(model.duplicateRow(0));
    QVERIFY(model.moveRows({}, 0, 1, {}, 3));
    QVERIFY(model.removeRows(1, 1));
    model.setMethod(sweep::SearchMethod::Random);
    model.setProblems({{u"space.lr"_s, u"wrong"_s, 0, 0}});
    model.setRows({DimensionDraft{}});
    model.setRows({});

    ConstraintModel constraints({}, {}, nullptr);
    QAbstractItemModelTester constraintTester(&constraints, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(constraints.insertRows(0, 1));
    QVERIFY(constraints.setData(constraints.index(0, 1), u"lr < 1"_s, Qt::EditRole));
    QVERIFY(constraints.duplicateRow(0));
    QVERIFY(constraints.removeRows(0, 2));
}

void TestSpaceModel::emptyModelHasNoRows()
{
    SpaceModel model;
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(!model.removeRows(0, 1));
    QVERIFY(!model.duplicateRow(0));
    QVERIFY(!model.moveRows({}, 0, 1, {}, 2));
    QVERIFY(!model.insertRows(1, 1));
}

void TestSpaceModel::valuesOfAListCoverTheColumnsOfARange()
{
    SpaceModel model;
    model.insertRows(0, 1);
    QCOMPARE(cell(model, 0, SpaceColumn::From).data(EditableTableModel::ColumnSpanRole).toInt(), 3);
    QVERIFY(!isEditable(model, 0, SpaceColumn::To));
    type(model, 0, SpaceColumn::Kind, u"Log-uniform"_s);
    QCOMPARE(cell(model, 0, SpaceColumn::From).data(EditableTableModel::ColumnSpanRole).toInt(), 1);
    QVERIFY(isEditable(model, 0, SpaceColumn::To));
    QVERIFY(!isEditable(model, 0, SpaceColumn::Preview));
}

void TestSpaceModel::listBecomesTheRangeBetweenItsEnds()
{
    SpaceModel model;
    model.insertRows(0, 1);
    type(model, 0, SpaceColumn::From, u"32, 64, 128"_s);
    type(model, 0, SpaceColumn::Kind, u"Integer"_s);
    QCOMPARE(cell(model, 0, SpaceColumn::From).data().toString(), u"32"_s);
    QCOMPARE(cell(model, 0, SpaceColumn::To).data().toString(), u"128"_s);
    type(model, 0, SpaceColumn::Kind, u"Values"_s);
    QCOMPARE(cell(model, 0, SpaceColumn::From).data().toString(), u"32, 64, 128"_s);
}

void TestSpaceModel::nameOfAChoiceFillsInItsValues()
{
    SpaceModel model;
    model.insertRows(0, 1);
    type(model, 0, SpaceColumn::Name, u"optimizer"_s);
    QCOMPARE(cell(model, 0, SpaceColumn::Kind).data().toString(), u"Categories"_s);
    QCOMPARE(cell(model, 0, SpaceColumn::From).data().toString(), u"sgd, adam, adamw, rmsprop, adagrad"_s);
}

void TestSpaceModel::previewFollowsTyping()
{
    SpaceModel model;
    model.insertRows(0, 1);
    type(model, 0, SpaceColumn::Name, u"lr"_s);
    type(model, 0, SpaceColumn::Kind, u"Uniform"_s);
    type(model, 0, SpaceColumn::From, u"0"_s);
    type(model, 0, SpaceColumn::To, u"1"_s);
    QCOMPARE(cell(model, 0, SpaceColumn::Preview).data().toString(), u"0, 0.5, 1"_s);
    type(model, 0, SpaceColumn::Points, u"2"_s);
    QCOMPARE(cell(model, 0, SpaceColumn::Preview).data().toString(), u"0, 1"_s);
}

void TestSpaceModel::everyEditIsSignalledOnce()
{
    SpaceModel model;
    QSignalSpy edited(&model, &SpaceModel::edited);
    model.insertRows(0, 1);
    QCOMPARE(edited.count(), 1);
    type(model, 0, SpaceColumn::Name, u"lr"_s);
    QCOMPARE(edited.count(), 2);
    model.removeRows(0, 1);
    QCOMPARE(edited.count(), 3);
}

void TestSpaceModel::sameTextIsNotAnEdit()
{
    SpaceModel model;
    model.insertRows(0, 1);
    type(model, 0, SpaceColumn::Name, u"lr"_s);
    QSignalSpy edited(&model, &SpaceModel::edited);
    QVERIFY(type(model, 0, SpaceColumn::Name, u"lr"_s));
    QCOMPARE(edited.count(), 0);
}

void TestSpaceModel::problemIsAtItsCellAndInThePreview()
{
    SpaceModel model;
    model.insertRows(0, 2);
    model.setProblems({{u"space.lr"_s, u"ends before it starts"_s, 1, static_cast<int>(SpaceColumn::To)}});
    const auto problem = [&](int row, SpaceColumn column) {
        return cell(model, row, column).data(EditableTableModel::ProblemRole).toString();
    };
    QCOMPARE(problem(1, SpaceColumn::To), u"ends before it starts"_s);
    QCOMPARE(problem(1, SpaceColumn::Preview), u"ends before it starts"_s);
    QCOMPARE(cell(model, 1, SpaceColumn::To).data(Qt::ToolTipRole).toString(), u"ends before it starts"_s);
    QVERIFY(problem(1, SpaceColumn::From).isEmpty());
    QVERIFY(problem(0, SpaceColumn::To).isEmpty());
}

void TestSpaceModel::rowsMoveAndAreDuplicated()
{
    SpaceModel model;
    model.insertRows(0, 2);
    type(model, 0, SpaceColumn::Name, u"a"_s);
    type(model, 1, SpaceColumn::Name, u"b"_s);
    QVERIFY(model.moveRows({}, 0, 1, {}, 2));
    QCOMPARE(model.rows()[0].name, u"b"_s);
    QVERIFY(model.duplicateRow(1));
    QCOMPARE(model.rows()[2].name, u"a"_s);
    QVERIFY(!model.moveRows({}, 0, 1, {}, 1));
}

void TestSpaceModel::rowsSetByTheProgramAreNotAnEdit()
{
    SpaceModel model;
    QSignalSpy edited(&model, &SpaceModel::edited);
    model.setRows({DimensionDraft{}, DimensionDraft{}});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(edited.count(), 0);
}

SWEEPSCOPE_TEST(TestSpaceModel)
#include "tst_spacemodel.moc"
