#include "ui/devices/devicewatcher.h"

#include "feed/feedreader.h"

#include <chrono>
#include <optional>
#include <unordered_map>
#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr auto interval = 1s;
/// A page that comes to the front shows something before a long history is read.
constexpr std::uint64_t bytesAtOnce = 64 * 1024 * 1024;

}  // namespace

/// Lives in the reading thread.
class DeviceWatcher::Reader : public QObject, private feed::RecordVisitor {
public:
    void open(const std::filesystem::path &file)
    {
        m_file = file;
        m_feed.emplace(file, std::filesystem::path());
        m_series.clear();
        m_readings = {};
    }

    std::shared_ptr<const DeviceReadings> poll()
    {
        if (!m_feed)
            return nullptr;
        auto records = m_feed->poll(*this, bytesAtOnce);
        if (records && *records == 0 && m_feed->isReplaced()) {  // by its newer half
            open(m_file);
            records = m_feed->poll(*this, bytesAtOnce);
        }
        m_readings.problem = records ? std::string() : records.error().message;
        m_readings.isWhole = !records || *records == 0;
        m_readings.clockOffset = m_clockOffset;
        return std::make_shared<DeviceReadings>(m_readings);
    }

    void setClockOffset(WallNs offset) { m_clockOffset = offset; }

private:
    void series(const feed::SeriesDeclaration &declaration) override
    {
        m_series.erase(declaration.id);
        const std::size_t dot = declaration.name.rfind('.');  // ids of devices have dots as well
        if (dot != std::string::npos)
            m_series[declaration.id] = {declaration.name.substr(0, dot), declaration.name.substr(dot + 1)};
    }

    void point(const feed::Point &point) override
    {
        if (const auto series = m_series.find(point.series); series != m_series.end())
            m_readings.add(series->second.first, series->second.second, {point.timeNs, point.value});
    }

    std::filesystem::path m_file;
    std::optional<feed::FeedReader> m_feed;
    std::unordered_map<std::uint16_t, std::pair<std::string, std::string>> m_series;  ///< device and quantity
    DeviceReadings m_readings;
    WallNs m_clockOffset = 0;
};

DeviceWatcher::DeviceWatcher(QObject *parent)
    : QObject(parent), m_reader(new Reader), m_readings(std::make_shared<DeviceReadings>())
{
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("device-feed"));
    m_thread.start();
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &DeviceWatcher::tick);
}

DeviceWatcher::~DeviceWatcher()
{
    m_thread.quit();
    m_thread.wait();
}

void DeviceWatcher::setFile(const std::filesystem::path &file)
{
    if (file == m_file)
        return;
    const bool wasSet = !m_file.empty();
    m_file = file;
    ++m_generation;
    if (wasSet) {
        m_readings = std::make_shared<DeviceReadings>();
        Q_EMIT readingsReady(m_readings);
    }
    QMetaObject::invokeMethod(m_reader, [reader = m_reader, file] { reader->open(file); });
    if (m_timer.isActive())
        tick();
}

void DeviceWatcher::setClockOffset(WallNs offset)
{
    if (std::exchange(m_clockOffset, offset) != offset)
        QMetaObject::invokeMethod(m_reader, [reader = m_reader, offset] { reader->setClockOffset(offset); });
}

void DeviceWatcher::setActive(bool active)
{
    if (active == m_timer.isActive())
        return;
    if (!active) {
        m_timer.stop();
        return;
    }
    m_timer.start();
    tick();
}

void DeviceWatcher::tick()
{
    if (m_requested)
        return;
    m_requested = true;
    QMetaObject::invokeMethod(m_reader, [this, reader = m_reader, generation = m_generation] {
        std::shared_ptr<const DeviceReadings> readings = reader->poll();
        // The destructor waits for this thread, so `this` is there; the call is dropped if it goes before it is
        // delivered.
        QMetaObject::invokeMethod(this, [this, generation, readings = std::move(readings)] {
            m_requested = false;
            if (readings && generation == m_generation) {
                m_readings = readings;
                Q_EMIT readingsReady(readings);
            }
            if (m_timer.isActive() && (generation != m_generation || (readings && !readings->isWhole)))
                tick();
        });
    });
}

}  // namespace sweepscope::ui
