#include "testprogram.h"

#include "engine/parentcheckpoint.h"

#include "base/files.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sys/stat.h>

using namespace sweepscope;
using namespace sweepscope::engine;

class TestParentCheckpoint : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    const WorkspaceLayout m_workspace{m_folder.filePath(QStringLiteral("ws")).toStdString()};
    const std::string m_sweep = "0001-s";
    std::atomic<bool> m_cancelled = false;

    std::filesystem::path checkpoint(int attempt) const
    {
        return m_workspace.attempt(m_sweep, 3, attempt).checkpointFolder();
    }
    void save(int attempt, const char *name, const char *content) const
    {
        const std::filesystem::path file = checkpoint(attempt) / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << content;
    }
    tl::expected<void, facts::Fact> copy(int child = 8) const
    {
        return copyParentCheckpoint(m_workspace, m_sweep, 3, child, m_cancelled);
    }
    std::string copied(const char *name) const
    {
        return readFile(m_workspace.parentCheckpoint(m_sweep, 8) / name, 1 << 20).value_or("missing");
    }

private Q_SLOTS:
    void newestCheckpointIsCopied()
    {
        QCOMPARE(copy().error().code, facts::Code::CheckpointAwaited);
        std::filesystem::create_directories(checkpoint(1));
        QCOMPARE(copy().error().code, facts::Code::CheckpointAwaited);
        QCOMPARE(copy().error().integer(facts::Field::Trial), 3);
        save(2, "last.pt", "old");
        save(10, "last.pt", "new");
        save(10, "step_5/shard-0", "part");
        std::filesystem::create_symlink("step_5", checkpoint(10) / "latest");
        ::mkfifo((checkpoint(10) / "pipe").c_str(), 0600);
        std::filesystem::create_directories(checkpoint(11));
        save(12, "last.pt.tmp", "unfinished");
        save(12, "step_9.tmp/shard-0", "unfinished");
        QVERIFY(copy());
        QCOMPARE(copied("last.pt"), std::string("new"));
        QCOMPARE(copied("latest/shard-0"), std::string("part"));
        QVERIFY(!std::filesystem::exists(m_workspace.parentCheckpoint(m_sweep, 8) / "pipe"));
        save(10, "last.pt", "overwritten in place");
        QCOMPARE(copied("last.pt"), std::string("new"));
    }

    void checkpointOfAnEndedTrialIsLinked()
    {
        save(10, "last.pt", "new");
        QVERIFY(linkParentCheckpoint(m_workspace, m_sweep, 3, 7).has_value());
        QVERIFY(std::filesystem::equivalent(m_workspace.parentCheckpoint(m_sweep, 7) / "last.pt",
                                            checkpoint(10) / "last.pt"));
        const auto refused = linkParentCheckpoint(m_workspace, m_sweep, 4, 7);
        QCOMPARE(refused.error().text(facts::Field::Detail), std::string("trial 4 has saved no checkpoint"));
    }

    void endedWaitLeavesNothing()
    {
        save(10, "last.pt", "new");
        m_cancelled = true;
        QCOMPARE(copy().error().code, facts::Code::CheckpointAwaited);
        m_cancelled = false;
    }

    void linkAloneIsACheckpoint()
    {
        std::filesystem::remove_all(m_workspace.trialFolder(m_sweep, 3));
        std::filesystem::create_directories(checkpoint(1));
        std::filesystem::create_symlink("/scratch/model", checkpoint(1) / "last.pt");
        QVERIFY(copy());
        QVERIFY(std::filesystem::is_symlink(m_workspace.parentCheckpoint(m_sweep, 8) / "last.pt"));
    }

    void anotherCopyTakesItsPlace()
    {
        std::filesystem::remove_all(m_workspace.trialFolder(m_sweep, 3));
        save(1, "model", "x");
        QVERIFY(copy());
        QCOMPARE(copied("model"), std::string("x"));
        QCOMPARE(copied("last.pt"), std::string("missing"));
    }

    void deletedSweepIsNotCreatedAgain()
    {
        save(1, "model", "x");
        const auto refused = copyParentCheckpoint(m_workspace, m_sweep + "-deleted", 3, 8, m_cancelled);
        QCOMPARE(refused.error().code, facts::Code::CheckpointAwaited);
        QVERIFY(!std::filesystem::exists(m_workspace.sweepFolder(m_sweep + "-deleted")));
    }

    void failureSaysWhy()
    {
        save(1, "model", "x");
        std::filesystem::create_directories(m_workspace.trialFolder(m_sweep, 9).parent_path());
        std::ofstream(m_workspace.trialFolder(m_sweep, 9)) << "no folder";
        const auto refused = copy(9);
        QCOMPARE(refused.error().code, facts::Code::CheckpointNotCopied);
        QVERIFY(!refused.error().text(facts::Field::Detail).empty());
    }
};

SWEEPSCOPE_TEST(TestParentCheckpoint)
#include "tst_parentcheckpoint.moc"
