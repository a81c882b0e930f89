#include "sweep/sweepfile.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/sweepdocument.h"
#include "unit/editor/editordriver.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

QString example(const QString &name)
{
    return QStringLiteral(SWEEPSCOPE_SOURCE_DIR "/resources/examples/") + name;
}

/// The texts of visible labels and buttons that have less room than they want.
QStringList truncated(const QWidget &widget)
{
    QStringList texts;
    for (const QLabel *label : widget.findChildren<QLabel *>())
        if (label->isVisible() && !label->wordWrap() && label->width() < label->sizeHint().width())
            texts << label->objectName() + u": "_s + label->text();
    for (const QPushButton *button : widget.findChildren<QPushButton *>())
        if (button->isVisible() && button->width() < button->sizeHint().width())
            texts << button->text();
    return texts;
}

}  // namespace

class TestSweepEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void newSweepCanBeStarted();
    void typingARangeUpdatesTheNumberOfTrials();
    void everyKeyCountsBeforeEnter();
    void escapeTakesBackWhatWasTyped();
    void reversedRangeIsShownAtItsCellAndHoldsStart();
    void parameterThatTheWorkerLacksIsShownAtItsName();
    void clickOnAProblemGoesToItsCell();
    void rowsAreAddedFilledByTabAndRemoved();
    void tabLeavesTheTableAfterTheLastCell();
    void constraintLimitsTheTrials();
    void commandIsShownAsArguments();
    void settingOfTheSpaceIsOffInTheForm();
    void hiddenSettingWithAProblemIsReachable();
    void wrongFieldIsRedInWordsAndInTheList();
    void wordsOfAProblemMoveNothing();
    void randomSearchAsksForTrials();
    void undoBringsBackEveryStep();
    void everyExampleOpensAndIsWrittenAsItWas_data();
    void everyExampleOpensAndIsWrittenAsItWas();
    void whatHasNoFieldIsKept();
    void limitsAreTypedIn();
    void fileWithProblemsIsOpenedAndListsThem();
    void savingOverCommentsAsksFirst();
    void unreadableFieldIsNotSaved();
    void startHandsOverTheSweep();
    void refusalIsShownAtItsFieldUntilTheNextEdit();
    void newRowIsToldOnceWhatItMisses();
    void refusalThatNoFieldCanMendLeavesStartOpen();
    void sweepFileStandsBesideTheFormWhereThereIsRoom();
    void startIsHeldWhileThereIsNoEngine();
    void machineWithoutGpusIsSaidAtTheField();
    void comingBackLooksAgain();
    void goalGoesWithTheObjectiveUntilItIsChosen();
    void everyFieldHasANameAndCanBeReachedByTab();
    void sweepFileIsTypedIntoAndTheFormFollows();
    void nothingIsTruncatedInASmallWindow();
};

void TestSweepEditor::init()
{
    // The offscreen platform itself complains about what it cannot do.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void TestSweepEditor::newSweepCanBeStarted()
{
    EditorDriver driver;
    QTRY_COMPARE(driver.trials(), u"4 trials"_s);
    QVERIFY(driver.start()->isEnabled());
    QCOMPARE(driver.problemCount(), 0);
}

void TestSweepEditor::typingARangeUpdatesTheNumberOfTrials()
{
    EditorDriver driver;
    driver.typeIntoCell(0, SpaceColumn::Points, u"7"_s);
    QTRY_COMPARE(driver.trials(), u"7 trials"_s);
    QVERIFY(driver.cell(0, SpaceColumn::Preview).startsWith(u"0.001, "_s));
    QVERIFY(driver.toml().contains(u"points = 7"_s));
}

void TestSweepEditor::everyKeyCountsBeforeEnter()
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

void TestSweepEditor::escapeTakesBackWhatWasTyped()
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

void TestSweepEditor::reversedRangeIsShownAtItsCellAndHoldsStart()
{
    EditorDriver driver;
    driver.typeIntoCell(0, SpaceColumn::To, u"0.0001"_s);
    QTRY_VERIFY(!driver.cellProblem(0, SpaceColumn::To).isEmpty());
    QVERIFY(!driver.start()->isEnabled());
    QVERIFY(driver.problem(u"space"_s).isEmpty());
    QVERIFY(!driver.find<QLabel>(u"space.problems"_s)->text().isEmpty());
    QVERIFY(!driver.start()->toolTip().isEmpty());
    QVERIFY(!driver.find<QLabel>(u"summary.reason"_s)->text().isEmpty());
    driver.typeIntoCell(0, SpaceColumn::To, u"0.2"_s);
    QTRY_VERIFY(driver.start()->isEnabled());
    QVERIFY(driver.cellProblem(0, SpaceColumn::To).isEmpty());
    QVERIFY(driver.find<QLabel>(u"space.problems"_s)->text().isEmpty());
}

void TestSweepEditor::parameterThatTheWorkerLacksIsShownAtItsName()
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
    QTRY_VERIFY(command.cellProblem(0, SpaceColumn::Name).contains(u"never used"_s));
    QVERIFY(command.cellProblem(0, SpaceColumn::Points).isEmpty());

    EditorDriver wholeNumbers;
    wholeNumbers.typeIntoCell(0, SpaceColumn::Name, u"epochs"_s);
    QTRY_VERIFY(!wholeNumbers.cellProblem(0, SpaceColumn::Kind).isEmpty());
}

void TestSweepEditor::clickOnAProblemGoesToItsCell()
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

void TestSweepEditor::rowsAreAddedFilledByTabAndRemoved()
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
    QTRY_COMPARE(driver.problemCount(), 2);
    driver.click(u"space.remove"_s);
    QTRY_COMPARE(driver.trials(), u"12 trials"_s);
    QVERIFY(driver.start()->isEnabled());
}

void TestSweepEditor::tabLeavesTheTableAfterTheLastCell()
{
    EditorDriver driver;
    const QModelIndex when = driver.space()->model()->index(0, static_cast<int>(SpaceColumn::When));
    QTest::mouseClick(driver.space()->viewport(), Qt::LeftButton, {}, driver.space()->visualRect(when).center());
    driver.press(Qt::Key_Tab);
    QTRY_VERIFY(driver.find(u"space.add"_s)->hasFocus());
}

void TestSweepEditor::constraintLimitsTheTrials()
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

void TestSweepEditor::commandIsShownAsArguments()
{
    EditorDriver driver;
    driver.click(u"run.worker.command"_s);
    QVERIFY(!driver.find(u"run.epochs"_s)->isVisible());
    QTRY_VERIFY(!driver.problem(u"run.command"_s).isEmpty());
    driver.typeInto(u"run.command"_s, u"sh -c 'echo {lr}'"_s);
    QTRY_VERIFY(driver.start()->isEnabled());
    QVERIFY(driver.toml().contains(u"command = "_s));
    QVERIFY(driver.find<QLabel>(u"run.arguments"_s)->text().contains(u"echo {lr}"_s));
    driver.typeInto(u"run.command"_s, u"sh -c 'echo {lr}"_s);
    QTRY_VERIFY(!driver.start()->isEnabled());
    driver.typeInto(u"run.command"_s, u"sh -c 'echo {lr} {width}'"_s);
    QTRY_VERIFY(driver.problem(u"run.command"_s).contains(u"width"_s));
}

void TestSweepEditor::settingOfTheSpaceIsOffInTheForm()
{
    EditorDriver driver;
    QVERIFY(!driver.find(u"run.lr"_s)->isEnabled());
    QVERIFY(driver.find(u"run.epochs"_s)->isEnabled());
    driver.typeIntoCell(0, SpaceColumn::Name, u"momentum"_s);
    QVERIFY(driver.find(u"run.lr"_s)->isEnabled());
    driver.typeInto(u"run.lr"_s, u"0.05"_s);
    QTRY_VERIFY(driver.toml().contains(u"lr = 0.05"_s));
}

void TestSweepEditor::hiddenSettingWithAProblemIsReachable()
{
    EditorDriver driver;
    driver.click(u"run.more"_s);
    driver.typeInto(u"run.dropout"_s, u"2"_s);
    driver.click(u"run.more"_s);
    QVERIFY(!driver.find(u"run.dropout"_s)->isVisible());
    QTRY_COMPARE(driver.problemCount(), 1);
    auto *list = driver.find<QListWidget>(u"problems"_s);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    QVERIFY(driver.find(u"run.dropout"_s)->isVisible());
    QVERIFY(driver.find(u"run.dropout"_s)->hasFocus());
}

void TestSweepEditor::wrongFieldIsRedInWordsAndInTheList()
{
    EditorDriver driver;
    driver.typeInto(u"sweep.name"_s, u""_s);
    driver.typeInto(u"run.timeout"_s, u"soon"_s);
    QTRY_COMPARE(driver.problemCount(), 2);
    QVERIFY(!driver.problem(u"sweep.name"_s).isEmpty());
    QVERIFY(driver.problem(u"run.timeout"_s).contains(u"soon"_s));
    QVERIFY(driver.find(u"run.timeout"_s)->property("problem").toBool());
    QCOMPARE(driver.find(u"run.timeout"_s)->toolTip(), driver.problem(u"run.timeout"_s));
    driver.typeInto(u"run.timeout"_s, u"10m"_s);
    driver.typeInto(u"sweep.name"_s, u"fine"_s);
    QTRY_VERIFY(driver.start()->isEnabled());
    QVERIFY(!driver.find(u"run.timeout"_s)->property("problem").toBool());
}

void TestSweepEditor::wordsOfAProblemMoveNothing()
{
    EditorDriver driver;
    const auto placeOf = [&driver](const QString &name) {
        return driver.find(name)->mapTo(&driver.editor(), QPoint());
    };
    const QPoint settings = placeOf(u"run.dataset"_s);
    const QPoint ranks = placeOf(u"run.ranks"_s);
    driver.typeInto(u"sweep.name"_s, u""_s);
    driver.typeIntoCell(0, SpaceColumn::To, u"low"_s);
    driver.find(u"sweep.name"_s)->setFocus();  // back to the top, should the form have moved
    QTRY_COMPARE(driver.problemCount(), 2);
    QCoreApplication::processEvents();
    QCOMPARE(placeOf(u"run.dataset"_s), settings);
    QCOMPARE(placeOf(u"run.ranks"_s), ranks);
}

void TestSweepEditor::randomSearchAsksForTrials()
{
    EditorDriver driver;
    QVERIFY(!driver.find(u"search.trials"_s)->isVisible());
    auto *method = driver.find<QComboBox>(u"search.method"_s);
    method->setFocus();
    QTest::keyClick(method, Qt::Key_Down);
    QVERIFY(driver.find(u"search.trials"_s)->isVisible());
    QTRY_VERIFY(!driver.problem(u"search.trials"_s).isEmpty());
    driver.typeInto(u"search.trials"_s, u"20"_s);
    QTRY_COMPARE(driver.trials(), u"20 trials"_s);
}

void TestSweepEditor::undoBringsBackEveryStep()
{
    EditorDriver driver;
    driver.typeIntoCell(0, SpaceColumn::Points, u"7"_s);
    driver.typeInto(u"sweep.name"_s, u"other"_s);
    QTRY_COMPARE(driver.trials(), u"7 trials"_s);
    auto *name = driver.find<QLineEdit>(u"sweep.name"_s);
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(name->text(), u"my-sweep"_s);
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(driver.trials(), u"4 trials"_s);
    QTest::keyClick(name, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(driver.trials(), u"7 trials"_s);
    QCOMPARE(driver.cell(0, SpaceColumn::Points), u"7"_s);
}

void TestSweepEditor::everyExampleOpensAndIsWrittenAsItWas_data()
{
    QTest::addColumn<QString>("path");
    for (const QFileInfo &file : QDir(example(QString())).entryInfoList({u"*.toml"_s}))
        QTest::newRow(qPrintable(file.fileName())) << file.absoluteFilePath();
}

void TestSweepEditor::everyExampleOpensAndIsWrittenAsItWas()
{
    QFETCH(const QString, path);
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(path));
    QVERIFY(driver.editor().notice()->text().isEmpty());
    const auto parsed = sweep::readSweepFile(path.toStdString());
    QVERIFY(parsed.has_value());
    const QString expected = QString::fromStdString(sweep::toToml(parsed->spec));
    QTRY_COMPARE(driver.toml().trimmed(), expected.trimmed());
    // A step forth and back: what the form reads from its widgets is the same again.
    driver.typeInto(u"sweep.name"_s, u"x"_s);
    QTRY_VERIFY(driver.toml().contains(u"name = \"x\""_s));
    driver.typeInto(u"sweep.name"_s, QString::fromStdString(parsed->spec.name));
    QTRY_COMPARE(driver.toml().trimmed(), expected.trimmed());
}

void TestSweepEditor::whatHasNoFieldIsKept()
{
    QTemporaryDir folder;
    QFile printed(example(u"printed.toml"_s));
    QVERIFY(printed.open(QFile::ReadOnly));
    const QByteArray contents = printed.readAll() + "[run.retry]\nport_taken = 5\n";
    QFile file(folder.filePath(u"printed.toml"_s));
    QVERIFY(file.open(QFile::WriteOnly) && file.write(contents) == contents.size());
    file.close();
    const sweep::SweepSpec before = sweep::parseSweep(contents.toStdString()).spec;
    QVERIFY(before.run.metrics.has_value());

    EditorDriver driver;
    QVERIFY(driver.editor().openFile(file.fileName()));
    driver.typeInto(u"sweep.name"_s, u"renamed"_s);
    QTRY_VERIFY(driver.toml().contains(u"renamed"_s));
    const sweep::SweepSpec after = sweep::parseSweep(driver.toml().toStdString()).spec;
    QVERIFY(after.run.metrics == before.run.metrics);
    QVERIFY(after.run.policy == before.run.policy);
}

void TestSweepEditor::limitsAreTypedIn()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    QVERIFY(!driver.toml().contains(u"[prune]"_s) && !driver.toml().contains(u"[budget]"_s));
    auto *method = driver.find<QComboBox>(u"prune.method"_s);
    method->setFocus();
    QTest::keyClick(method, Qt::Key_Down);
    QTRY_VERIFY(!driver.problem(u"prune.first_step"_s).isEmpty());
    QVERIFY(!driver.start()->isEnabled());
    driver.typeInto(u"prune.first_step"_s, u"200"_s);
    driver.typeInto(u"prune.every"_s, u"often"_s);
    QTRY_VERIFY(!driver.problem(u"prune.every"_s).isEmpty());
    driver.typeInto(u"prune.every"_s, u"50"_s);
    driver.typeInto(u"budget.time"_s, u"8 hours"_s);
    QTRY_VERIFY(!driver.problem(u"budget.time"_s).isEmpty());
    driver.typeInto(u"budget.time"_s, u"8h"_s);
    QTRY_VERIFY(driver.start()->isEnabled());
    QTRY_VERIFY(driver.toml().contains(u"[prune]\nmethod = \"median\"\nfirst_step = 200\nevery = 50\n"_s));
    QTRY_VERIFY(driver.toml().contains(u"[budget]\ntime = \"8h\"\n"_s));

    method->setFocus();
    QTest::keyClick(method, Qt::Key_Down);
    driver.typeInto(u"prune.factor"_s, u"4"_s);
    QTRY_VERIFY(driver.toml().contains(u"[prune]\nmethod = \"halving\"\nfirst_step = 200\nfactor = 4"_s));
    QTRY_VERIFY(driver.start()->isEnabled());
}

void TestSweepEditor::fileWithProblemsIsOpenedAndListsThem()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"odd.toml"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[sweep]\nname = \"odd\"\nobjective = \"val_loss\"\n[space]\nlr = { log = [0.1, 0.01], points = 3 "
               "}\n[run]\nworker = \"builtin\"\n");
    file.close();
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(file.fileName()));
    QVERIFY2(driver.editor().notice()->text().contains(u"odd.toml:5:"_s), qPrintable(driver.editor().notice()->text()));
    QTRY_VERIFY(!driver.cellProblem(0, SpaceColumn::To).isEmpty());
    QVERIFY(!driver.editor().openFile(folder.filePath(u"missing.toml"_s)));
    QVERIFY(driver.editor().notice()->text().contains(u"missing.toml"_s));
}

void TestSweepEditor::savingOverCommentsAsksFirst()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"digits.toml"_s);
    QVERIFY(QFile::copy(example(u"digits-mlp.toml"_s), path));
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(path));
    driver.typeInto(u"sweep.name"_s, u"changed"_s);
    QTest::keyClick(driver.find(u"sweep.name"_s), Qt::Key_S, Qt::ControlModifier);
    QVERIFY(driver.editor().notice()->text().contains(u"comments"_s));
    QVERIFY(driver.editor().document()->isModified());
    driver.click(u"notice.saveAnyway"_s);
    QVERIFY(!driver.editor().document()->isModified());
    QCOMPARE(sweep::readSweepFile(path.toStdString())->spec.name, std::string("changed"));
}

void TestSweepEditor::unreadableFieldIsNotSaved()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"plain.toml"_s);
    EditorDriver driver;
    QVERIFY(driver.editor().document()->save(path, u"[sweep]\nname = \"x\"\n"_s).has_value());
    driver.typeIntoCell(0, SpaceColumn::Points, u"many"_s);
    driver.find(u"sweep.name"_s)->setFocus();
    QTest::keyClick(driver.find(u"sweep.name"_s), Qt::Key_S, Qt::ControlModifier);
    QVERIFY(driver.editor().notice()->text().startsWith(u"Not saved"_s));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("[sweep]\nname = \"x\"\n"));
}

void TestSweepEditor::startHandsOverTheSweep()
{
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(example(u"digits-mlp.toml"_s)));
    QSignalSpy started(&driver.editor(), &SweepEditor::startRequested);
    QTRY_COMPARE(driver.trials(), u"12 trials"_s);
    QTest::keyClick(driver.find(u"sweep.name"_s), Qt::Key_S, Qt::AltModifier);
    QTRY_COMPARE(started.count(), 1);
    const auto parsed = sweep::parseSweep(started[0][0].toString().toStdString());
    QVERIFY(parsed.problems.empty());
    QCOMPARE(parsed.spec.name, std::string("digits-mlp"));
    QCOMPARE(started[0][1].toString(), QFileInfo(example(u"digits-mlp.toml"_s)).absolutePath());
}

void TestSweepEditor::refusalIsShownAtItsFieldUntilTheNextEdit()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.editor().showRefusal({{"run.ranks", "more than the machine has"}});
    QCOMPARE(driver.problem(u"run.ranks"_s), u"More than the machine has"_s);
    QVERIFY(!driver.start()->isEnabled());
    driver.typeInto(u"sweep.name"_s, u"again"_s);
    QTRY_VERIFY(driver.start()->isEnabled());
    QVERIFY(driver.problem(u"run.ranks"_s).isEmpty());
}

void TestSweepEditor::newRowIsToldOnceWhatItMisses()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.click(u"space.add"_s);
    auto *problems = driver.find<QListWidget>(u"problems"_s);
    QTRY_COMPARE(problems->count(), 2);
    QVERIFY(problems->item(0)->text().startsWith(u"Row 2: No values"_s));
    QVERIFY(problems->item(1)->text().startsWith(u"Row 2: this parameter has no name"_s));
}

void TestSweepEditor::refusalThatNoFieldCanMendLeavesStartOpen()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.editor().showRefusal({{"", "cannot write sweep.toml: No space left on device"}});
    QVERIFY(driver.start()->isEnabled());
    QCOMPARE(driver.find<QListWidget>(u"problems"_s)->count(), 0);
    QCOMPARE(driver.editor().notice()->text(), u"Not started: cannot write sweep.toml: No space left on device"_s);
}

void TestSweepEditor::sweepFileStandsBesideTheFormWhereThereIsRoom()
{
    EditorDriver driver;
    auto *toml = driver.find<QPlainTextEdit>(u"toml"_s);
    driver.editor().resize(1000, 800);
    QVERIFY(!toml->isVisible());
    driver.editor().resize(2400, 1200);
    QTRY_VERIFY(toml->isVisible());
    driver.editor().resize(1000, 800);
    QTRY_VERIFY(!toml->isVisible());
    // What the person has chosen stays.
    driver.click(u"showToml"_s);
    QTRY_VERIFY(toml->isVisible());
    driver.editor().resize(2400, 1200);
    driver.editor().resize(1000, 800);
    QVERIFY(toml->isVisible());
}

void TestSweepEditor::startIsHeldWhileThereIsNoEngine()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.editor().setHindrance(u"Waiting for the engine"_s);
    QVERIFY(!driver.start()->isEnabled());
    QCOMPARE(driver.find<QLabel>(u"summary.reason"_s)->text(), u"Waiting for the engine"_s);
    driver.editor().setHindrance(QString());
    QVERIFY(driver.start()->isEnabled());
}

void TestSweepEditor::machineWithoutGpusIsSaidAtTheField()
{
    EditorDriver driver;
    auto *kind = driver.find<QComboBox>(u"devices.kind"_s);
    kind->setFocus();
    QTest::keyClick(kind, Qt::Key_Down);
    QTRY_COMPARE(driver.problemCount(), 1);
    QVERIFY(!driver.problem(u"devices.kind"_s).isEmpty());
    QVERIFY(!driver.start()->isEnabled());
}

void TestSweepEditor::comingBackLooksAgain()
{
    QTemporaryDir folder;
    EditorDriver driver;
    driver.click(u"run.worker.command"_s);
    const QString program = folder.filePath(u"rank.sh"_s);
    driver.typeInto(u"run.command"_s, program + u" {lr}"_s);
    QTRY_VERIFY(driver.problem(u"run.command"_s).contains(u"rank.sh"_s));
    QFile file(program);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    file.close();
    QEvent back(QEvent::WindowActivate);
    QCoreApplication::sendEvent(&driver.editor(), &back);
    QTRY_VERIFY(driver.start()->isEnabled());
}

void TestSweepEditor::goalGoesWithTheObjectiveUntilItIsChosen()
{
    EditorDriver driver;
    const auto goal = [&driver] { return driver.find<QComboBox>(u"sweep.goal"_s)->currentData().toString(); };
    driver.typeInto(u"sweep.objective"_s, u"val_accuracy"_s);
    QTRY_COMPARE(goal(), u"maximize"_s);
    driver.typeInto(u"sweep.objective"_s, u"perplexity"_s);
    QTRY_COMPARE(goal(), u"minimize"_s);
    QVERIFY(driver.toml().contains(u"goal = \"minimize\""_s) || !driver.toml().contains(u"goal ="_s));
    auto *box = driver.find<QComboBox>(u"sweep.goal"_s);
    box->setCurrentIndex(box->findData(u"maximize"_s));
    driver.typeInto(u"sweep.objective"_s, u"loss"_s);
    QTRY_VERIFY(driver.toml().contains(u"loss"_s));
    QCOMPARE(goal(), u"maximize"_s);
}

void TestSweepEditor::everyFieldHasANameAndCanBeReachedByTab()
{
    EditorDriver driver;
    QSet<QWidget *> reached;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.find(u"sweep.name"_s)->setFocus();
    while (QWidget *focus = QApplication::focusWidget()) {
        if (reached.contains(focus))
            break;
        reached.insert(focus);
        QTest::keyClick(focus, Qt::Key_Tab);
    }
    for (const QString &name : {u"sweep.name"_s, u"sweep.objective"_s, u"sweep.goal"_s, u"search.method"_s,
                                u"space.table"_s, u"space.add"_s, u"run.dataset"_s, u"run.epochs"_s, u"run.more"_s,
                                u"run.ranks"_s, u"run.environment"_s, u"devices.kind"_s, u"start"_s}) {
        QWidget *widget = driver.find(name);
        QVERIFY2(widget, qPrintable(name));
        QVERIFY2(reached.contains(widget) || reached.contains(widget->focusProxy()), qPrintable(name));
        const bool named = !widget->accessibleName().isEmpty() || qobject_cast<QAbstractButton *>(widget);
        QVERIFY2(named, qPrintable(name));
    }
}

void TestSweepEditor::sweepFileIsTypedIntoAndTheFormFollows()
{
    EditorDriver driver;
    QSignalSpy started(&driver.editor(), &SweepEditor::startRequested);
    driver.click(u"showToml"_s);
    auto *text = driver.find<QPlainTextEdit>(u"toml"_s);
    QTRY_VERIFY(text->toPlainText().contains(u"name = "_s));
    QTRY_VERIFY(driver.start()->isEnabled());
    text->setFocus();
    const auto replace = [text](const QString &from, const QString &to) {
        QVERIFY(text->find(from) || text->find(from, QTextDocument::FindBackward));
        QTest::keyClicks(text, to);
    };
    const QString name = driver.find<QLineEdit>(u"sweep.name"_s)->text();
    replace(u'"' + name + u'"', u"\"typed\"  # mine"_s);
    QTRY_COMPARE(driver.find<QLineEdit>(u"sweep.name"_s)->text(), u"typed"_s);
    QVERIFY(text->toPlainText().contains(u"# mine"_s));  // nothing is rewritten under the cursor
    // A mistake is said at its line, the form stays, and nobody starts what is not written there.
    replace(u"\"typed\""_s, u"\"typed"_s);
    auto *note = driver.find<QLabel>(u"toml.note"_s);
    QTRY_VERIFY2(note->isVisible() && note->text().startsWith(u"Line 2: "_s), qPrintable(note->text()));
    QCOMPARE(text->extraSelections().size(), 1);
    QCOMPARE(text->extraSelections().front().cursor.blockNumber(), 1);
    QCOMPARE(driver.find<QLineEdit>(u"sweep.name"_s)->text(), u"typed"_s);
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.start()->click();
    QCOMPARE(started.size(), 0);
    QVERIFY2(driver.editor().notice()->text().contains(u"has a mistake"_s),
             qPrintable(driver.editor().notice()->text()));
    replace(u"\"typed"_s, u"\"better\""_s);
    QTRY_COMPARE(driver.find<QLineEdit>(u"sweep.name"_s)->text(), u"better"_s);
    QTRY_VERIFY(!note->isVisible());
    // Elsewhere it is as it will be saved, and what is typed there appears here; undo takes it back in both.
    driver.find(u"sweep.name"_s)->setFocus();
    QTRY_VERIFY(!text->toPlainText().contains(u"# mine"_s));
    driver.typeInto(u"sweep.name"_s, u"third"_s);
    QTRY_VERIFY(text->toPlainText().contains(u"\"third\""_s));
    driver.editor().document()->undoStack()->undo();
    QTRY_VERIFY(text->toPlainText().contains(u"\"better\""_s));
    driver.editor().document()->undoStack()->undo();
    QTRY_COMPARE(driver.find<QLineEdit>(u"sweep.name"_s)->text(), name);
    QTRY_VERIFY(text->toPlainText().contains(u'"' + name + u'"'));
}

void TestSweepEditor::nothingIsTruncatedInASmallWindow()
{
    EditorDriver driver;
    driver.editor().resize(820, 600);
    QVERIFY(driver.editor().openFile(example(u"digits-mlp.toml"_s)));
    QTRY_COMPARE(driver.trials(), u"12 trials"_s);
    // A text that has just come is given its room by an event of its own.
    QTRY_COMPARE(truncated(driver.editor()), QStringList());
}

QTEST_MAIN(TestSweepEditor)
#include "tst_sweepeditor.moc"
