#include "sweep/sweepfile.h"
#include "ui/editor/noticebar.h"
#include "unit/editor/editordriver.h"
#include "unit/editor/examples.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

/// When a sweep can be started, and what holds it.
class TestEditorStart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void newSweepCanBeStarted();
    void startHandsOverTheSweep();
    void refusalIsShownAtItsFieldUntilTheNextEdit();
    void refusalThatNoFieldCanMendLeavesStartOpen();
    void startIsHeldWhileThereIsNoEngine();
    void machineWithoutGpusIsSaidAtTheField();
    void comingBackLooksAgain();
};

void TestEditorStart::init()
{
    // The offscreen platform itself complains about what it cannot do.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void TestEditorStart::newSweepCanBeStarted()
{
    EditorDriver driver;
    QTRY_COMPARE(driver.trials(), u"4 trials"_s);
    QVERIFY(driver.start()->isEnabled());
    QCOMPARE(driver.problemCount(), 0);
}

void TestEditorStart::startHandsOverTheSweep()
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

void TestEditorStart::refusalIsShownAtItsFieldUntilTheNextEdit()
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

void TestEditorStart::refusalThatNoFieldCanMendLeavesStartOpen()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.editor().showRefusal({{"", "cannot write sweep.toml: No space left on device"}});
    QVERIFY(driver.start()->isEnabled());
    QCOMPARE(driver.find<QListWidget>(u"problems"_s)->count(), 0);
    QCOMPARE(driver.editor().notice()->text(), u"Not started: cannot write sweep.toml: No space left on device"_s);
}

void TestEditorStart::startIsHeldWhileThereIsNoEngine()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.editor().setHindrance(u"Waiting for the engine"_s);
    QVERIFY(!driver.start()->isEnabled());
    QCOMPARE(driver.find<QLabel>(u"summary.reason"_s)->text(), u"Waiting for the engine"_s);
    driver.editor().setHindrance(QString());
    QVERIFY(driver.start()->isEnabled());
}

void TestEditorStart::machineWithoutGpusIsSaidAtTheField()
{
    EditorDriver driver;
    auto *kind = driver.find<QComboBox>(u"devices.kind"_s);
    kind->setFocus();
    QTest::keyClick(kind, Qt::Key_Down);
    QTRY_COMPARE(driver.problemCount(), 1);
    QVERIFY(!driver.problem(u"devices.kind"_s).isEmpty());
    QVERIFY(!driver.start()->isEnabled());
}

void TestEditorStart::comingBackLooksAgain()
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

QTEST_MAIN(TestEditorStart)
#include "tst_editorstart.moc"
