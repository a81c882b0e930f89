#include "testprogram.h"

#include "sweep/sweepfile.h"
#include "ui/editor/draftreading.h"
#include "ui/editor/sweepdocument.h"
#include "unit/editor/editordriver.h"

#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

QString tomlOf(const SweepDraft &draft)
{
    return QString::fromStdString(sweep::toToml(readDraft(draft).spec));
}

SweepDraft renamed(SweepDraft draft, const QString &name)
{
    draft.setValue(u"sweep.name"_s, name);
    return draft;
}

}  // namespace

class TestSweepDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void editsOfOneFieldAreUndoneTogether();
    void eachCommitOfACellIsUndoneSeparately();
    void editsOfTwoFieldsAreUndoneOneByOne();
    void typingBackToTheStartLeavesNothingToUndo();
    void openingIsUndone();
    void openedFileHasNothingToUndo();
    void savedSweepOpensAsTheSame();
    void undoAfterSavingElsewhereKeepsTheFile();
    void copyOfAnEditedSweepStaysThatSweep();
    void missingFileIsAnErrorAndChangesNothing();
    void fileWithAProblemIsOpenedAndProtected();
    void savingOverCommentsIsALoss();
    void savingOverAnotherProgramsChangeIsALoss();
    void typedCommentIsPartOfTheHistory();
};

void TestSweepDocument::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
}

void TestSweepDocument::editsOfOneFieldAreUndoneTogether()
{
    SweepDocument document;
    const QString before = document.draft().name();
    document.edit(renamed(document.draft(), u"a"_s), u"sweep.name"_s);
    document.edit(renamed(document.draft(), u"ab"_s), u"sweep.name"_s);
    QCOMPARE(document.undoStack()->count(), 1);
    QSignalSpy replaced(&document, &SweepDocument::draftReplaced);
    document.undoStack()->undo();
    QCOMPARE(document.draft().name(), before);
    QCOMPARE(replaced.count(), 1);
    document.undoStack()->redo();
    QCOMPARE(document.draft().name(), u"ab"_s);
}

void TestSweepDocument::eachCommitOfACellIsUndoneSeparately()
{
    SweepDocument document;
    SweepDraft draft = document.draft();
    for (const QString &values : {u"1, 2"_s, u"1, 2, 3"_s, u"1, 2, 3, 4"_s}) {
        draft.space[0].values = values;
        document.edit(draft, u"space cell 0 2"_s);
        document.endEdit();
    }
    document.undoStack()->undo();
    QCOMPARE(document.draft().space[0].values, u"1, 2, 3"_s);
    document.undoStack()->undo();
    QCOMPARE(document.draft().space[0].values, u"1, 2"_s);
}

void TestSweepDocument::editsOfTwoFieldsAreUndoneOneByOne()
{
    SweepDocument document;
    document.edit(renamed(document.draft(), u"a"_s), u"sweep.name"_s);
    SweepDraft draft = document.draft();
    draft.setValue(u"run.ranks"_s, u"4"_s);
    document.edit(draft, u"run.ranks"_s);
    document.undoStack()->undo();
    QCOMPARE(document.draft().name(), u"a"_s);
    QCOMPARE(document.draft().value(u"run.ranks"_s), QString());
}

void TestSweepDocument::typingBackToTheStartLeavesNothingToUndo()
{
    SweepDocument document;
    const SweepDraft before = document.draft();
    SweepDraft other = before;
    other.setValue(u"run.ranks"_s, u"2"_s);
    document.edit(other, u"run.ranks"_s);
    document.edit(renamed(other, u"x"_s), u"sweep.name"_s);
    document.edit(other, u"sweep.name"_s);
    QCOMPARE(document.undoStack()->count(), 1);
}

void TestSweepDocument::openingIsUndone()
{
    SweepDocument document;
    document.edit(renamed(document.draft(), u"mine"_s), u"sweep.name"_s);
    const auto opened = document.open(QStringLiteral(SWEEPSCOPE_SOURCE_DIR "/resources/examples/digits-mlp.toml"));
    QVERIFY(opened.has_value());
    QCOMPARE(document.draft().name(), u"digits-mlp"_s);
    QVERIFY(!document.isModified());
    document.undoStack()->undo();
    QCOMPARE(document.draft().name(), u"mine"_s);
    QVERIFY(document.origin().filePath.isEmpty());
}

void TestSweepDocument::openedFileHasNothingToUndo()
{
    SweepDocument document;
    QVERIFY(document.open(QStringLiteral(SWEEPSCOPE_SOURCE_DIR "/resources/examples/digits-mlp.toml")).has_value());
    QCOMPARE(document.draft().name(), u"digits-mlp"_s);
    QVERIFY(!document.undoStack()->canUndo());
    QVERIFY(!document.isModified());
}

void TestSweepDocument::savedSweepOpensAsTheSame()
{
    QTemporaryDir folder;
    SweepDocument document;
    document.edit(renamed(document.draft(), u"saved"_s), u"sweep.name"_s);
    QVERIFY(document.isModified());
    const QString path = folder.filePath(u"saved.toml"_s);
    QVERIFY(document.save(path, tomlOf(document.draft()).toStdString()).has_value());
    QVERIFY(!document.isModified());
    QCOMPARE(document.origin().baseFolder, folder.path());
    SweepDocument other;
    QVERIFY(other.open(path).has_value());
    QVERIFY(other.fileProblems().empty());
    QCOMPARE(tomlOf(other.draft()), tomlOf(document.draft()));
}

void TestSweepDocument::undoAfterSavingElsewhereKeepsTheFile()
{
    QTemporaryDir folder;
    SweepDocument document;
    document.edit(renamed(document.draft(), u"one"_s), u"sweep.name"_s);
    const QString path = folder.filePath(u"one.toml"_s);
    QVERIFY(document.save(path, tomlOf(document.draft()).toStdString()).has_value());
    document.undoStack()->undo();
    QCOMPARE(document.origin().filePath, path);
    QVERIFY(document.isModified());
}

void TestSweepDocument::copyOfAnEditedSweepStaysThatSweep()
{
    QTemporaryDir folder;
    SweepDocument document;
    document.replace(document.draft(), {QString(), u"/where/it/began"_s, 3}, u"#3"_s);
    document.edit(renamed(document.draft(), u"one"_s), u"sweep.name"_s);
    QVERIFY(document.isModified());
    QVERIFY(document.save(folder.filePath(u"one.toml"_s), tomlOf(document.draft()).toStdString()).has_value());
    QVERIFY(!document.isModified());
    QCOMPARE(document.origin().sweepId, 3);
    QCOMPARE(document.origin().baseFolder, u"/where/it/began"_s);
    QSignalSpy moved(&document, &SweepDocument::originChanged);
    document.becomeSweep(0);
    QCOMPARE(document.origin().sweepId, 0);
    QCOMPARE(moved.count(), 1);
}

void TestSweepDocument::missingFileIsAnErrorAndChangesNothing()
{
    SweepDocument document;
    const auto opened = document.open(u"/nowhere/at-all.toml"_s);
    QVERIFY(!opened);
    QVERIFY(opened.error().message.find("/nowhere/at-all.toml") != std::string::npos);
    QCOMPARE(document.undoStack()->count(), 0);
}

void TestSweepDocument::fileWithAProblemIsOpenedAndProtected()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"odd.toml"_s);
    QVERIFY(
        writeFile(path, "[sweep]\nname = \"odd\"\nobjective = \"val_loss\"\ncolour = \"red\"\n[space]\nlr = [0.1]\n"));
    SweepDocument document;
    QVERIFY(document.open(path).has_value());
    QCOMPARE(document.draft().name(), u"odd"_s);
    const std::vector<sweep::Problem> &problems = document.fileProblems();
    QVERIFY(
        std::any_of(problems.begin(), problems.end(), [](const sweep::Problem &problem) { return problem.line == 4; }));
    QVERIFY(!document.lossBySaving(path, tomlOf(document.draft()).toStdString()).isEmpty());
    QVERIFY(!document.damage().isEmpty());
}

void TestSweepDocument::savingOverCommentsIsALoss()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"noted.toml"_s);
    SweepDocument document;
    QVERIFY(writeFile(path, tomlOf(document.draft()).toUtf8() + "# because of the paper\n"));
    QVERIFY(document.open(path).has_value());
    const std::string bare = tomlOf(document.draft()).toStdString();
    QVERIFY(document.lossBySaving(path, bare).contains(u"comments"_s));
    QVERIFY(document.lossBySaving(path, document.text()).isEmpty());
    QVERIFY(document.lossBySaving(folder.filePath(u"new.toml"_s), bare).isEmpty());
    QVERIFY(document.save(path, tomlOf(document.draft()).toStdString()).has_value());
    QVERIFY(document.lossBySaving(path, bare).isEmpty());
}

void TestSweepDocument::savingOverAnotherProgramsChangeIsALoss()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"shared.toml"_s);
    SweepDocument document;
    const QString toml = tomlOf(document.draft());
    QVERIFY(writeFile(path, toml.toUtf8()));
    QVERIFY(document.open(path).has_value());
    QVERIFY(document.lossBySaving(path, toml.toStdString()).isEmpty());
    QVERIFY(writeFile(path, toml.toUtf8() + "\n[policy]\nretries = 4\n"));
    QVERIFY(document.lossBySaving(path, toml.toStdString()).contains(u"changed by another program"_s));
    QVERIFY(document.save(path, toml.toStdString()).has_value());
    QVERIFY(document.lossBySaving(path, toml.toStdString()).isEmpty());
    QVERIFY(QFile::remove(path));
    QVERIFY(document.lossBySaving(path, toml.toStdString()).isEmpty());  // there is nothing to lose
}

void TestSweepDocument::typedCommentIsPartOfTheHistory()
{
    SweepDocument document;
    const std::string bare = tomlOf(document.draft()).toStdString();
    document.edit(document.draft(), bare + "# why\n", u"toml"_s);
    QCOMPARE(document.text(), bare + "# why\n");
    QVERIFY(document.isModified());
    document.edit(renamed(document.draft(), u"other"_s), u"sweep.name"_s);
    QCOMPARE(document.text(), bare + "# why\n");
    document.undoStack()->undo();
    document.undoStack()->undo();
    QCOMPARE(document.text(), std::string());
    document.undoStack()->redo();
    QCOMPARE(document.text(), bare + "# why\n");
}

SWEEPSCOPE_TEST(TestSweepDocument)
#include "tst_sweepdocument.moc"
