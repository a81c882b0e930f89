#include "enginefixture.h"
#include "testprogram.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace {

/// Returns the attempts of one trial of the first sweep, from `sweepctl history`.
QJsonArray attemptsOf(const EngineFixture &fixture, int trial)
{
    const auto history =
        fixture.sweepctl({text("history"), text("1"), text("-t"), QString::number(trial), text("--json")});
    return QJsonDocument::fromJson(history.out.toUtf8()).object().value(text("attempts")).toArray();
}

QStringList failuresOf(const EngineFixture &fixture, int trial)
{
    QStringList failures;
    for (const QJsonValue &attempt : attemptsOf(fixture, trial))
        failures << attempt[text("failure")].toString(text("none"));
    return failures;
}

QDateTime timeOf(const QJsonValue &attempt, const char *what)
{
    return QDateTime::fromString(attempt[text(what)].toString(), Qt::ISODateWithMs);
}

}  // namespace

/// Retries after different failures, with real engines, agents and ranks that really fail.
class TestRetries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void causesAreDistinguished()
    {
        EngineFixture fixture;
        fixture.write(text("port.py"), text("import socket\n"
                                            "first, second = socket.socket(), socket.socket()\n"
                                            "first.bind(('127.0.0.1', 0))\n"
                                            "first.listen()\n"
                                            "second.bind(first.getsockname())\n"));
        const QString script =
            text("case $1 in\n"
                 "1) ulimit -v 400000; exec python3 -c 'bytearray(10**10)';;\n"
                 "2) exec python3 port.py;;\n"
                 "3) kill -SEGV $$;;\n"
                 "4) echo 'RuntimeError: CUDA out of memory. Tried to allocate 2 GiB' >&2; exit 1;;\n"
                 "5) exit 7;;\n"
                 "esac");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 6)}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        const char *const kinds[] = {"out_of_memory", "port_taken", "signal", "out_of_memory", "exit_code", "none"};
        for (int trial = 1; trial <= 6; ++trial)
            QCOMPARE(failuresOf(fixture, trial), QStringList(text(kinds[trial - 1])));
    }

    void eachKindHasItsOwnNumberOfRetries()
    {
        EngineFixture fixture;
        // Fails differently each time: out of memory twice, a taken port, an exit code, and then no more retries.
        const QString script = text("echo x >> tries\n"
                                    "case $(wc -l < tries) in\n"
                                    "1|3) echo 'CUDA out of memory' >&2;;\n"
                                    "2) echo 'bind: Address already in use' >&2;;\n"
                                    "esac\n"
                                    "exit 3");
        const QString file = fixture.writeShellSweep(script, 1,
                                                     text("retries = 1\n"
                                                          "retry = { out_of_memory = { times = 2, wait = 0 }, "
                                                          "port_taken = { times = 1, wait = 0 }, exit_code = 0 }"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("failed")));
        QCOMPARE(failuresOf(fixture, 1),
                 QStringList({text("out_of_memory"), text("port_taken"), text("out_of_memory"), text("exit_code")}));
        QCOMPARE(fixture.trialReason(1)[text("code")].toString(), text("not_retried"));
        QCOMPARE(fixture.trialReason(1)[text("failure")].toString(), text("exit_code"));
    }

    void retryDelayHoldsWhileTheEngineIsKilled()
    {
        EngineFixture fixture;
        const QString script = text("if [ ! -e failed ]; then touch failed; exit 3; fi");
        const QString file =
            fixture.writeShellSweep(script, 1, text("retry = { exit_code = { times = 1, wait = 5 } }"));
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(
            QTest::qWaitFor([&] { return fixture.trialReason(1)[text("code")] == text("retry_scheduled"); }, 60'000));
        QCOMPARE(fixture.trialReason(1)[text("seconds")].toDouble(), 5.0);
        QCOMPARE(fixture.trialReason(1)[text("because")][0][text("code")].toString(), text("rank_exited"));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), QStringList(text("completed")));
        const QJsonArray attempts = attemptsOf(fixture, 1);
        QCOMPARE(attempts.size(), 2);
        const qint64 pause = timeOf(attempts[0], "ended").msecsTo(timeOf(attempts[1], "created"));
        QVERIFY2(pause >= 5000, qPrintable(QString::number(pause)));
    }

    void reproducibleFailuresAreNotRetried()
    {
        EngineFixture fixture;
        const QString script = text("if [ $1 = 1 ]; then echo 'error: the loss is nan at step 3' >&2; fi; exit 1");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 2, text("retries = 1"))}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("failed")));
        const QJsonArray trials = fixture.sweep().value(text("trials")).toArray();
        QCOMPARE(trials.at(0)[text("attempts")].toInt(), 1);
        QCOMPARE(trials.at(1)[text("attempts")].toInt(), 2);
        QCOMPARE(fixture.trialReason(1)[text("code")].toString(), text("not_retried"));
        QCOMPARE(fixture.trialReason(1)[text("failure")].toString(), text("not_a_number"));
        const auto history = fixture.sweepctl({text("history"), text("1"), text("-t"), text("1"), text("--json")});
        QCOMPARE(
            QJsonDocument::fromJson(history.out.toUtf8()).object()[text("attempts")][0][text("failure")].toString(),
            text("not_a_number"));
    }
};

SWEEPSCOPE_TEST(TestRetries)
#include "tst_retries.moc"
