#include "testprogram.h"

#include "sweep/sweepfile.h"
#include "sweep/validation.h"
#include "ui/editor/draftreading.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/summarystrip.h"
#include "unit/editor/editordriver.h"
#include "unit/editor/examples.h"

#include <QComboBox>
#include <QCoreApplication>
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

/// When a sweep can be started, and what prevents it.
class TestEditorStart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void newSweepCanBeStarted();
    void definitionIsTheSweepOfTheForm();
    void definitionIncludesUncommittedTyping();
    void invalidNumberGivesNoDefinition();
    void refusalIsShownAtItsFieldUntilTheNextEdit();
    void refusalAlsoFoundByTheCheckIsShownOnce();
    void refusalWithoutAFieldLeavesStartEnabled();
    void startWaitsForAnEngine();
    void missingGpusAreReportedAtTheField();
    void returningToThePageChecksAgain();
};

void TestEditorStart::init()
{
    // The offscreen platform itself warns about features that it lacks.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void TestEditorStart::newSweepCanBeStarted()
{
    EditorDriver driver;
    QTRY_COMPARE(driver.trials(), u"4 trials"_s);
    QVERIFY(driver.start()->isEnabled());
    QCOMPARE(driver.problemCount(), 0);
}

void TestEditorStart::definitionIsTheSweepOfTheForm()
{
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(example(u"digits-mlp.toml"_s)));
    QSignalSpy started(driver.editor().strip()->startButton(), &QPushButton::clicked);
    QTRY_COMPARE(driver.trials(), u"12 trials"_s);
    QTest::keyClick(driver.find(u"sweep.name"_s), Qt::Key_S, Qt::AltModifier);
    QTRY_COMPARE(started.count(), 1);
    const auto definition = driver.editor().definition(SweepEditor::Purpose::Start);
    QVERIFY(definition);
    const auto parsed = sweep::parseSweep(definition->toStdString());
    QVERIFY(parsed.problems.empty());
    QCOMPARE(parsed.spec.name, std::string("digits-mlp"));
}

void TestEditorStart::definitionIncludesUncommittedTyping()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.typeInto(u"sweep.name"_s, u"typed"_s);  // not checked yet
    const auto definition = driver.editor().definition(SweepEditor::Purpose::Start);
    QVERIFY(definition);
    QCOMPARE(sweep::parseSweep(definition->toStdString()).spec.name, std::string("typed"));
}

void TestEditorStart::invalidNumberGivesNoDefinition()
{
    EditorDriver driver;
    driver.typeInto(u"search.seed"_s, u"1e"_s);
    QVERIFY(!driver.editor().definition(SweepEditor::Purpose::Start));
    QTRY_VERIFY(!driver.problem(u"search.seed"_s).isEmpty());
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

void TestEditorStart::refusalAlsoFoundByTheCheckIsShownOnce()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.typeInto(u"sweep.name"_s, QString());
    driver.editor().showRefusal(sweep::validate(readDraft(driver.editor().document()->draft()).spec));
    QTRY_VERIFY(!driver.problem(u"sweep.name"_s).isEmpty());
    QCOMPARE(driver.problemCount(), 1);
    driver.typeInto(u"sweep.name"_s, u"again"_s);
    QTRY_VERIFY(driver.start()->isEnabled());
}

void TestEditorStart::refusalWithoutAFieldLeavesStartEnabled()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.editor().showRefusal({{"", "cannot write sweep.toml: No space left on device"}});
    QVERIFY(driver.start()->isEnabled());
    QCOMPARE(driver.find<QListWidget>(u"problems"_s)->count(), 0);
    QCOMPARE(driver.editor().notice()->text(), u"Not started: cannot write sweep.toml: No space left on device"_s);
}

void TestEditorStart::startWaitsForAnEngine()
{
    EditorDriver driver;
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.editor().setHindrance(u"Waiting for the engine"_s);
    QVERIFY(!driver.start()->isEnabled());
    QCOMPARE(driver.find<QLabel>(u"summary.reason"_s)->text(), u"Waiting for the engine"_s);
    driver.editor().setHindrance(QString());
    QVERIFY(driver.start()->isEnabled());
}

void TestEditorStart::missingGpusAreReportedAtTheField()
{
    EditorDriver driver;
    auto *kind = driver.find<QComboBox>(u"devices.kind"_s);
    kind->setFocus();
    QTest::keyClick(kind, Qt::Key_Down);
    QTRY_COMPARE(driver.problemCount(), 1);
    QVERIFY(!driver.problem(u"devices.kind"_s).isEmpty());
    QVERIFY(!driver.start()->isEnabled());
}

void TestEditorStart::returningToThePageChecksAgain()
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

SWEEPSCOPE_TEST(TestEditorStart)
#include "tst_editorstart.moc"
