#include "testprogram.h"
#include "unit/engine/samplevalues.h"

#include "engine/diskwatch.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::engine;

namespace {

constexpr std::uint64_t mebibyte = 1024 * 1024;
constexpr std::uint64_t large = 200 * 1024 * mebibyte;

}  // namespace

class TestDiskWatch : public QObject {
    Q_OBJECT

    std::optional<DiskSpace> m_space;
    int m_probes = 0;
    DiskWatch watch()
    {
        return DiskWatch("/ws", [this](const std::filesystem::path &) {
            ++m_probes;
            return m_space;
        });
    }

private Q_SLOTS:
    void levelFollowsTheFreeSpace()
    {
        DiskWatch disk = watch();
        m_space = {large, large};
        QVERIFY(!disk.poll(second));
        QVERIFY(!disk.warning());
        m_space->freeBytes = 100 * mebibyte;
        QVERIFY(disk.poll(10 * second));
        QVERIFY(disk.level() == DiskWatch::Level::Low);
        QVERIFY(disk.warning().code == facts::Code::DiskNearlyFull);
        QCOMPARE(disk.warning().text(facts::Field::Device), std::string("/ws"));
        m_space->freeBytes = mebibyte;
        QVERIFY(disk.poll(20 * second));
        QVERIFY(disk.level() == DiskWatch::Level::Full);
        QVERIFY(disk.warning().code == facts::Code::DiskExhausted);
        QVERIFY2(!disk.poll(30 * second), "nothing new");
        m_space->freeBytes = large / 2;
        QVERIFY(disk.poll(40 * second));
        QVERIFY(!disk.warning());
    }

    void smallDiskIsNotAlwaysLow()
    {
        DiskWatch disk = watch();
        m_space = {4 * mebibyte, 8 * mebibyte};
        QVERIFY(!disk.poll(second));
        m_space->freeBytes = 0;
        QVERIFY(disk.poll(10 * second));
        QVERIFY(disk.level() == DiskWatch::Level::Full);
    }

    void diskIsNotCheckedAtEveryTick()
    {
        m_probes = 0;
        DiskWatch disk = watch();
        m_space = {large, large};
        for (int tenth = 0; tenth < 50; ++tenth)
            disk.poll(tenth * second / 10);
        QVERIFY2(m_probes <= 3, qPrintable(QString::number(m_probes)));
        disk.poll(-1000 * second);  // the clock was set back
        QVERIFY(disk.level() == DiskWatch::Level::Enough);
    }

    void unknownFreeSpaceGivesNoWarning()
    {
        DiskWatch disk = watch();
        m_space.reset();
        QVERIFY(!disk.poll(second));
        QVERIFY(disk.level() == DiskWatch::Level::Enough);
    }

    void realDiskIsRead()
    {
        const auto space = diskSpaceOf("/");
        QVERIFY(space && space->totalBytes > 0 && space->freeBytes <= space->totalBytes);
        QVERIFY(!diskSpaceOf("/no/such/folder"));
    }
};

SWEEPSCOPE_TEST(TestDiskWatch)
#include "tst_diskwatch.moc"
