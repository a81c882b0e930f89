#include "machinefixture.h"
#include "testprogram.h"
#include "ui/devices/devicecard.h"
#include "ui/devices/devicewatcher.h"
#include "ui/devices/recordeddevices.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

/// Past readings of the devices.
class DeviceReadingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emptyBeforeTheFirstReading()
    {
        AttemptFixture attempt(1);
        const auto readings = readingsOf(attempt);
        QVERIFY(readings);
        QCOMPARE(readings->newest, WallNs(0));
        QVERIFY(!readings->find(gpuId, "utilization"));
        QVERIFY(!readings->now(gpuId, "utilization"));
    }

    void newestValueIsKeptAndOldOnesAreDropped()
    {
        AttemptFixture attempt(1);
        for (int i = 0; i <= 400; ++i)
            attempt.device(gpuId + ".utilization", start + i * second, i % 100);
        attempt.flush();
        const auto readings = readingsOf(attempt);
        QVERIFY(readings);
        QCOMPARE(readings->newest, start + 400 * second);
        QCOMPARE(readings->now(gpuId, "utilization"), std::optional(0.0));
        const DeviceReadings::Trace *trace = readings->find(gpuId, "utilization");
        QVERIFY(trace);
        QCOMPARE(trace->size(), std::size_t(301));
        QCOMPARE(trace->front().time, readings->newest - recentSpan);
    }

    void readingsRevealUnlistedDevices()
    {
        AttemptFixture attempt(1);
        for (const char *series : {"cpu:10.utilization", "cpu:9.utilization", "monitor.cpu"})
            attempt.device(series, start, 10);
        attempt.device(gpuId + ".utilization", start, 80);
        attempt.device(gpuId + ".memory_total", start, 140e9, "B");
        attempt.device(gpuId + ".simulated", start, 1);
        attempt.flush();
        const auto readings = readingsOf(attempt);
        QVERIFY(readings);
        const std::vector<protocol::DeviceStatus> devices = recordedDevices(*readings);
        QCOMPARE(devices.size(), std::size_t(3));
        QVERIFY(devices[0].gpu && devices[0].simulated);
        QCOMPARE(devices[0].memoryBytes, 140e9);
        QCOMPARE(devices[1].id, u"cpu:9"_s);
        QCOMPARE(devices[2].index, 10);

        // They are not reported as free, because their use is unknown.
        DeviceCard card;
        card.showDevice(devices[0]);
        QCOMPARE(text(card, u"deviceUse"_s), u"Unknown"_s);
        QCOMPARE(text(card, u"holders"_s), u"unknown"_s);
        QCOMPARE(text(card, u"processes"_s), u"unknown"_s);
        QVERIFY(recordedDevices(DeviceReadings()).empty());
    }

    void valuesNoLongerReadAreUnknown()
    {
        AttemptFixture attempt(1);
        attempt.device(gpuId + ".utilization", start, 80);
        attempt.device(gpuId + ".memory_total", start, 140e9, "B");
        attempt.device("cpu:0.utilization", start + 60 * second, 10);
        attempt.flush();
        const auto readings = readingsOf(attempt);
        QVERIFY(readings);
        QVERIFY2(!readings->now(gpuId, "utilization"), "a minute old");
        QCOMPARE(readings->now(gpuId, "memory_total"), std::optional(140e9));
        QCOMPARE(readings->now("cpu:0", "utilization"), std::optional(10.0));
    }

    void deviceNamesMayHaveDots()
    {
        AttemptFixture attempt(1);
        attempt.device("amd:0000:03:00.0.power", start, 200, "W");
        attempt.flush();
        QCOMPARE(readingsOf(attempt)->now("amd:0000:03:00.0", "power"), std::optional(200.0));
    }

    void watcherReportsNewReadings()
    {
        AttemptFixture attempt(1);
        attempt.device(gpuId + ".power", start, 300, "W");
        attempt.flush();
        DeviceWatcher watcher;
        std::shared_ptr<const DeviceReadings> told;
        connect(&watcher, &DeviceWatcher::readingsReady, this, [&told](const auto &readings) { told = readings; });
        watcher.setFile(attempt.devicesFeed());
        watcher.setActive(true);
        QTRY_VERIFY(told && told->now(gpuId, "power") == 300);
        attempt.device(gpuId + ".power", start + second, 310, "W");
        attempt.flush();
        QTRY_VERIFY(told->now(gpuId, "power") == 310);
        watcher.setFile(attempt.source().folder / "none.feed");
        QTRY_VERIFY(told->newest == 0);
    }
};

SWEEPSCOPE_TEST(DeviceReadingsTest)
#include "tst_devicereadings.moc"
