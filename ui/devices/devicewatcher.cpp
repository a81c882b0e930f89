#include "ui/devices/devicewatcher.h"

#include "schedule/leasefolder.h"
#include "wording/sentence.h"

#include <chrono>
#include <optional>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr auto interval = 1s;
constexpr auto leaseInterval = 5s;
/// A page that comes to the front shows something before a long history is read.
constexpr std::uint64_t bytesAtOnce = 64 * 1024 * 1024;

}  // namespace

/// Lives in the reading thread.
class DeviceWatcher::Reader : public QObject {
public:
    void open(const std::filesystem::path &file) { m_readings.emplace(file); }

    std::shared_ptr<const DeviceReadings> answer(const std::vector<std::string> &gpus)
    {
        if (!m_readings)
            return nullptr;
        m_readings->poll(bytesAtOnce);
        lookAtLeases(gpus);
        auto readings = std::make_shared<DeviceReadings>(m_readings->readings());
        readings->leases = m_leases;
        return readings;
    }

private:
    /// Seldom: whoever looks is in the way of who takes one, for a moment. Where it cannot be told, nothing is said.
    void lookAtLeases(const std::vector<std::string> &gpus)
    {
        const auto now = std::chrono::steady_clock::now();
        if (gpus == m_gpus && now < m_nextLook)
            return;
        m_gpus = gpus;
        m_nextLook = now + leaseInterval;
        m_leases.clear();
        if (gpus.empty())
            return;
        const auto leases = schedule::LeaseFolder::look(schedule::LeaseFolder::ofThisMachine(), gpus);
        if (!leases)
            return;
        for (const auto &[gpu, holders] : *leases)
            m_leases[gpu] = wording::clause(schedule::leasedTo(holders));
    }

    std::vector<std::string> m_gpus;
    std::map<std::string, std::string, std::less<>> m_leases;
    std::chrono::steady_clock::time_point m_nextLook{};
    std::optional<RecentReadings> m_readings;
};

DeviceWatcher::DeviceWatcher(QObject *parent) : QObject(parent), m_reader(new Reader)
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
    m_file = file;
    ++m_generation;
    QMetaObject::invokeMethod(m_reader, [reader = m_reader, file] { reader->open(file); });
    if (m_timer.isActive())
        tick();
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
    if (m_asked)
        return;
    m_asked = true;
    QMetaObject::invokeMethod(m_reader, [this, reader = m_reader, gpus = m_gpus, generation = m_generation] {
        std::shared_ptr<const DeviceReadings> readings = reader->answer(gpus);
        // The destructor waits for this thread, so `this` is there; the call is dropped if it goes before it is
        // delivered.
        QMetaObject::invokeMethod(this, [this, generation, readings = std::move(readings)] {
            m_asked = false;
            if (readings && generation == m_generation)
                Q_EMIT readingsReady(readings);
            if (m_timer.isActive() && (generation != m_generation || (readings && !readings->isWhole)))
                tick();
        });
    });
}

}  // namespace sweepscope::ui
