#include "testprogram.h"

#include "engine/attemptparts.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::engine;
using facts::Code;
using facts::Fact;
using facts::Field;

class TestAttemptParts : public QObject {
    Q_OBJECT

    static AttemptVerdict failed(int rank, const std::string &words, WallNs time)
    {
        return {AttemptEnd::Failed,
                Fact(Code::RankExited).with(Field::Rank, rank).with(Field::ExitCode, 1).with(Field::Detail, words),
                time, launch::FailureKind::ExitCode};
    }

private Q_SLOTS:
    void devicesSayWhichRanksAreWhere()
    {
        const std::vector<AttemptPart> parts =
            partsOf({"cpu:0", "cpu:1", "GPU-1@m1", "GPU-2@m1", "GPU-1@m2", "GPU-2@m2"}, 6);
        QVERIFY((parts == std::vector<AttemptPart>{{"", 0, 2}, {"m1", 2, 2}, {"m2", 4, 2}}));
        QVERIFY((partsOf({"a@m1", "b@m1", "c@m2", "d@m2"}, 2) == std::vector<AttemptPart>{{"m1", 0, 1}, {"m2", 1, 1}}));
        QVERIFY((partsOf({"cpu:0"}, 1) == std::vector<AttemptPart>{{"", 0, 1}}));
        QVERIFY((partsOf({}, 2) == std::vector<AttemptPart>{{"", 0, 2}}));
        QCOMPARE(filesOf({"/a"}, parts[0]).folder.string(), std::string("/a"));
        QCOMPARE(filesOf({"/a"}, parts[2]).folder.string(), std::string("/a/ranks-4-5"));
    }

    void agentRunsItsShare()
    {
        launch::LaunchSpec whole;
        whole.ranks = 4;
        whole.devices = {{"cpu:0"}, {"cpu:1"}, {"a@m1"}, {"b@m1"}};
        whole.cpus = {{0}, {1}, {}, {}};
        const std::vector<AttemptPart> parts{{"", 0, 2}, {"m1", 2, 2}};
        const launch::LaunchSpec share = shareOf(whole, parts, 1, "10.0.0.1", 4711);
        QCOMPARE(share.ranks, 2);
        QCOMPARE(share.devices, (std::vector<std::vector<std::string>>{{"a@m1"}, {"b@m1"}}));
        QVERIFY(share.cpus.empty());
        QCOMPARE(share.firstRank(), 2);
        QCOMPARE(share.worldSize(), 4);
        QCOMPARE(share.node->index, 1);
        QCOMPARE(share.node->masterPort, 4711);
    }

    void agentsOfAJobOnSeveralNodesHaveEqualShares()
    {
        launch::LaunchSpec whole;
        whole.ranks = 6;
        whole.devices.resize(6);
        const auto files = launchFilesOf(whole, 3);
        QCOMPARE(files.size(), 3U);
        QCOMPARE(files.at("launch.json").node->index, 0);
        const launch::LaunchSpec &last = files.at("ranks-4-5/launch.json");
        QCOMPARE(last.ranks, 2);
        QCOMPARE(last.firstRank(), 4);
        QCOMPARE(last.worldSize(), 6);
        QVERIFY(last.node->ofJob);
        QCOMPARE(last.node->masterPort, 0);
        QVERIFY(!launchFilesOf(whole, 1).at("launch.json").node);
    }

    void firstCauseIsNotARankThatLostOthers()
    {
        const AttemptVerdict lostPeer = failed(0, "RuntimeError: Connection closed by peer [10.0.0.2]", 10);
        const AttemptVerdict cause = failed(3, "ValueError: bad data", 20);
        const AttemptVerdict stopped{AttemptEnd::Stopped, Code::StoppedOnRequest, 30, {}};
        const AttemptVerdict verdict = verdictOf({{"m1", lostPeer}, {"m2", cause}, {"m3", stopped}}, false);
        QVERIFY(verdict.end == AttemptEnd::Failed);
        QVERIFY(verdict.reason == Fact(Code::OnMachine).with(Field::Machine, "m2").dueTo(cause.reason));
        QVERIFY(verdict.failure == launch::FailureKind::ExitCode);
        QCOMPARE(verdict.time, 30);
    }

    void agentThatIsLostCountsBeforeRanksThatLostIt()
    {
        const AttemptVerdict lost{AttemptEnd::Lost, Code::AgentLost, 20, launch::FailureKind::Lost, true};
        const AttemptVerdict verdict =
            verdictOf({{"m1", failed(0, "Connection reset by peer", 10)}, {"m2", lost}}, false);
        QVERIFY(verdict.end == AttemptEnd::Lost);
        QVERIFY(verdict.withoutAgent);
        const Fact away = Fact(Code::MachineAway).with(Field::Machine, "m2").with(Field::Seconds, 60.0);
        const AttemptVerdict gone{AttemptEnd::Lost, away, 20, launch::FailureKind::Lost, true};
        QVERIFY(verdictOf({{"m1", failed(0, "Connection reset by peer", 10)}, {"m2", gone}}, false).reason == away);
    }

    void allCompletedOrStopped()
    {
        const AttemptVerdict completed{AttemptEnd::Completed, {}, 5, {}};
        const AttemptVerdict stopped{AttemptEnd::Stopped, Code::StoppedOnRequest, 7, {}};
        QVERIFY(verdictOf({{"m1", completed}, {"m2", completed}}, false).end == AttemptEnd::Completed);
        const AttemptVerdict verdict = verdictOf({{"m1", completed}, {"m2", stopped}}, true);
        QVERIFY(verdict.end == AttemptEnd::Stopped);
        QVERIFY(verdict.reason == Fact(Code::StoppedOnRequest));
        QCOMPARE(verdict.time, 7);
        // Ranks that lost others because these had been asked first are no failure, and a mistake of theirs is one.
        const AttemptVerdict lostPeer = failed(1, "Connection reset by peer", 10);
        QVERIFY(verdictOf({{"m1", lostPeer}, {"m2", stopped}}, true).end == AttemptEnd::Stopped);
        QVERIFY(verdictOf({{"m1", lostPeer}, {"m2", stopped}}, false).end == AttemptEnd::Failed);
        QVERIFY(verdictOf({{"m1", failed(1, "ValueError", 10)}, {"m2", stopped}}, true).end == AttemptEnd::Failed);
    }
};

SWEEPSCOPE_TEST(TestAttemptParts)
#include "tst_attemptparts.moc"
