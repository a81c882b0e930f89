#include "testprogram.h"

#include "sweep/sweepfile.h"
#include "ui/editor/commandline.h"
#include "ui/editor/dimensionpreview.h"
#include "ui/editor/dimensionreading.h"
#include "ui/editor/draftreading.h"
#include "ui/editor/sweepcheck.h"
#include "ui/editor/valuelist.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

DimensionDraft range(sweep::DimensionKind kind, const QString &from, const QString &to, const QString &points)
{
    DimensionDraft draft;
    draft.name = u"lr"_s;
    draft.kind = kind;
    draft.from = from;
    draft.to = to;
    draft.points = points;
    return draft;
}

QString preview(const DimensionDraft &draft, sweep::SearchMethod method = sweep::SearchMethod::Grid)
{
    std::vector<PlacedProblem> problems;
    return previewOf(readDimension(draft, 0, problems), method, true);
}

/// The problems of a draft, checked on a machine with two cores.
std::vector<PlacedProblem> problemsOf(const SweepDraft &draft)
{
    return checkSweep({draft, sweep::Capacity{0, 2}, QDir::tempPath()}).problems;
}

}  // namespace

class TestSweepDraft : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void listIsSplitAtCommasOutsideQuotes();
    void valuesReadBackAsTheSameValues();
    void commandLineIsSplitLikeATerminalDoes();
    void argumentsReadBackAsTheSameArguments_data();
    void argumentsReadBackAsTheSameArguments();
    void openQuoteIsAnError();
    void previewShowsTheGridValues();
    void previewOfManyValuesIsShort();
    void previewOfARandomRangeIsDescribed();
    void halfANumberIsAProblemAtItsCellAndIsKept();
    void wordInAListOfNumbersSuggestsAnotherType();
    void listWithAFractionIsReadAsInTheSweepFile();
    void newSweepHasNoProblems();
    void newSweepOfACommandLacksOnlyTheCommand();
    void reversedRangeIsShownAtItsEnd();
    void wrongConditionIsShownInItsColumn();
    void duplicateNameIsShownAtBothRows();
    void unknownTimeLimitIsShownAtItsField();
    void settingInTheSpaceIsOmittedFromRun();
    void otherWorkersFieldsAreKeptButNotWritten();
    void missingProgramIsShownAtTheCommand();
    void everySweepIsUnchangedByTheForm_data();
    void everySweepIsUnchangedByTheForm();
    void missingWorkerIsAProblemOfTheSweep();
};

void TestSweepDraft::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
}

void TestSweepDraft::listIsSplitAtCommasOutsideQuotes()
{
    const std::vector<ListEntry> entries = splitList(u"a, 'b, c' ,\"d\"\"e\", 4,"_s);
    QCOMPARE(entries.size(), std::size_t(4));
    QCOMPARE(entries[0].text, u"a"_s);
    QCOMPARE(entries[1].text, u"b, c"_s);
    QVERIFY(entries[1].quoted);
    QCOMPARE(entries[2].text, u"d\"e"_s);
    QCOMPARE(entries[3].text, u"4"_s);
    QVERIFY(splitList(QString()).empty());
}

void TestSweepDraft::valuesReadBackAsTheSameValues()
{
    sweep::Dimension dimension;
    dimension.name = "x";
    dimension.kind = sweep::DimensionKind::List;
    dimension.values = {std::int64_t{32}, 0.1, 1.0, 1e-7, std::int64_t{-4}, 12345678.25};
    std::vector<PlacedProblem> problems;
    std::vector<sweep::ParameterValue> expected = dimension.values;
    sweep::unifyNumbers(expected);  // one decimal among them makes all of them decimals, as in the sweep file
    QVERIFY(readDimension(draftOf(dimension), 0, problems).values == expected);
    dimension.kind = sweep::DimensionKind::Choice;
    dimension.values = {std::string("sgd"), std::string("a, b"), std::string("it's \"so\""), std::string("true"), true};
    QVERIFY(readDimension(draftOf(dimension), 0, problems).values == dimension.values);
    QVERIFY(problems.empty());
}

void TestSweepDraft::commandLineIsSplitLikeATerminalDoes()
{
    const auto arguments =
        splitCommandLine(u"python3  'my script.py'\n--name=\"a b\" --empty '' c\\ d {lr} \"q\\\"q\""_s);
    const std::vector<std::string> expected{"python3", "my script.py", "--name=a b", "--empty",
                                            "",        "c d",          "{lr}",       "q\"q"};
    QVERIFY(arguments.has_value());
    QVERIFY(*arguments == expected);
    QVERIFY(splitCommandLine(u"  \n "_s)->empty());
}

void TestSweepDraft::argumentsReadBackAsTheSameArguments_data()
{
    QTest::addColumn<QString>("argument");
    for (const QString &argument :
         {u"plain"_s, u"with blank"_s, u""_s, u"it's"_s, u"\"both\" 'quotes'"_s, u"back\\slash"_s, u"\\"_s, u"'\\\""_s,
          u"new\nline"_s, u"{lr}"_s, u"$HOME *"_s, u"zwölf ☂"_s})
        QTest::newRow(qPrintable(argument)) << argument;
}

void TestSweepDraft::argumentsReadBackAsTheSameArguments()
{
    QFETCH(const QString, argument);
    const std::vector<std::string> arguments{"first", argument.toStdString(), "last"};
    const auto back = splitCommandLine(joinCommandLine(arguments));
    QVERIFY(back.has_value());
    QVERIFY(*back == arguments);
}

void TestSweepDraft::openQuoteIsAnError()
{
    QVERIFY(!splitCommandLine(u"python3 'train.py"_s));
}

void TestSweepDraft::previewShowsTheGridValues()
{
    QCOMPARE(preview(range(sweep::DimensionKind::Log, u"0.001"_s, u"0.1"_s, u"4"_s)), u"0.001, 0.00464, 0.0215, 0.1"_s);
    QCOMPARE(preview(range(sweep::DimensionKind::Linear, u"0"_s, u"1"_s, u"3"_s)), u"0, 0.5, 1"_s);
    DimensionDraft integers = range(sweep::DimensionKind::Integer, u"1"_s, u"9"_s, QString());
    integers.step = u"4"_s;
    QCOMPARE(preview(integers), u"1, 5, 9"_s);
    QCOMPARE(preview(range(sweep::DimensionKind::Linear, u"1"_s, u"0"_s, u"3"_s)), QString());
}

void TestSweepDraft::previewOfManyValuesIsShort()
{
    const QString text = preview(range(sweep::DimensionKind::Integer, u"1"_s, u"1000000000000"_s, QString()));
    QVERIFY2(text.startsWith(u"1, 2, 3"_s), qPrintable(text));
    QVERIFY2(text.endsWith(u"… 1000000000000"_s), qPrintable(text));
}

void TestSweepDraft::previewOfARandomRangeIsDescribed()
{
    const DimensionDraft draft = range(sweep::DimensionKind::Linear, u"0"_s, u"0.5"_s, QString());
    QCOMPARE(preview(draft, sweep::SearchMethod::Random), u"uniform from 0 to 0.5"_s);
}

void TestSweepDraft::halfANumberIsAProblemAtItsCellAndIsKept()
{
    SweepDraft draft = newSweepDraft();
    draft.space[0].from = u"1e"_s;
    const std::vector<PlacedProblem> problems = problemsOf(draft);
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems[0].row, 0);
    QCOMPARE(problems[0].column, static_cast<int>(SpaceColumn::From));
    QCOMPARE(draft.space[0].from, u"1e"_s);
}

void TestSweepDraft::wordInAListOfNumbersSuggestsAnotherType()
{
    SweepDraft draft = newSweepDraft();
    draft.space[0].kind = sweep::DimensionKind::List;
    draft.space[0].values = u"0.1, fast"_s;
    const std::vector<PlacedProblem> problems = problemsOf(draft);
    QCOMPARE(problems.size(), std::size_t(1));
    QVERIFY(problems[0].message.contains(u"Categories"_s));
    draft.space[0].values = u"sgd, 3, adam"_s;
    const std::vector<PlacedProblem> several = problemsOf(draft);
    QCOMPARE(several.size(), std::size_t(1));  // one problem for all words
    QVERIFY(several[0].message.startsWith(u"“sgd”, “adam” are not numbers"_s));
}

void TestSweepDraft::listWithAFractionIsReadAsInTheSweepFile()
{
    SweepDraft draft = newSweepDraft();
    draft.space[0].kind = sweep::DimensionKind::List;
    draft.space[0].values = u"0, 0.9"_s;
    const sweep::SweepSpec typed = readDraft(draft).spec;
    QVERIFY(typed.space[0].values == (std::vector<sweep::ParameterValue>{0.0, 0.9}));
    QVERIFY(typed == sweep::parseSweep(sweep::toToml(typed)).spec);
    draft.space[0].values = u"0, 1"_s;
    QVERIFY(readDraft(draft).spec.space[0].values
            == (std::vector<sweep::ParameterValue>{std::int64_t{0}, std::int64_t{1}}));
}

void TestSweepDraft::newSweepHasNoProblems()
{
    const CheckResult result = checkSweep({newSweepDraft(), sweep::Capacity{0, 1}, QDir::tempPath()});
    for (const PlacedProblem &problem : result.problems)
        qWarning() << problem.field << problem.message;
    QVERIFY(result.problems.empty());
    QCOMPARE(result.trials, std::optional<std::uint64_t>(4));
}

void TestSweepDraft::newSweepOfACommandLacksOnlyTheCommand()
{
    const CheckResult result =
        checkSweep({newSweepDraft(sweep::WorkerKind::Command), sweep::Capacity{0, 1}, QDir::tempPath()});
    QCOMPARE(result.problems.size(), std::size_t(1));
    QCOMPARE(result.problems[0].field, u"run.command"_s);
}

void TestSweepDraft::reversedRangeIsShownAtItsEnd()
{
    SweepDraft draft = newSweepDraft();
    draft.space[0].to = u"0.0001"_s;
    const std::vector<PlacedProblem> problems = problemsOf(draft);
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems[0].column, static_cast<int>(SpaceColumn::To));
}

void TestSweepDraft::wrongConditionIsShownInItsColumn()
{
    SweepDraft draft = newSweepDraft();
    draft.space[0].when = u"model =="_s;
    const std::vector<PlacedProblem> problems = problemsOf(draft);
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems[0].column, static_cast<int>(SpaceColumn::When));
}

void TestSweepDraft::duplicateNameIsShownAtBothRows()
{
    SweepDraft draft = newSweepDraft();
    draft.space.push_back(draft.space[0]);
    const std::vector<PlacedProblem> problems = problemsOf(draft);
    QCOMPARE(problems.size(), std::size_t(2));
    QCOMPARE(problems[0].row, 0);
    QCOMPARE(problems[1].row, 1);
    QCOMPARE(problems[1].column, static_cast<int>(SpaceColumn::Name));
}

void TestSweepDraft::unknownTimeLimitIsShownAtItsField()
{
    SweepDraft draft = newSweepDraft();
    draft.setValue(u"run.timeout"_s, u"soon"_s);
    const std::vector<PlacedProblem> problems = problemsOf(draft);
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems[0].field, u"run.timeout"_s);
}

void TestSweepDraft::settingInTheSpaceIsOmittedFromRun()
{
    SweepDraft draft = newSweepDraft();
    draft.setValue(u"run.lr"_s, u"0.5"_s);
    draft.setValue(u"run.epochs"_s, u"3"_s);
    const sweep::SweepSpec spec = readDraft(draft).spec;
    QVERIFY(!spec.run.settings.contains("lr"));
    QVERIFY(spec.run.settings.at("epochs") == sweep::ParameterValue(std::int64_t{3}));
    QVERIFY(problemsOf(draft).empty());
}

void TestSweepDraft::otherWorkersFieldsAreKeptButNotWritten()
{
    SweepDraft draft = newSweepDraft();
    draft.setValue(u"run.command"_s, u"python3 train.py"_s);
    draft.setValue(u"run.epochs"_s, u"3"_s);
    QVERIFY(readDraft(draft).spec.run.command.empty());
    draft.setValue(u"run.worker"_s, u"command"_s);
    QVERIFY(readDraft(draft).spec.run.settings.empty());
    QCOMPARE(readDraft(draft).spec.run.command.size(), std::size_t(2));
}

void TestSweepDraft::missingProgramIsShownAtTheCommand()
{
    SweepDraft draft = newSweepDraft();
    draft.setValue(u"run.worker"_s, u"command"_s);
    draft.setValue(u"run.command"_s, u"no-such-program-here --lr {lr}"_s);
    const std::vector<PlacedProblem> problems = problemsOf(draft);
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems[0].field, u"run.command"_s);
}

void TestSweepDraft::everySweepIsUnchangedByTheForm_data()
{
    QTest::addColumn<QString>("toml");
    const auto contents = [](const QString &path) {
        QFile file(path);
        return file.open(QFile::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    const QDir examples(QStringLiteral(SWEEPSCOPE_SOURCE_DIR "/resources/examples"));
    const QFileInfoList files = examples.entryInfoList({u"*.toml"_s});
    QVERIFY(files.size() >= 3);
    for (const QFileInfo &file : files)
        QTest::newRow(qPrintable(file.fileName())) << contents(file.absoluteFilePath());
    // The form keeps what it does not show.
    const QStringList blocks =
        contents(QStringLiteral(SWEEPSCOPE_SOURCE_DIR "/docs/sweep-file.md")).split(u"```toml\n"_s);
    QVERIFY(blocks.size() >= 8);
    for (qsizetype i = 1; i < blocks.size(); ++i)
        QTest::addRow("documentation %d", static_cast<int>(i)) << blocks[i].section(u"```"_s, 0, 0);
}

void TestSweepDraft::missingWorkerIsAProblemOfTheSweep()
{
    CheckRequest request{newSweepDraft(), sweep::Capacity{0, 1}, QDir::tempPath()};
    QVERIFY(checkSweep(request).problems.empty());
    request.worker = "/no/such/worker";
    const std::vector<PlacedProblem> problems = checkSweep(request).problems;
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems.front().field, u"run.worker"_s);
    QVERIFY(problems.front().message.contains(u"set run.command"_s));
    request.worker = "/bin/sh";
    QVERIFY(checkSweep(request).problems.empty());
}

void TestSweepDraft::everySweepIsUnchangedByTheForm()
{
    QFETCH(const QString, toml);
    const sweep::ParsedSweep parsed = sweep::parseSweep(toml.toStdString());
    QVERIFY(parsed.problems.empty());
    const DraftReading reading = readDraft(draftOf(parsed.spec));
    QVERIFY(reading.problems.empty());
    const std::string written = sweep::toToml(reading.spec);
    QCOMPARE(QString::fromStdString(written), QString::fromStdString(sweep::toToml(parsed.spec)));
    QCOMPARE(sweep::toToml(sweep::parseSweep(written).spec), written);
    QVERIFY(draftOf(reading.spec) == draftOf(parsed.spec));
}

SWEEPSCOPE_TEST(TestSweepDraft)
#include "tst_sweepdraft.moc"
