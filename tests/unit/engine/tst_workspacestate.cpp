#include "testprogram.h"

#include "engine/workspacestate.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <filesystem>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace Qt::StringLiterals;

class TestWorkspaceState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stateFollowsFromLockAndDatabase_data()
    {
        QTest::addColumn<FilePlace>("lock");
        QTest::addColumn<FilePlace>("database");
        QTest::addColumn<WorkspaceState>("expected");
        const FilePlace here;
        const FilePlace moved{false, true, "/elsewhere/file"};
        const FilePlace deleted{false, false};
        QTest::newRow("all here") << here << here << WorkspaceState::Here;
        QTest::newRow("lock deleted") << deleted << here << WorkspaceState::Here;
        QTest::newRow("database deleted") << here << deleted << WorkspaceState::NoDatabase;
        QTest::newRow("database renamed") << here << moved << WorkspaceState::NoDatabase;
        QTest::newRow("moved") << moved << moved << WorkspaceState::Elsewhere;
        QTest::newRow("moved without its lock") << deleted << moved << WorkspaceState::Elsewhere;
        QTest::newRow("deleted") << deleted << deleted << WorkspaceState::Deleted;
    }
    void stateFollowsFromLockAndDatabase()
    {
        QFETCH(const FilePlace, lock);
        QFETCH(const FilePlace, database);
        QFETCH(const WorkspaceState, expected);
        QCOMPARE(workspaceState(lock, database), expected);
        QCOMPARE(!workspaceProblem(expected, "/ws", lock, database), expected == WorkspaceState::Here);
    }

    void pathOfAFileFollowsItsMoves()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(u"file"_s).toStdString();
        const std::filesystem::path other = folder.filePath(u"other"_s).toStdString();
        const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        QVERIFY(file);
        QVERIFY(placeOf(file, path).isHere);
        std::filesystem::rename(path, other);
        const FilePlace moved = placeOf(file, path);
        QVERIFY(!moved.isHere);
        QVERIFY(moved.hasName);
        QCOMPARE(moved.path, other.string());
        std::filesystem::rename(other, path);
        QVERIFY(placeOf(file, path).isHere);
        std::filesystem::remove(path);
        QVERIFY(!placeOf(file, path).hasName);
    }
};

Q_DECLARE_METATYPE(sweepscope::engine::FilePlace)
SWEEPSCOPE_TEST(TestWorkspaceState)
#include "tst_workspacestate.moc"
