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

    void eachNewStatusIsALineAndAttemptsFindTheirs()
    {
        std::filesystem::create_directory(path("code"));
        std::ofstream(path("code") / "train.py") << "one";
        git({QStringLiteral("init"), QStringLiteral("-q"), QStringLiteral("-b"), QStringLiteral("topic")});
        git({QStringLiteral("add"), QStringLiteral("train.py")});
        git({QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("-m"), QStringLiteral("one")});

        SourceLog log;
        log.record(path("sources.jsonl"), path("code"), 100 * second);
        log.record(path("sources.jsonl"), path("code"), 100 * second);  // the first check still runs
        QTRY_COMPARE_WITH_TIMEOUT(lines(), 1U, 30'000);
        std::ofstream(path("code") / "train.py") << "changed";
        log.record(path("sources.jsonl"), path("code"), 105 * second);  // too soon after the last check
        log.record(path("sources.jsonl"), path("code"), 111 * second);
        QTRY_COMPARE_WITH_TIMEOUT(lines(), 2U, 30'000);

        const auto first = sourceAt(path("sources.jsonl"), path("code"), 110 * second);
        QVERIFY(first && first->revision.size() == 40 && first->branch == "topic" && !first->isChanged);
        const auto later = sourceAt(path("sources.jsonl"), path("code"), 111 * second);
        QVERIFY(later && later->revision == first->revision && later->isChanged);
        QVERIFY(!sourceAt(path("sources.jsonl"), path("code"), 99 * second));
        QVERIFY(!sourceAt(path("sources.jsonl"), path("other"), 111 * second));
        QVERIFY(!sourceAt(path("none.jsonl"), path("code"), 111 * second));
    }

    void folderWithoutARepositoryIsRecorded()
    {
        std::filesystem::create_directory(path("plain"));
        SourceLog log;
        log.record(path("plain.jsonl"), path("plain"), 100 * second);
        QTRY_VERIFY_WITH_TIMEOUT(sourceAt(path("plain.jsonl"), path("plain"), 100 * second).has_value(), 30'000);
        QVERIFY(sourceAt(path("plain.jsonl"), path("plain"), 100 * second)->revision.empty());
    }

    void damagedLinesAreIgnored()
    {
        std::ofstream(path("bad.jsonl"))
            << "{\n[]\n{\"folder\":\"/f\"}\n{\"folder\":\"/f\",\"time_ns\":5,\"revision\":\"r\"}\n{\"fol";
        const auto state = sourceAt(path("bad.jsonl"), "/f", 10);
        QVERIFY(state && state->revision == "r");
    }
};

SWEEPSCOPE_TEST(TestSourceLog)
#include "tst_sourcelog.moc"
