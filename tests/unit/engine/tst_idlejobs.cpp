#include "testprogram.h"

#include "engine/idlejobs.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace std::chrono_literals;

namespace {

constexpr WallNs second = 1'000'000'000;
constexpr WallNs wall = 1'000'000 * second;
const schedule::JobSize oneGpu{1, 1, 4};

IdleJob jobWith(const std::string &name, std::chrono::seconds took, std::chrono::seconds left)
{
    return {name, "7", oneGpu, "/home/ann/1", {}, took, wall + std::chrono::nanoseconds(left).count()};
}

}  // namespace

class TestIdleJobs : public QObject {
    Q_OBJECT

    const std::chrono::steady_clock::time_point m_now = std::chrono::steady_clock::now();

private Q_SLOTS:
    void aJobIsTakenOnce()
    {
        IdleJobs jobs;
        jobs.add(jobWith("a", 30s, 1h), m_now);
        const auto job = jobs.take(oneGpu, 2min, wall, m_now + 1s);
        QVERIFY(job.has_value());
        QCOMPARE(job->name, std::string("a"));
        QVERIFY(!jobs.take(oneGpu, 2min, wall, m_now + 1s));
    }

    void aJobOfAnotherSizeIsNotTaken()
    {
        IdleJobs jobs;
        jobs.add(jobWith("a", 30s, 1h), m_now);
        QVERIFY(!jobs.take({1, 2, 4}, 2min, wall, m_now));
        QVERIFY(!jobs.take({1, 1, 8}, 2min, wall, m_now));
    }

    void itMustHaveTimeForAnotherAttempt()
    {
        IdleJobs jobs;
        jobs.add(jobWith("short of time", 5min, 11min), m_now);
        QVERIFY(!jobs.take(oneGpu, 2min, wall, m_now));
        jobs.add(jobWith("even for a short one", 1s, 2min), m_now);
        QVERIFY(!jobs.take(oneGpu, 2min, wall, m_now));
        jobs.add(jobWith("enough", 5min, 12min), m_now);
        QCOMPARE(jobs.take(oneGpu, 2min, wall, m_now)->name, std::string("enough"));
    }

    void itDoesNotWaitForLong()
    {
        IdleJobs jobs;
        jobs.add(jobWith("a", 30s, 1h), m_now);
        QVERIFY(!jobs.take(oneGpu, 2min, wall, m_now + 6s));
    }
};

SWEEPSCOPE_TEST(TestIdleJobs)
#include "tst_idlejobs.moc"
