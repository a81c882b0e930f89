#include "testprogram.h"

#include "base/installation.h"
#include "sweep/sweepfile.h"
#include "ui/editor/noticebar.h"
#include "ui/editor/sweepdocument.h"
#include "ui/editor/tomlpanel.h"
#include "unit/editor/editordriver.h"
#include "unit/editor/examples.h"

#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QUndoStack>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

QString read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : u"cannot be read"_s;
}

}  // namespace

/// Opening, saving, viewing and editing sweep files.
class TestEditorFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyExampleOpensAndIsSavedUnchanged_data();
    void everyExampleOpensAndIsSavedUnchanged();
    void anotherSweepIsScrolledToItsTop();
    void keysWithoutAFieldAreKept();
    void fileWithProblemsIsOpenedAndListsThem();
    void binaryFileIsRefused();
    void invalidTextIsCorrectedInPlace();
    void changeByAnotherProgramIsReported();
    void commentsAreKeptWhenTheFormIsUsed();
    void savingOverCommentsAsksFirst();
    void exampleIsSavedAmongTheUsersFiles();
    void unreadableFieldIsNotSaved();
    void sweepFileIsNextToTheFormInAWideWindow();
    void typingIntoTheSweepFileUpdatesTheForm();
    void linesHaveNumbersAndTheInvalidOneAMark();
    void colorChangeIsNotAnEdit();
};

void TestEditorFiles::init()
{
    // The offscreen platform itself warns about features that it lacks.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void TestEditorFiles::everyExampleOpensAndIsSavedUnchanged_data()
{
    QTest::addColumn<QString>("path");
    for (const QFileInfo &file : QDir(example(QString())).entryInfoList({u"*.toml"_s}))
        QTest::newRow(qPrintable(file.fileName())) << file.absoluteFilePath();
}

void TestEditorFiles::everyExampleOpensAndIsSavedUnchanged()
{
    QFETCH(const QString, path);
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(path));
    QVERIFY(driver.editor().notice()->text().isEmpty());
    const auto parsed = sweep::readSweepFile(path.toStdString());
    QVERIFY(parsed.has_value());
    const QString expected = read(path);
    QTRY_COMPARE(driver.toml().trimmed(), expected.trimmed());
    // An edit and its undo: the form reads the same from its widgets again.
    driver.typeInto(u"sweep.name"_s, u"x"_s);
    QTRY_VERIFY(driver.toml().contains(u"name = \"x\""_s));
    driver.typeInto(u"sweep.name"_s, QString::fromStdString(parsed->spec.name));
    QTRY_COMPARE(driver.toml().trimmed(), expected.trimmed());
}

void TestEditorFiles::anotherSweepIsScrolledToItsTop()
{
    EditorDriver driver;
    driver.editor().resize(1000, 500);
    QScrollBar *place = driver.find<QScrollArea>(u"sweepForm"_s)->verticalScrollBar();
    QTRY_VERIFY(place->maximum() > 300);
    place->setValue(300);
    QVERIFY(driver.editor().openFile(example(u"digits-mlp.toml"_s)));
    QCOMPARE(place->value(), 0);
    driver.typeInto(u"sweep.name"_s, u"other"_s);
    place->setValue(300);
    driver.editor().setSweep(sweep::readSweepFile(example(u"command.toml"_s).toStdString())->spec, QDir::tempPath(),
                             u"Clone"_s);
    QCOMPARE(place->value(), 0);
    // Undo shows the page with the change.
    driver.typeInto(u"sweep.name"_s, u"mine"_s);
    place->setValue(300);
    driver.editor().document()->undoStack()->undo();
    QCOMPARE(place->value(), 300);
}

void TestEditorFiles::keysWithoutAFieldAreKept()
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

void TestEditorFiles::fileWithProblemsIsOpenedAndListsThem()
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
    QCOMPARE(driver.toml(), read(file.fileName()));  // unchanged, with its error marked
    auto *text = driver.find<QPlainTextEdit>(u"toml"_s);
    QVERIFY(text->isVisible());
    QCOMPARE(text->extraSelections().size(), 1);
    QCOMPARE(text->extraSelections().front().cursor.blockNumber(), 4);
    QTRY_VERIFY(!driver.cellProblem(0, SpaceColumn::To).isEmpty());
    QTRY_COMPARE(driver.problemCount(), 1);  // marked in text and form, it counts once
    QVERIFY(!driver.editor().openFile(folder.filePath(u"missing.toml"_s)));
    QVERIFY(driver.editor().notice()->text().contains(u"missing.toml"_s));
}

void TestEditorFiles::binaryFileIsRefused()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"picture.png"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArrayLiteral("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"));
    file.close();
    EditorDriver driver;
    driver.typeInto(u"sweep.name"_s, u"mine"_s);
    QVERIFY(!driver.editor().openFile(file.fileName()));
    QCOMPARE(driver.editor().notice()->text(),
             u"Cannot open %1: it is a binary file. Choose a sweep file (TOML)."_s.arg(file.fileName()));
    QTRY_VERIFY(driver.toml().contains(u"name = \"mine\""_s));  // the sweep that was open
}

void TestEditorFiles::invalidTextIsCorrectedInPlace()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"broken.toml"_s);
    const QString whole = read(example(u"command.toml"_s));
    QString broken = whole;
    broken.replace(u"[space]"_s, u"[space"_s);
    QVERIFY(writeFile(path, broken.toUtf8()));
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(path));
    QCOMPARE(driver.toml(), broken);
    QTRY_VERIFY(!driver.start()->isEnabled());
    QVERIFY(!driver.editor().notice()->isHidden());
    // The text's error is the only one: an empty form is not reported as incomplete.
    QTRY_COMPARE(driver.find<QListWidget>(u"problems"_s)->count(), 1);
    // Editing the form by mistake can be undone to the text.
    driver.typeInto(u"sweep.name"_s, u"x"_s);
    QTRY_VERIFY(driver.toml() != broken);
    while (driver.editor().document()->undoStack()->canUndo())
        driver.editor().document()->undoStack()->undo();
    QCOMPARE(driver.toml(), broken);
    QTRY_VERIFY(!driver.start()->isEnabled());
    auto *text = driver.find<QPlainTextEdit>(u"toml"_s);
    QTextCursor cursor = text->document()->find(u"[space"_s);
    cursor.setPosition(cursor.selectionEnd());
    text->setTextCursor(cursor);
    text->setFocus();
    QTest::keyClicks(text, u"]"_s);
    QTRY_VERIFY(driver.editor().document()->draft().space.size() > 0);
    QTRY_VERIFY(text->extraSelections().isEmpty());
    QVERIFY(driver.editor().notice()->isHidden());
    driver.click(u"save.button"_s);  // nothing is lost, so there is no question
    QTRY_COMPARE(read(path), whole);
}

void TestEditorFiles::changeByAnotherProgramIsReported()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"shared.toml"_s);
    const QString first = read(example(u"command.toml"_s));
    QVERIFY(writeFile(path, first.toUtf8()));
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(path));
    QString second = first;
    second.replace(driver.find<QLineEdit>(u"sweep.name"_s)->text(), u"from-outside"_s);
    driver.typeInto(u"sweep.name"_s, u"typed-here"_s);
    QVERIFY(QFile::remove(path));  // like editors that write a new file
    QVERIFY(writeFile(path, second.toUtf8()));
    QTRY_VERIFY(driver.editor().notice()->text().contains(u"changed by another program"_s));
    driver.click(u"notice.reload"_s);
    QCOMPARE(driver.find<QLineEdit>(u"sweep.name"_s)->text(), u"from-outside"_s);
    driver.editor().document()->undoStack()->undo();
    QCOMPARE(driver.find<QLineEdit>(u"sweep.name"_s)->text(), u"typed-here"_s);
}

void TestEditorFiles::commentsAreKeptWhenTheFormIsUsed()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"mine.toml"_s);
    QVERIFY(writeFile(path, "# of the paper\n[sweep]\nname = \"mine\"  # short\nobjective = \"loss\"\n\n[space]\n"
                            "n = [1, 2]  # few\nm = [3, 4]\n\n[run]\ncommand = [\"true\", \"{n}\", \"{m}\"]\n"));
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(path));
    driver.typeInto(u"sweep.name"_s, u"changed"_s);
    driver.typeIntoCell(0, SpaceColumn::From, u"1, 2, 3"_s);
    QTRY_VERIFY2(driver.toml().contains(u"n = [1, 2, 3]  # few"_s), qPrintable(driver.toml()));
    QTest::keyClick(driver.find(u"sweep.name"_s), Qt::Key_S, Qt::ControlModifier);
    QVERIFY2(!driver.editor().document()->isModified(), qPrintable(driver.editor().notice()->text()));
    const QString saved = u"# of the paper\n[sweep]\nname = \"changed\"  # short\nobjective = \"loss\"\n\n[space]\n"
                          "n = [1, 2, 3]  # few\nm = [3, 4]\n\n[run]\ncommand = [\"true\", \"{n}\", \"{m}\"]\n"_s;
    QCOMPARE(read(path), saved);

    // A parameter removed from the file by hand is not reported.
    auto *panel = driver.editor().findChild<TomlPanel *>(u"tomlPanel"_s);
    panel->type(QString(saved).remove(u"  # short"_s));
    QTest::keyClick(driver.find(u"sweep.name"_s), Qt::Key_S, Qt::ControlModifier);
    QVERIFY2(!driver.editor().document()->isModified(), qPrintable(driver.editor().notice()->text()));
    QVERIFY(!read(path).contains(u"# short"_s));
}

void TestEditorFiles::savingOverCommentsAsksFirst()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"digits.toml"_s);
    QVERIFY(QFile::copy(example(u"digits-mlp.toml"_s), path));
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    EditorDriver driver;
    QVERIFY(driver.editor().openFile(path));
    driver.typeIntoCell(0, SpaceColumn::Name, u"renamed"_s);
    driver.click(u"space.down"_s);
    QTRY_VERIFY(driver.find<QLabel>(u"toml.note"_s)->text().contains(u"discards the comments of digits.toml"_s));
    driver.click(u"save.button"_s);
    QVERIFY(driver.editor().notice()->text().contains(u"comments"_s));
    QVERIFY(driver.editor().document()->isModified());
    driver.click(u"notice.saveAnyway"_s);
    QVERIFY(!driver.editor().document()->isModified());
    QCOMPARE(sweep::readSweepFile(path.toStdString())->spec.space[1].name, std::string("renamed"));
}

void TestEditorFiles::exampleIsSavedAmongTheUsersFiles()
{
    const QString brought = QString::fromStdString((shareFolder() / "examples" / "digits-mlp.toml").string());
    EditorDriver driver;
    const auto folderOf = [&driver](const QString &button) {
        driver.click(button);
        const QPointer<QFileDialog> dialog = driver.find<QFileDialog>(u"fileDialog"_s);
        const QString folder = dialog ? dialog->directory().canonicalPath() : u"no dialog"_s;
        if (dialog)
            dialog->reject();
        delete dialog;
        return folder;
    };
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString own = QDir(QDir(documents).exists() ? documents : QDir::homePath()).canonicalPath();
    QVERIFY(driver.editor().openFile(brought));
    QVERIFY(driver.find<QLabel>(u"toml.note"_s)->text().isEmpty());
    driver.typeInto(u"sweep.name"_s, u"mine"_s);
    QCOMPARE(folderOf(u"save.button"_s), own);
    QCOMPARE(folderOf(u"saveAs.button"_s), own);
    QVERIFY(driver.editor().document()->isModified());
    // Or in the last folder used.
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"one.toml"_s);
    QVERIFY(QFile::copy(brought, path));
    QVERIFY(driver.editor().openFile(path));
    QCOMPARE(folderOf(u"saveAs.button"_s), QDir(folder.path()).canonicalPath());
    QVERIFY(driver.editor().openFile(brought));
    QCOMPARE(folderOf(u"save.button"_s), QDir(folder.path()).canonicalPath());
}

void TestEditorFiles::unreadableFieldIsNotSaved()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"plain.toml"_s);
    EditorDriver driver;
    QVERIFY(driver.editor().document()->save(path, "[sweep]\nname = \"x\"\n").has_value());
    driver.typeIntoCell(0, SpaceColumn::Points, u"many"_s);
    driver.find(u"sweep.name"_s)->setFocus();
    QTest::keyClick(driver.find(u"sweep.name"_s), Qt::Key_S, Qt::ControlModifier);
    QVERIFY(driver.editor().notice()->text().startsWith(u"Not saved"_s));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("[sweep]\nname = \"x\"\n"));
}

void TestEditorFiles::sweepFileIsNextToTheFormInAWideWindow()
{
    EditorDriver driver;
    auto *toml = driver.find<QPlainTextEdit>(u"toml"_s);
    driver.editor().resize(800, 800);
    QVERIFY(!toml->isVisible());
    driver.editor().resize(2400, 1200);
    QTRY_VERIFY(toml->isVisible());
    driver.editor().resize(800, 800);
    QTRY_VERIFY(!toml->isVisible());
    // The user's choice stays.
    driver.click(u"showToml"_s);
    QTRY_VERIFY(toml->isVisible());
    driver.editor().resize(2400, 1200);
    driver.editor().resize(800, 800);
    QVERIFY(toml->isVisible());
}

void TestEditorFiles::typingIntoTheSweepFileUpdatesTheForm()
{
    EditorDriver driver;
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
    const QString before = text->toPlainText();
    QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(text->toPlainText() != before);
    QTest::keyClick(text, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(text->toPlainText(), before);
    // An error is shown at its line, the form stays, and the sweep cannot be started.
    replace(u"\"typed\""_s, u"\"typed"_s);
    auto *note = driver.find<QLabel>(u"toml.note"_s);
    QTRY_VERIFY2(note->isVisible() && note->text().startsWith(u"Line 2: "_s), qPrintable(note->text()));
    QCOMPARE(text->extraSelections().size(), 1);
    QCOMPARE(text->extraSelections().front().cursor.blockNumber(), 1);
    QCOMPARE(driver.find<QLineEdit>(u"sweep.name"_s)->text(), u"typed"_s);
    QTRY_VERIFY(!driver.start()->isEnabled());
    QVERIFY(!driver.editor().definition(SweepEditor::Purpose::Start));
    auto *problems = driver.find<QListWidget>(u"problems"_s);
    QCOMPARE(problems->count(), 1);
    QVERIFY2(problems->item(0)->text().startsWith(u"Sweep file: Line 2: "_s), qPrintable(problems->item(0)->text()));
    // Editing the form restores it, and the list leads there.
    const QString broken = text->toPlainText();
    driver.typeInto(u"search.seed"_s, u"11"_s);
    QTRY_VERIFY(text->toPlainText().contains(u"seed = 11"_s));
    QTRY_VERIFY(driver.start()->isEnabled());
    driver.click(u"notice.bringBack"_s);
    QCOMPARE(text->toPlainText(), broken);
    QTRY_COMPARE(problems->count(), 1);
    QVERIFY(!driver.start()->isEnabled());
    Q_EMIT problems->itemActivated(problems->item(0));
    QVERIFY(text->hasFocus());
    replace(u"\"typed"_s, u"\"better\""_s);
    QTRY_COMPARE(driver.find<QLineEdit>(u"sweep.name"_s)->text(), u"better"_s);
    QTRY_VERIFY(!note->isVisible());
    // Edits in the form appear here, and comments stay; undo reverts both.
    driver.typeInto(u"sweep.name"_s, u"third"_s);
    QTRY_VERIFY2(text->toPlainText().contains(u"\"third\"  # mine"_s), qPrintable(text->toPlainText()));
    driver.editor().document()->undoStack()->undo();
    QTRY_VERIFY(text->toPlainText().contains(u"\"better\""_s));
    for (int step = 0; step < 3; ++step)  // the last edit, the seed, and the first edit
        driver.editor().document()->undoStack()->undo();
    QTRY_COMPARE(driver.find<QLineEdit>(u"sweep.name"_s)->text(), name);
    QTRY_VERIFY(text->toPlainText().contains(u'"' + name + u'"'));
}

void TestEditorFiles::linesHaveNumbersAndTheInvalidOneAMark()
{
    EditorDriver driver;
    auto *text = driver.find<QPlainTextEdit>(u"toml"_s);
    auto *numbers = driver.find(u"lineNumbers"_s);
    QVERIFY(numbers && numbers->isVisible());
    QTRY_VERIFY(text->blockCount() > 3);
    QVERIFY(numbers->geometry().right() < text->viewport()->geometry().left());
    const auto lineOfNumbers = [&](int line) {
        const QRect first = text->cursorRect(QTextCursor(text->document()->findBlockByNumber(line - 1)));
        return numbers->grab(QRect(0, first.top(), numbers->width(), first.height())).toImage();
    };
    QVERIFY(lineOfNumbers(2) != lineOfNumbers(3));
    const QImage before = lineOfNumbers(2);
    auto *panel = driver.find<TomlPanel>(u"tomlPanel"_s);
    panel->showProblem(2, u"no value"_s);
    QVERIFY(lineOfNumbers(2) != before);
    panel->showProblem(0, {});
    QVERIFY(lineOfNumbers(2) == before);
    const int width = numbers->width();
    QFont larger = text->font();
    larger.setPointSizeF(larger.pointSizeF() * 2);
    text->setFont(larger);
    QTRY_VERIFY(numbers->width() > width);
    QVERIFY(numbers->geometry().right() < text->viewport()->geometry().left());
}

void TestEditorFiles::colorChangeIsNotAnEdit()
{
    TomlPanel panel;
    panel.show();
    panel.setToml(u"[sweep]\nname = \"one\"\n"_s);
    QPalette dark;
    dark.setColor(QPalette::Base, Qt::black);
    dark.setColor(QPalette::Text, Qt::white);
    QSignalSpy edited(&panel, &TomlPanel::edited);
    panel.setPalette(dark);
    QCoreApplication::processEvents();
    panel.setToml(u"[sweep]\nname = \"two\"\n"_s);
    QVERIFY(panel.toml().contains(u"two"_s));
    QTest::qWait(300);  // longer than the delay after typing
    QVERIFY(edited.isEmpty());
}

SWEEPSCOPE_TEST(TestEditorFiles)
#include "tst_editorfiles.moc"
