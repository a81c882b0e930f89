#include "testprogram.h"

#include "feed/feedreader.h"
#include "node/devicesampler.h"
#include "node/feedtrimming.h"
#include "schedule/leasefolder.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <map>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::engine;

namespace {

constexpr int readingsAtOnce = 200;

/// A core whose utilisation is the number of the reading.
class CountingSource : public device::Source {
public:
    explicit CountingSource(std::atomic<int> &readings) : m_readings(readings) {}
    std::vector<device::Device> devices() override { return {}; }
    std::vector<device::DeviceReading> sample() override
    {
        std::vector<device::DeviceReading> readings(readingsAtOnce);
        for (device::DeviceReading &reading : readings) {
            reading.deviceId = "cpu:0";
            // relaxed: only a counter
            reading.reading.utilizationPercent = m_readings.fetch_add(1, std::memory_order_relaxed);
        }
        return readings;
    }
    std::string note() const override { return {}; }

private:
    std::atomic<int> &m_readings;
};

/// A GPU with a condition and with expensive readings.
class TalkingSource : public device::Source {
public:
    std::vector<device::Device> devices() override { return {}; }
    std::vector<device::DeviceReading> sample() override
    {
        m_cost.cpu += std::chrono::milliseconds(3);
        device::Reading reading;
        reading.simulated = 1;
        reading.powerLimitWatt = 700;
        reading.processes = {{{4711, "anna", "python3", 1000}}};
        return {{"GPU-a", reading}};
    }
    std::string note() const override { return "a note"; }
    facts::Facts conditions() const override { return {facts::Code::GpuLost}; }
    device::SamplingCost cost() const override { return m_cost; }

private:
    device::SamplingCost m_cost;
};

/// A GPU that reports its limit only the first time, and its load always.
class SparingSource : public device::Source {
public:
    std::vector<device::Device> devices() override { return {}; }
    std::vector<device::DeviceReading> sample() override
    {
        device::Reading reading;
        reading.utilizationPercent = ++m_count;
        if (m_count == 1)
            reading.powerLimitWatt = 700;
        return {{"GPU-a", reading}};
    }
    std::string note() const override { return {}; }

private:
    int m_count = 0;
};

struct Content : feed::RecordVisitor {
    std::map<std::uint16_t, std::string> names;
    std::string units;
    std::vector<double> values;
    std::map<std::string, std::vector<double>> all;
    std::string id;
    void preamble(const feed::Preamble &preamble) override { id = preamble.attemptId; }
    void series(const feed::SeriesDeclaration &declaration) override
    {
        names[declaration.id] = declaration.name;
        units += declaration.unit;
    }
    void point(const feed::Point &point) override
    {
        all[names.at(point.series)].push_back(point.value);
        if (names.at(point.series) == "cpu:0.utilization")
            values.push_back(point.value);
    }
};

Content contentOf(const std::filesystem::path &file)
{
    Content content;
    feed::FeedReader reader(file, {});
    for (;;) {
        const auto records = reader.poll(content);
        if (!records)
            qFatal("%s", records.error().message.c_str());
        if (*records == 0)
            return content;
    }
}

}  // namespace

class TestDeviceSampler : public QObject {
    Q_OBJECT

    std::filesystem::path file() const { return m_folder->filePath(QStringLiteral("host/devices.feed")).toStdString(); }
    std::uintmax_t size() const
    {
        std::error_code error;
        const auto bytes = std::filesystem::file_size(file(), error);
        return error ? 0 : bytes;
    }
    Expected<std::unique_ptr<node::DeviceSampler>> start(node::FeedLimits limits)
    {
        std::vector<std::unique_ptr<device::Source>> sources;
        sources.push_back(std::make_unique<CountingSource>(m_readings));
        return node::DeviceSampler::start(std::move(sources), file(), wallNow, std::chrono::milliseconds(1), limits);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::atomic<int> m_readings{0};

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_readings = 0;
    }

    void nothingIsReadWhileNothingRuns()
    {
        auto sampler = start({});
        QVERIFY(sampler.has_value());
        QCOMPARE(m_readings.load(), 0);
        (*sampler)->setSampling(true);
        QVERIFY(QTest::qWaitFor([&] { return m_readings.load() > 3 * readingsAtOnce; }, 30'000));
        sampler->reset();
        const Content content = contentOf(file());
        QCOMPARE(content.id, std::string("devices"));
        QVERIFY2(content.values.front() == readingsAtOnce, "the first reading, of the time before, is nobody's load");
    }

    void conditionsArePassedOnAndTheCostOfReadingsIsWritten()
    {
        qputenv("SWEEPSCOPE_LEASE_FOLDER", m_folder->filePath(QStringLiteral("leases")).toUtf8());
        schedule::LeaseFolder leases(schedule::LeaseFolder::ofThisMachine(), "/home/anna/runs");
        auto taking = leases.begin();
        QVERIFY(taking);
        auto lease = (*taking)->take("GPU-a", false);
        QVERIFY(lease);
        leases.sign(*lease, ::getpid(), {"digits", 3});
        taking->reset();
        std::vector<std::unique_ptr<device::Source>> sources;
        sources.push_back(std::make_unique<TalkingSource>());
        auto sampler = node::DeviceSampler::start(std::move(sources), file(), wallNow, std::chrono::milliseconds(10));
        QVERIFY(sampler.has_value());
        QVERIFY(!(*sampler)->remarks());
        (*sampler)->setSampling(true);
        QVERIFY(QTest::qWaitFor([&] { return contentOf(file()).all.count("monitor.cpu") == 1; }, 60'000));
        const node::DeviceRemarks remarks = (*sampler)->remarks().value();
        sampler->reset();
        qunsetenv("SWEEPSCOPE_LEASE_FOLDER");
        QCOMPARE(remarks.note, std::string("a note"));
        QVERIFY(remarks.conditions == facts::Facts{facts::Code::GpuLost});
        QCOMPARE(remarks.leases.at("GPU-a").because.at(0).text(facts::Field::Workspace),
                 std::string("/home/anna/runs"));
        QCOMPARE(remarks.processes.at("GPU-a").front().user.value(), std::string("anna"));
        const Content content = contentOf(file());
        QVERIFY2(content.all.at("monitor.cpu").front() > 0, "at least what the source says of itself");
        QCOMPARE(content.all.at("GPU-a.simulated").front(), 1.0);
        QCOMPARE(content.all.at("GPU-a.power_limit").front(), 700.0);
        QVERIFY2(content.all.count("GPU-a.utilization") == 0, "what is not known is not written");
    }

    void firstReadingWritesLimitsButNoLoad()
    {
        std::vector<std::unique_ptr<device::Source>> sources;
        sources.push_back(std::make_unique<SparingSource>());
        auto sampler = node::DeviceSampler::start(std::move(sources), file(), wallNow, std::chrono::milliseconds(1));
        QVERIFY(sampler.has_value());
        (*sampler)->setSampling(true);
        QVERIFY(QTest::qWaitFor([&] { return contentOf(file()).all.count("GPU-a.utilization") == 1; }, 60'000));
        sampler->reset();
        const Content content = contentOf(file());
        QCOMPARE(content.all.at("GPU-a.power_limit"), std::vector<double>{700});
        QCOMPARE(content.all.at("GPU-a.utilization").front(), 2.0);
    }

    void fileIsKeptWithinItsLimitWhileASweepRuns()
    {
        auto sampler = start({500'000, 200'000});
        QVERIFY(sampler.has_value());
        (*sampler)->setSampling(true);
        std::uintmax_t largest = 0;
        double first = 0;
        for (int look = 0; look < 2; ++look) {
            // It is trimmed once, then a second time.
            QVERIFY(QTest::qWaitFor(
                [&] {
                    largest = std::max(largest, size());
                    const std::vector<double> values = contentOf(file()).values;
                    return !values.empty() && values.front() > first + 2 * readingsAtOnce;
                },
                60'000));
            first = contentOf(file()).values.front();
        }
        QVERIFY2(largest < 500'000 + 100'000, "a reading more than the limit at most");
        (*sampler)->setSampling(false);
        const double before = contentOf(file()).values.back();
        (*sampler)->setSampling(true);
        QVERIFY(QTest::qWaitFor([&] { return contentOf(file()).values.back() > before + 1; }, 30'000));
        sampler->reset();
        const std::vector<double> values = contentOf(file()).values;
        QVERIFY2(values.front() > 100, "the older part is gone");
        for (std::size_t i = 1; i < values.size(); ++i)
            QVERIFY2(values[i] > values[i - 1], "and the rest is whole and in its order");
    }

    void fileThatCannotBeTrimmedIsAppendedTo()
    {
        // A folder blocks the name of the trimmed copy.
        std::filesystem::create_directories(file().string() + ".shorter/kept");
        auto sampler = start({500'000, 200'000});
        QVERIFY(sampler.has_value());
        (*sampler)->setSampling(true);
        QVERIFY(QTest::qWaitFor([&] { return size() > 700'000; }, 60'000));
        std::filesystem::remove_all(file().string() + ".shorter");
        QVERIFY(QTest::qWaitFor([&] { return size() < 500'000; }, 60'000));
        sampler->reset();
        QVERIFY(contentOf(file()).values.front() > 100);
    }

    void largeFileOfAnEarlierEngineIsTrimmedAtTheStart()
    {
        std::filesystem::create_directories(file().parent_path());
        {
            auto log = feed::LogWriter::open(file(), {-1, 0, 5, "devices"});
            QVERIFY(log.has_value());
            const auto series = log->declare("cpu:0.utilization", "%");
            for (int i = 0; i < 100'000; ++i)
                log->write(series, i, i, i);
            QVERIFY(log->flush().has_value());
        }
        QVERIFY(node::trimFeed(file(), 2'300'000, 1'000'000).has_value());
        const Content content = contentOf(file());
        QCOMPARE(content.units, std::string("%"));
        QCOMPARE(content.values.back(), 99'999.0);
        QVERIFY(content.values.front() > 0 && content.values.size() < 50'000);
        QCOMPARE(content.values.back() - content.values.front() + 1, static_cast<double>(content.values.size()));
        const auto now = size();
        QVERIFY(node::trimFeed(file(), 2'300'000, 1'000'000).has_value());
        QCOMPARE(size(), now);
        QVERIFY2(node::trimFeed(m_folder->filePath(QStringLiteral("none")).toStdString(), 1, 1).has_value(),
                 "a file that is not there is small enough");
    }
};

SWEEPSCOPE_TEST(TestDeviceSampler)
#include "tst_devicesampler.moc"
