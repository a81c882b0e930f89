#include "testprogram.h"

#include "engine/foundrun.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::engine;

namespace {

constexpr WallNs now = 2'000'000'000'000'000'000;

QJsonObject usualRun()
{
    return {{QStringLiteral("version"), 1},
            {QStringLiteral("attempt_id"), QStringLiteral("run-0a1b")},
            {QStringLiteral("name"), QStringLiteral("train.py")},
            {QStringLiteral("argv"),
             QJsonArray{QStringLiteral("python3"), QStringLiteral("train.py"), QStringLiteral("{x}")}},
            {QStringLiteral("working_folder"), QStringLiteral("/home/ann")},
            {QStringLiteral("ranks"), 2},
            {QStringLiteral("created_ns"), qint64{1'900'000'000'000'000'000}},
            {QStringLiteral("config"), QJsonObject{{QStringLiteral("lr"), 0.1},
                                                   {QStringLiteral("layers"), 3},
                                                   {QStringLiteral("nesterov"), true},
                                                   {QStringLiteral("optimizer"), QStringLiteral("adam")},
                                                   {QStringLiteral("not a name"), 1},
                                                   {QStringLiteral("nested"), QJsonObject{{QStringLiteral("a"), 1}}}}}};
}

Expected<FoundRun> readRun(const QJsonObject &object)
{
    return parseFoundRun(QJsonDocument(object).toJson().toStdString(), now);
}

}  // namespace

/// What scripts write about runs that were not started here is untrusted.
class TestFoundRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runIsReadAsItWasWritten()
    {
        const auto run = readRun(usualRun());
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        QCOMPARE(run->attemptId, std::string("run-0a1b"));
        QCOMPARE(run->name, std::string("train"));
        QCOMPARE(run->command.size(), 3U);
        QCOMPARE(run->ranks, 2);
        QCOMPARE(run->created, 1'900'000'000'000'000'000);
    }

    void definitionIsAValidSweepWithOneTrialOfItsParameters()
    {
        const sweep::SweepSpec spec = definitionOf(*readRun(usualRun()));
        const sweep::ParsedSweep parsed = sweep::parseSweep(sweep::toToml(spec));
        QVERIFY(parsed.problems.empty());
        QVERIFY(parsed.spec == spec);
        const auto plans = sweep::planTrials(spec);
        QCOMPARE(plans->size(), 1U);
        const sweep::ParameterSet expected{
            {"layers", std::int64_t{3}}, {"lr", 0.1}, {"nesterov", true}, {"optimizer", std::string("adam")}};
        QVERIFY(plans->front().parameters == expected);
        QCOMPARE(plans->front().ranks, 2);
        QCOMPARE(spec.run.command.back(), std::string("{{x}}"));
    }

    void runFromTheFutureBeganNow()
    {
        QJsonObject run = usualRun();
        run[QStringLiteral("created_ns")] = qint64{3'000'000'000'000'000'000};
        QCOMPARE(readRun(run)->created, now);
    }

    void wrongFieldsAreErrors_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QJsonValue>("value");
        const auto add = [](const char *field, const QJsonValue &value) {
            QTest::addRow("%s %d", field, static_cast<int>(value.type())) << QString::fromLatin1(field) << value;
        };
        add("version", 2);
        add("attempt_id", QStringLiteral("../x"));
        add("attempt_id", 1);
        add("argv", QJsonArray{});
        add("argv", QJsonArray{1});
        add("argv", QStringLiteral("python3"));
        add("working_folder", QStringLiteral("relative"));
        add("ranks", 0);
        add("ranks", 1'000'000);
        add("ranks", QJsonValue::Null);
        add("created_ns", -1);
    }
    void wrongFieldsAreErrors()
    {
        QFETCH(QString, field);
        QFETCH(QJsonValue, value);
        QJsonObject run = usualRun();
        run[field] = value;
        const auto read = readRun(run);
        QVERIFY(!read);
        QVERIFY(QString::fromStdString(read.error().message).contains(field));
    }

    void otherTextIsAnError()
    {
        for (const char *text : {"", "[]", "{", "null", "{\"version\": 1}"})
            QVERIFY(!parseFoundRun(text, now));
    }
};

SWEEPSCOPE_TEST(TestFoundRun)
#include "tst_foundrun.moc"
