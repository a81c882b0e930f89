#include "testprogram.h"

#include "engine/enginelock.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <ctime>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::engine;

/// Only one engine runs per workspace, however the previous one ended.
class TestEngineLock : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }
    void secondEngineGetsTheHolderOfTheLock()
    {
        const std::filesystem::path lockFile = m_folder->filePath(QStringLiteral("engine.lock")).toStdString();
        auto first = EngineLock::acquire(lockFile);
        QVERIFY(first.has_value());
        const auto second = EngineLock::acquire(lockFile);
        QVERIFY(!second.has_value());
        QVERIFY(second.error().code == ErrorCode::AlreadyExists);
        QVERIFY(second.error().message.find(std::to_string(::getpid())) != std::string::npos);
        {
            const EngineLock released = std::move(*first);
        }
        QVERIFY(EngineLock::acquire(lockFile).has_value());
    }

    void engineKilledWhileStartingAnAgentReleasesItsLock()
    {
        const std::filesystem::path lockFile = m_folder->filePath(QStringLiteral("killed.lock")).toStdString();
        const pid_t killed = ::_Fork();
        if (killed == 0) {
            const auto held = EngineLock::acquire(lockFile);
            if (::_Fork() == 0) {  // shares the lock for a moment, like an agent before its exec
                ::usleep(300'000);
                ::_exit(0);
            }
            ::_exit(held ? 0 : 1);
        }
        // It has ended but has not been waited for, so it is still in the process table.
        siginfo_t info{};
        QCOMPARE(::waitid(P_PID, static_cast<id_t>(killed), &info, WEXITED | WNOWAIT), 0);
        QCOMPARE(info.si_status, 0);
        const auto next = EngineLock::acquire(lockFile);
        QVERIFY2(next.has_value(), next ? "" : next.error().message.c_str());
        ::waitpid(killed, nullptr, 0);
    }

    void lockStillHeldByADeadEnginesChildIsWaitedFor()
    {
        const std::filesystem::path lockFile = m_folder->filePath(QStringLiteral("engine.lock")).toStdString();
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const pid_t engine = ::fork();
        if (engine == 0) {
            auto lock = EngineLock::acquire(lockFile);
            if (::fork() == 0) {  // an agent between fork and exec
                ::close(ends[0]);
                (void)!::write(ends[1], "x", 1);
                ::close(ends[1]);
                const timespec pause{0, 300'000'000};
                ::nanosleep(&pause, nullptr);
            }
            ::_exit(lock ? 0 : 1);
        }
        ::close(ends[1]);
        char byte = 0;
        QCOMPARE(::read(ends[0], &byte, 1), 1);
        ::close(ends[0]);
        int status = -1;
        ::waitpid(engine, &status, 0);
        QCOMPARE(status, 0);
        const auto next = EngineLock::acquire(lockFile);
        QVERIFY2(next.has_value(), next ? "" : next.error().message.c_str());
    }
};

SWEEPSCOPE_TEST(TestEngineLock)
#include "tst_enginelock.moc"
