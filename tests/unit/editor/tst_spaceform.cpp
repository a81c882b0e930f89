#include "testprogram.h"

#include "ui/editor/editabletablemodel.h"
#include "unit/editor/editordriver.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

/// The table of the search space and its constraints: input and errors.
class TestSpaceForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void typingARangeUpdatesTheNumberOfTrials();
    void scaleIsVisibleNextToTheSweepFile();
    void everyKeyCountsBeforeEnter();
    void escapeRevertsTyping();
    void reversedRangeIsShownAtItsCellAndDisablesStart();
    void longProblemWraps();
    void parameterUnknownToTheWorkerIsShownAtItsName();
    void clickOnAProblemGoesToItsCell();
    void rowsAreAddedFilledByTabAndRemoved();
    void tabLeavesTheTableAfterTheLastCell();
    void constraintLimitsTheTrials();
    void newRowReportsMissingInputOnce();
};

void TestSpaceForm::init()
{
    // The offscreen platform itself warns about features that it lacks.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void TestSpaceForm::typingARangeUpdatesTheNumberOfTrials()
{
    EditorDriver driver;
    driver.typeIntoCell(0, SpaceColumn::Points, u"7"_s);
    QTRY_COMPARE(driver.trials(), u"7 trials"_s);
    QVERIFY(driver.cell(0, SpaceColumn::Preview).startsWith(u"0.001, "_s));
    QVERIFY(driver.toml().contains(u"points = 7"_s));
}

void TestSpaceForm::scaleIsVisibleNextToTheSweepFile()
{
    EditorDriver driver;
    driver.editor().resize(900, 560);  // the columns have their min width
    driver.click(u"showToml"_s);
    QTRY_VERIFY(driver.space()->width() < 600);
    const QModelIndex preview = driver.space()->model()->index(0, static_cast<int>(SpaceColumn::Preview));
    const auto hasPicture = [&] {
        driver.space()->scrollTo(preview);
        const QRect cell = driver.space()->visualRect(preview);
        const QImage image = driver.space()->viewport()->grab(cell).toImage();
        const QColor dot = driver.space()->palette().color(QPalette::Link);
        for (int x = 0; x < image.width() / 2; ++x)
            for (int y = 0; y < image.height(); ++y)
                if (image.pixelColor(x, y) == dot)
                    return true;
        return false;
    };
    QTRY_VERIFY2(hasPicture(), qPrintable(QString::number(driver.space()->visualRect(preview).width())));
}

void TestSpaceForm::everyKeyCountsBeforeEnter()
{
    EditorDriver driver;
    const QModelIndex points = driver.space()->model()->index(0, static_cast<int>(SpaceColumn::Points));
    driver.space()->setFocus();
    driver.space()->setCurrentIndex(points);
    QTest::keyClick(driver.space(), Qt::Key_9);
    QTRY_COMPARE(driver.trials(), u"9 trials"_s);
    driver.typeKeys(u"9"_s);
    QTRY_COMPARE(driver.trials(), u"99 trials"_s);
}

void TestSpaceForm::escapeRevertsTyping()
{
    EditorDriver driver;
    const QModelIndex points = driver.space()->model()->index(0, static_cast<int>(SpaceColumn::Points));
    driver.space()->setFocus();
    driver.space()->setCurrentIndex(points);
    QTest::keyClick(driver.space(), Qt::Key_9);
    QTRY_COMPARE(driver.trials(), u"9 trials"_s);
    driver.press(Qt::Key_Escape);
    QTRY_COMPARE(driver.trials(), u"4 trials"_s);
}

void TestSpaceForm::reversedRangeIsShownAtItsCellAndDisablesStart()
{
    EditorDriver driver;
    driver.typeIntoCell(0, SpaceColumn::To, u"0.0001"_s);
    QTRY_VERIFY(!driver.cellProblem(0, SpaceColumn::To).isEmpty());
    QVERIFY(!driver.start()->isEnabled());
    QVERIFY(driver.problem(u"space"_s).isEmpty());
    QVERIFY(!driver.find<QLabel>(u"space.problems"_s)->text().isEmpty());
    QCOMPARE(driver.trials(), u"Number of trials unknown"_s);
    QVERIFY(!driver.start()->toolTip().isEmpty());
    QVERIFY(!driver.find<QLabel>(u"summary.reason"_s)->text().isEmpty());
    driver.typeIntoCell(0, SpaceColumn::To, u"0.2"_s);
    QTRY_VERIFY(driver.start()->isEnabled());
    QVERIFY(driver.cellProblem(0, SpaceColumn::To).isEmpty());
    QVERIFY(driver.find<QLabel>(u"space.problems"_s)->text().isEmpty());
}

void TestSpaceForm::longProblemWraps()
{
    EditorDriver driver;
    driver.editor().resize(900, 560);
    driver.click(u"showToml"_s);
    driver.typeIntoCell(0, SpaceColumn::From, u"0"_s);
    auto *problems = driver.find<QLabel>(u"space.problems"_s);
    QTRY_COMPARE(problems->text(), u"lr: has a logarithmic range that starts at 0: both ends must be greater than 0; a "
                                   "range that includes 0 needs linear spacing"_s);
    QTRY_VERIFY(problems->height() >= 2 * problems->fontMetrics().height());
    QCOMPARE(problems->height(), problems->heightForWidth(problems->width()));
    driver.typeIntoCell(0, SpaceColumn::From, u"0.001"_s);
    driver.typeIntoCell(0, SpaceColumn::Points, QString());
    QTRY_COMPARE(problems->text(), u"lr: has no points: a grid needs their number, e.g. 5"_s);
}

void TestSpaceForm::parameterUnknownToTheWorkerIsShownAtItsName()
{
    EditorDriver driver;
    driver.typeIntoCell(0, SpaceColumn::Name, u"lrate"_s);
    QTRY_VERIFY(driver.cellProblem(0, SpaceColumn::Name).contains(u"lrate"_s));
    QVERIFY(driver.cellProblem(0, SpaceColumn::Points).isEmpty());

    EditorDriver wrongValues;
    wrongValues.typeIntoCell(0, SpaceColumn::Points, u"0"_s);
    wrongValues.typeIntoCell(0, SpaceColumn::Name, u"lrate"_s);
    QTRY_VERIFY(!wrongValues.cellProblem(0, SpaceColumn::Points).isEmpty());
    QVERIFY(wrongValues.cellProblem(0, SpaceColumn::Name).isEmpty());

    EditorDriver command;  // which names batch_size and forgets lr
    command.click(u"space.add"_s);
    command.typeIntoCell(1, SpaceColumn::Name, u"batch_size"_s);
    command.click(u"run.worker.command"_s);
    command.typeInto(u"run.command"_s, u"true {batch_size}"_s);
    QTRY_VERIFY(command.cellProblem(0, SpaceColumn::Name).contains(u"not used by the command"_s));
    QVERIFY(command.cellProblem(0, SpaceColumn::Points).isEmpty());

    EditorDriver wholeNumbers;
    wholeNumbers.typeIntoCell(0, SpaceColumn::Name, u"epochs"_s);
    QTRY_VERIFY(!wholeNumbers.cellProblem(0, SpaceColumn::Kind).isEmpty());
}

void TestSpaceForm::clickOnAProblemGoesToItsCell()
{
    EditorDriver driver;
    driver.typeIntoCell(0, SpaceColumn::To, u"0.0001"_s);
    QTRY_COMPARE(driver.problemCount(), 1);
    driver.find(u"sweep.name"_s)->setFocus();
    auto *list = driver.find<QListWidget>(u"problems"_s);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    QCOMPARE(driver.space()->currentIndex().column(), static_cast<int>(SpaceColumn::To));
    QVERIFY(driver.cellEditor());
}

void TestSpaceForm::rowsAreAddedFilledByTabAndRemoved()
{
    EditorDriver driver;
    driver.click(u"space.add"_s);
    QCOMPARE(driver.space()->model()->rowCount(), 2);
    driver.typeKeys(u"batch_size"_s);
    driver.press(Qt::Key_Tab);
    QTRY_VERIFY(qobject_cast<QComboBox *>(driver.cellEditor()));
    driver.press(Qt::Key_Tab);
    QTRY_VERIFY(qobject_cast<QLineEdit *>(driver.cellEditor()));
    driver.typeKeys(u"16, 32, 64"_s);
    driver.press(Qt::Key_Return);
    QTRY_COMPARE(driver.trials(), u"12 trials"_s);

    driver.click(u"space.up"_s);
    QCOMPARE(driver.cell(0, SpaceColumn::Name), u"batch_size"_s);
    driver.click(u"space.duplicate"_s);
    QCOMPARE(driver.space()->model()->rowCount(), 3);
    QTRY_COMPARE(driver.problemCount(), 1);  // of two rows with one name
    driver.click(u"space.remove"_s);
    QTRY_COMPARE(driver.trials(), u"12 trials"_s);
    QVERIFY(driver.start()->isEnabled());
}

void TestSpaceForm::tabLeavesTheTableAfterTheLastCell()
{
    EditorDriver driver;
    const QModelIndex when = driver.space()->model()->index(0, static_cast<int>(SpaceColumn::When));
    QTest::mouseClick(driver.space()->viewport(), Qt::LeftButton, {}, driver.space()->visualRect(when).center());
    driver.press(Qt::Key_Tab);
    QTRY_VERIFY(driver.find(u"space.add"_s)->hasFocus());
}

void TestSpaceForm::constraintLimitsTheTrials()
{
    EditorDriver driver;
    driver.click(u"constraints.add"_s);
    driver.typeKeys(u"small"_s);
    driver.press(Qt::Key_Tab);
    driver.typeKeys(u"lr <"_s);
    QTRY_VERIFY(!driver.find<QLabel>(u"constraints.problems"_s)->text().isEmpty());
    QVERIFY(!driver.start()->isEnabled());
    driver.typeKeys(u" 0.05"_s);
    QTRY_COMPARE(driver.trials(), u"3 trials"_s);
    QVERIFY(driver.start()->isEnabled());
}

void TestSpaceForm::newRowReportsMissingInputOnce()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.click(u"space.add"_s);
    auto *problems = driver.find<QListWidget>(u"problems"_s);
    QTRY_COMPARE(problems->count(), 2);
    QVERIFY(problems->item(0)->text().startsWith(u"Row 2: No values"_s));
    QVERIFY(problems->item(1)->text().startsWith(u"Row 2: this parameter has no name"_s));
    // Nothing is red before the first input.
    const auto isRed = [&driver](SpaceColumn column) {
        const QModelIndex cell = driver.space()->model()->index(1, static_cast<int>(column));
        return !cell.data(EditableTableModel::ProblemRole).toString().isEmpty();
    };
    QVERIFY(!isRed(SpaceColumn::Name) && !isRed(SpaceColumn::From) && !isRed(SpaceColumn::Preview));
    QVERIFY(driver.problem(u"space"_s).isEmpty());
    driver.typeKeys(u"lr2"_s);
    QTRY_VERIFY(isRed(SpaceColumn::From));
}

SWEEPSCOPE_TEST(TestSpaceForm)
#include "tst_spaceform.moc"
