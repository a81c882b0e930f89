#include "testprogram.h"

#include "sweep/keys.h"
#include "unit/editor/editordriver.h"
#include "unit/editor/examples.h"

#include "ui/editor/noticebar.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

/// Returns the texts of visible labels and buttons that have less space than they need.
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

/// The form: its fields, their errors, undo, and keyboard navigation.
class TestSweepEditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void commandIsShownAsArguments();
    void settingOfTheSpaceIsDisabledInTheForm();
    void hiddenSettingWithAProblemIsReachable();
    void invalidFieldIsRedWithAMessageAndListed();
    void messageOfAProblemMovesNoWidgets();
    void randomSearchAsksForTrials();
    void undoRestoresEveryStep();
    void newSweepOffersToRestoreTheReplacedDraft();
    void limitsCanBeTyped();
    void goalFollowsTheObjectiveUntilItIsSet();
    void unusualGoalGetsANote();
    void reportedMetricsAreOfferedForACommand();
    void metricsAreReadFromTheOutputOfACommand();
    void problemOfAMissingWorkerLeadsToTheChoiceOfWorkers();
    void everyKeyHasAFieldOrIsInTheFileOnly();
    void everyFieldHasANameAndCanBeReachedByTab();
    void nothingIsTruncatedInASmallWindow();
};

void TestSweepEditor::init()
{
    // The offscreen platform itself warns about features that it lacks.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
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
    // Lines break only between arguments.
    driver.typeInto(u"run.command"_s, u"train --bs {lr}"_s);
    QTextDocument shown;
    shown.setHtml(driver.find<QLabel>(u"run.arguments"_s)->text());
    QVERIFY(shown.toPlainText().contains(QString(u"-\u2060-\u2060bs"_s)));
    for (int width = 60; width < 300; width += 5) {
        shown.setTextWidth(width);
        const QTextLayout *lines = shown.firstBlock().layout();
        for (int line = 1; line < lines->lineCount(); ++line)
            QVERIFY2(!shown.firstBlock().text().sliced(lines->lineAt(line).textStart()).startsWith(u"bs"_s),
                     qPrintable(QString::number(width)));
    }
    driver.typeInto(u"run.command"_s, u"sh -c 'echo {lr}"_s);
    QTRY_VERIFY(!driver.start()->isEnabled());
    driver.typeInto(u"run.command"_s, u"sh -c 'echo {lr} {width}'"_s);
    QTRY_VERIFY(driver.problem(u"run.command"_s).contains(u"width"_s));
}

void TestSweepEditor::settingOfTheSpaceIsDisabledInTheForm()
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

void TestSweepEditor::invalidFieldIsRedWithAMessageAndListed()
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

void TestSweepEditor::messageOfAProblemMovesNoWidgets()
{
    EditorDriver driver;
    const auto placeOf = [&driver](const QString &name) {
        return driver.find(name)->mapTo(&driver.editor(), QPoint());
    };
    const QPoint settings = placeOf(u"run.dataset"_s);
    const QPoint ranks = placeOf(u"run.ranks"_s);
    driver.typeInto(u"sweep.name"_s, u""_s);
    driver.typeIntoCell(0, SpaceColumn::To, u"low"_s);
    driver.find(u"sweep.name"_s)->setFocus();  // back to the top, in case the form has scrolled
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

void TestSweepEditor::undoRestoresEveryStep()
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
    QTest::keyClick(name, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(name->text(), u"other"_s);
    QCOMPARE(driver.cell(0, SpaceColumn::Points), u"7"_s);
}

void TestSweepEditor::newSweepOffersToRestoreTheReplacedDraft()
{
    EditorDriver driver;
    driver.editor().newSweep();
    QVERIFY2(driver.editor().notice()->text().isEmpty(), "nothing was typed");
    driver.typeInto(u"sweep.name"_s, u"mine"_s);
    driver.typeIntoCell(0, SpaceColumn::Points, u"7"_s);
    driver.editor().newSweep();
    auto *name = driver.find<QLineEdit>(u"sweep.name"_s);
    QCOMPARE(name->text(), u"my-sweep"_s);
    QVERIFY(driver.editor().notice()->text().contains(u"mine"_s));
    driver.typeInto(u"sweep.name"_s, u"typed since"_s);
    driver.click(u"notice.bringBack"_s);
    QCOMPARE(name->text(), u"mine"_s);
    QCOMPARE(driver.cell(0, SpaceColumn::Points), u"7"_s);
}

void TestSweepEditor::limitsCanBeTyped()
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
    QTRY_VERIFY(!driver.problem(u"prune.percentile"_s).isEmpty());
    QTest::keyClick(method, Qt::Key_Down);
    driver.typeInto(u"prune.factor"_s, u"4"_s);
    QTRY_VERIFY(driver.toml().contains(u"[prune]\nmethod = \"halving\"\nfirst_step = 200\nfactor = 4"_s));
    QTRY_VERIFY(driver.start()->isEnabled());
}

void TestSweepEditor::goalFollowsTheObjectiveUntilItIsSet()
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

void TestSweepEditor::unusualGoalGetsANote()
{
    EditorDriver driver;
    const auto remark = [&driver](const QString &objective, const QString &chosen) {
        driver.typeInto(u"sweep.objective"_s, objective);
        auto *box = driver.find<QComboBox>(u"sweep.goal"_s);
        box->setCurrentIndex(box->findData(chosen));
        return driver.find<QLabel>(u"sweep.goal.problem"_s)->toolTip();
    };
    QCOMPARE(remark(u"val/loss"_s, u"maximize"_s), u"Usually minimized"_s);
    QCOMPARE(remark(u"val/loss"_s, u"minimize"_s), QString());
    QCOMPARE(remark(u"accuracy"_s, u"minimize"_s), u"Usually maximized"_s);
    QCOMPARE(remark(u"fitness"_s, u"maximize"_s), QString());
    QCOMPARE(remark(u"fitness"_s, u"minimize"_s), QString());
}

void TestSweepEditor::reportedMetricsAreOfferedForACommand()
{
    EditorDriver driver;
    auto *objective = driver.find<QComboBox>(u"sweep.objective"_s);
    const auto note = [&driver] { return driver.find<QLabel>(u"sweep.objective.problem"_s)->toolTip(); };
    driver.editor().setReported({u"loss"_s, u"acc"_s});
    QVERIFY2(objective->findText(u"acc"_s) < 0, "the built-in worker reports what it reports");
    driver.click(u"run.worker.command"_s);
    driver.typeInto(u"sweep.objective"_s, u"val_acc"_s);
    QCOMPARE(objective->count(), 2);
    QCOMPARE(objective->itemText(1), u"acc"_s);
    QCOMPARE(objective->currentText(), u"val_acc"_s);
    QCOMPARE(note(), u"Not reported so far. Reported: loss, acc"_s);
    driver.typeInto(u"sweep.objective"_s, u"acc"_s);
    QCOMPARE(note(), u"Reported by your command"_s);
    driver.editor().setReported({});
    QCOMPARE(objective->currentText(), u"acc"_s);
    QCOMPARE(note(), u"A metric reported by your command"_s);
}

void TestSweepEditor::metricsAreReadFromTheOutputOfACommand()
{
    EditorDriver driver;
    driver.click(u"run.worker.command"_s);
    driver.typeInto(u"run.command"_s, u"train {lr}"_s);
    auto *output = driver.find<QComboBox>(u"run.metrics.format"_s);
    QCOMPARE(output->currentText(), u"If nothing is reported"_s);
    output->setFocus();
    QTest::keyClick(output, Qt::Key_Down);
    QTRY_VERIFY(driver.toml().contains(u"[run.metrics]\nformat = \"auto\""_s));
    QTest::keyClick(output, Qt::Key_Down);
    QTRY_VERIFY(driver.toml().contains(u"[run.metrics]\nformat = \"json\""_s));
    QTest::keyClick(output, Qt::Key_Home);
    QTRY_VERIFY(!driver.toml().contains(u"run.metrics"_s));
}

void TestSweepEditor::problemOfAMissingWorkerLeadsToTheChoiceOfWorkers()
{
    EditorDriver driver;
    driver.editor().setWorker("/nowhere/sweepscope-worker");
    driver.typeInto(u"sweep.name"_s, u"other"_s);
    auto *problems = driver.find<QListWidget>(u"problems"_s);
    QTRY_COMPARE(problems->count(), 1);
    QVERIFY(problems->item(0)->text().startsWith(u"Worker: "_s));
    Q_EMIT problems->itemActivated(problems->item(0));
    QCOMPARE(QApplication::focusWidget(), driver.find(u"run.worker.builtin"_s));
    driver.editor().newSweep();
    QVERIFY(driver.find<QRadioButton>(u"run.worker.command"_s)->isChecked());
}

void TestSweepEditor::everyKeyHasAFieldOrIsInTheFileOnly()
{
    const EditorDriver driver;
    const QStringList inTheFileOnly{u"run.retry"_s,        u"run.metrics"_s,        u"run.metrics.ranks"_s,
                                    u"run.metrics.step"_s, u"run.metrics.series"_s, u"run.metrics.tensorboard"_s};
    for (const sweepscope::sweep::Key &key : sweepscope::sweep::keys()) {
        const QString path = QString::fromStdString(key.path());
        const bool hasField = driver.find(path == "run.worker"_L1 ? u"run.worker.command"_s : path) != nullptr;
        QVERIFY2(hasField != inTheFileOnly.contains(path), qPrintable(path));
    }
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

void TestSweepEditor::nothingIsTruncatedInASmallWindow()
{
    EditorDriver driver;
    driver.editor().resize(820, 600);
    QVERIFY(driver.editor().openFile(example(u"digits-mlp.toml"_s)));
    QTRY_COMPARE(driver.trials(), u"12 trials"_s);
    // A new text gets its space by a separate event.
    QTRY_COMPARE(truncated(driver.editor()), QStringList());
}

SWEEPSCOPE_TEST(TestSweepEditor)
#include "tst_sweepeditor.moc"
