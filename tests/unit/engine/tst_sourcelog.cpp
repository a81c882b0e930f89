#include "testprogram.h"
#include "unit/engine/samplevalues.h"

#include "engine/sourcelog.h"

#include "base/files.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::engine;

class TestSourceLog : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::filesystem::path path(const char *name) const { return m_folder.filePath(QLatin1String(name)).toStdString(); }

    void git(const QStringList &args) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.filePath(QStringLiteral("code")));
        process.start(QStringLiteral("git"), QStringList({QStringLiteral("-c"), QStringLiteral("user.name=t"),
                                                          QStringLiteral("-c"), QStringLiteral("user.email=t@t"),
                                                          QStringLiteral("-c"), QStringLiteral("commit.gpgsign=false")})
                                                 + args);
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
    }

    std::size_t lines() const
    {
        const std::string content = readFile(path("sources.jsonl"), 1 << 20).value_or("");
        return static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n'));
    }

private Q_SLOTS:
    void statusIsRead()
    {
        QVERIFY(sourceStateFrom("# branch.oid 123abc\n# branch.head main\n# branch.upstream origin/main\n")
                == (SourceState{"123abc", "main", false}));
        QVERIFY(sourceStateFrom("# branch.oid 123abc\n# branch.head (detached)\n1 .M N... a.py\n")
                == (SourceState{"123abc", "", true}));
        QVERIFY(sourceStateFrom("# branch.oid (initial)\n# branch.head main\n") == (SourceState{"", "main", false}));
        QVERIFY(sourceStateFrom("") == SourceState());
    }

    void eachNewStateIsALineAndAttemptsFindTheirs()
    {
        std::filesystem::create_directories(path("code/exp"));
        std::ofstream(path("code") / "train.py") << "one";
        git({QStringLiteral("init"), QStringLiteral("-q"), QStringLiteral("-b"), QStringLiteral("topic")});
        git({QStringLiteral("add"), QStringLiteral("train.py")});
        git({QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("-m"), QStringLiteral("one")});

        const SourceLog::Place place{path("sources.jsonl"), "0001-a", path("code/exp")};
        const auto at = [&](std::int64_t seconds) { return sourceAt(place.log, place.folder, seconds * second); };
        SourceLog log(path("code.git"), {0});
        log.record(place, 100 * second);
        QTRY_COMPARE_WITH_TIMEOUT(lines(), 1U, patience);
        std::ofstream(path("code") / "train.py") << "changed";
        log.record(place, 111 * second);
        QTRY_COMPARE_WITH_TIMEOUT(lines(), 2U, patience);
        std::ofstream(path("code") / "untracked.py") << "new";
        log.record(place, 120 * second);
        QTRY_COMPARE_WITH_TIMEOUT(lines(), 3U, patience);
        std::filesystem::resize_file(path("code/untracked.py"), 65U << 20);
        log.record(place, 130 * second);
        QTRY_COMPARE_WITH_TIMEOUT(lines(), 4U, patience);

        const auto first = at(110);
        QVERIFY(first && first->revision.size() == 40 && first->branch == "topic" && !first->isChanged);
        QCOMPARE(first->tree.size(), 40U);
        QCOMPARE(first->below, std::string("exp"));
        QVERIFY(first->problem.empty());
        const auto later = at(111);
        QVERIFY(later && later->revision == first->revision && later->isChanged && later->tree != first->tree);
        const auto third = at(120);
        QVERIFY(third && third->revision == first->revision && third->tree != later->tree);
        const auto large = at(130);
        QVERIFY(large && large->tree.empty() && large->revision == first->revision);
        QVERIFY(QString::fromStdString(large->problem).contains(QStringLiteral("untracked.py (65 MiB)")));
        QVERIFY(!at(99));
        QVERIFY(!sourceAt(place.log, path("other"), 111 * second));
        QVERIFY(!sourceAt(path("none.jsonl"), place.folder, 111 * second));
    }

    void anAttemptThatBeginsInThePauseIsCheckedAfterIt()
    {
        std::filesystem::create_directory(path("paused"));
        const SourceLog::Place place{path("paused.jsonl"), "0001-a", path("paused")};
        SourceLog log(path("code.git"), {0, std::chrono::milliseconds(200)});
        log.record(place, 100 * second);
        QTRY_VERIFY_WITH_TIMEOUT(sourceAt(place.log, place.folder, 100 * second).has_value(), patience);
        std::ofstream(path("paused/train.py")) << "edited";
        log.record(place, 101 * second);
        log.record(place, 102 * second);
        const auto tree = [&](std::int64_t seconds) {
            return sourceAt(place.log, place.folder, seconds * second)->tree;
        };
        QTRY_VERIFY_WITH_TIMEOUT(tree(101) != tree(100), patience);
        QCOMPARE(tree(102), tree(101));
    }

    void whatWaitsForAPauseIsCheckedAtTheEnd()
    {
        std::filesystem::create_directory(path("ending"));
        const SourceLog::Place place{path("ending.jsonl"), "0001-a", path("ending")};
        {
            SourceLog log(path("code.git"), {0, std::chrono::hours(1), std::chrono::hours(1)});
            log.record(place, 100 * second);
            QTRY_VERIFY_WITH_TIMEOUT(sourceAt(place.log, place.folder, 100 * second).has_value(), patience);
            std::ofstream(path("ending/train.py")) << "edited";
            log.record(place, 101 * second);
        }
        QVERIFY(sourceAt(place.log, place.folder, 101 * second)->tree
                != sourceAt(place.log, place.folder, 100 * second)->tree);
    }

    void folderWithoutARepositoryIsRecorded()
    {
        std::filesystem::create_directory(path("plain"));
        SourceLog log(path("code.git"));
        log.record({path("plain.jsonl"), "0001-a", path("plain"), SourceLog::Snapshot::NotTaken}, 100 * second);
        QTRY_VERIFY_WITH_TIMEOUT(sourceAt(path("plain.jsonl"), path("plain"), 100 * second).has_value(), patience);
        QVERIFY(*sourceAt(path("plain.jsonl"), path("plain"), 100 * second) == SourceState());
    }

    void damagedLinesAreIgnored()
    {
        std::ofstream(path("bad.jsonl"))
            << "{\n[]\n{\"folder\":\"/f\"}\n{\"folder\":\"/f\",\"time_ns\":5,\"revision\":\"r\"}\n{\"fol";
        const auto state = sourceAt(path("bad.jsonl"), "/f", 10);
        QVERIFY(state && state->revision == "r");
        QVERIFY2(state->tree.empty() && state->problem.empty(), "lines of older versions have no snapshot");
    }
};

SWEEPSCOPE_TEST(TestSourceLog)
#include "tst_sourcelog.moc"
