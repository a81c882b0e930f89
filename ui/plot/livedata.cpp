#include "ui/plot/livedata.h"

#include "ui/plot/chartfeeds.h"
#include "ui/plot/comparedfeeds.h"
#include "ui/plot/curvepicture.h"
#include "ui/plot/overviewfeeds.h"

#include <QFileSystemWatcher>

#include <algorithm>
#include <chrono>
#include <functional>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr auto frameInterval = 40ms;
constexpr auto overviewInterval = 1s;
constexpr auto idleInterval = 250ms;
/// After this many polls without data, files are watched instead.
constexpr int pollsBeforeSleep = 2;

}  // namespace

/// Lives in the reading thread.
class LiveData::Reader : public QObject {
public:
    void open(const std::vector<TrialSource> &sources, Kind kind, quint64 generation)
    {
        if (m_feeds && m_generation == generation) {
            m_feeds->updateSources(sources);
        } else {
            switch (kind) {
            case Kind::Attempt:
                m_feeds = std::make_unique<ChartFeeds>(sources);
                break;
            case Kind::Compared:
                m_feeds = std::make_unique<ComparedFeeds>(sources);
                break;
            case Kind::Overview:
                m_feeds = std::make_unique<OverviewFeeds>(sources);
                break;
            }
            m_generation = generation;
        }
        m_fresh = true;
    }

    void close()
    {
        m_feeds.reset();
        m_watcher.reset();
    }

    /// Watches files; returns whether every change will be notified, so that polling can stop. Writes into a rank's
    /// ring cause no notification.
    bool watch(const std::function<void()> &changed)
    {
        m_watcher = std::make_unique<QFileSystemWatcher>();
        connect(m_watcher.get(), &QFileSystemWatcher::fileChanged, this, changed);
        connect(m_watcher.get(), &QFileSystemWatcher::directoryChanged, this, changed);
        const QStringList files = m_feeds ? m_feeds->watchedFiles() : QStringList();
        const bool all = (files.isEmpty() || m_watcher->addPaths(files).isEmpty()) && !(m_feeds && m_feeds->hasRings());
        if (!all)
            m_watcher.reset();
        return all;
    }
    void unwatch() { m_watcher.reset(); }

    /// Null if the picture would be the same as the last one.
    std::shared_ptr<const PlotFrame> answer(const PlotRequest &request)
    {
        if (!m_feeds)
            return nullptr;
        const bool changed = m_feeds->poll();
        if (!changed && !m_fresh && request == m_lastRequest)
            return nullptr;
        m_fresh = false;
        m_lastRequest = request;
        auto frame = std::make_shared<PlotFrame>(m_feeds->frame(request));
        m_pictures.draw(*frame, request);
        frame->generation = m_generation;
        return frame;
    }

private:
    std::unique_ptr<PlotFeeds> m_feeds;
    PictureMaker m_pictures;
    std::unique_ptr<QFileSystemWatcher> m_watcher;
    PlotRequest m_lastRequest;
    quint64 m_generation = 0;
    bool m_fresh = false;
};

LiveData::LiveData(QObject *parent) : QObject(parent), m_reader(new Reader), m_interval(frameInterval)
{
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("live-feeds"));
    m_thread.start();
    m_timer.setInterval(m_interval);
    connect(&m_timer, &QTimer::timeout, this, &LiveData::tick);
}

LiveData::~LiveData()
{
    m_thread.quit();
    m_thread.wait();
}

void LiveData::setOverview()
{
    m_kind = Kind::Overview;
    m_interval = overviewInterval;
}

/// Whether the sources continue the current ones, so that earlier frames stay valid.
bool LiveData::continues(const std::vector<TrialSource> &sources) const
{
    switch (m_kind) {
    case Kind::Attempt:
        return sources.front().sameFiles(m_sources->front());
    case Kind::Compared:
    case Kind::Overview:
        break;
    }
    return true;
}

void LiveData::setSources(const std::vector<TrialSource> &sources)
{
    if (sources.empty()) {
        clearSource();
        return;
    }
    if (m_generation > 0 && sources == *m_sources)
        return;
    if (m_generation == 0 || !continues(sources))
        ++m_generation;
    m_sources = std::make_shared<std::vector<TrialSource>>(sources);
    QMetaObject::invokeMethod(m_reader, [reader = m_reader, shared = m_sources, kind = m_kind,
                                         generation = m_generation] { reader->open(*shared, kind, generation); });
    wakeUp();
    if (m_active && m_kind == Kind::Overview)
        tick();  // do not wait for its slow timer
}

void LiveData::clearSource()
{
    ++m_generation;
    m_sources = std::make_shared<std::vector<TrialSource>>(1, TrialSource());
    QMetaObject::invokeMethod(m_reader, [reader = m_reader] { reader->close(); });
}

void LiveData::setRequest(const PlotRequest &request)
{
    if (request == m_request)
        return;
    m_request = request;
    m_requestChanged = true;
    if (m_active) {
        tick();
        wakeUp();
    }
}

void LiveData::setActive(bool active)
{
    m_active = active;
    wakeUp();
}

/// Stops the timer; a changed file, another source or another request starts it again.
void LiveData::fallAsleep()
{
    m_asleep = true;
    m_timer.stop();
    const auto changed = [this] { QMetaObject::invokeMethod(this, &LiveData::wakeUp); };
    QMetaObject::invokeMethod(m_reader, [this, changed, reader = m_reader] {
        // Poll once more for changes made before the watch.
        const bool watched = reader->watch(changed);
        QMetaObject::invokeMethod(this, [this, watched] {
            if (watched)
                tick();
            else
                stayAwake();
        });
    });
}

/// Not all files can be watched.
void LiveData::stayAwake()
{
    m_asleep = false;
    m_idlePolls = -pollsBeforeSleep;
    if (m_active)
        m_timer.start();
}

void LiveData::wakeUp()
{
    if (m_asleep)
        QMetaObject::invokeMethod(m_reader, [reader = m_reader] { reader->unwatch(); });
    m_asleep = false;
    m_idlePolls = 0;
    m_timer.setInterval(m_interval);
    if (m_active)
        m_timer.start();
    else
        m_timer.stop();
}

void LiveData::tick()
{
    if (m_requested)
        return;
    m_requested = true;
    m_requestChanged = false;
    QMetaObject::invokeMethod(m_reader, [this, reader = m_reader, request = m_request] {
        std::shared_ptr<const PlotFrame> frame = reader->answer(request);
        // The destructor waits for this thread, so `this` is alive; Qt drops a queued call when `this` is destroyed.
        QMetaObject::invokeMethod(this, [this, frame = std::move(frame)] { answered(frame); });
    });
}

void LiveData::answered(const std::shared_ptr<const PlotFrame> &frame)
{
    m_requested = false;
    if (frame) {
        if (m_asleep)
            wakeUp();
        m_idlePolls = 0;
        m_timer.setInterval(m_interval);
    } else if (!m_asleep) {
        m_idlePolls += m_timer.intervalAsDuration() >= idleInterval ? 1 : 0;
        m_timer.setInterval(
            std::clamp<std::chrono::milliseconds>(2 * m_timer.intervalAsDuration(), m_interval,
                                                  std::max<std::chrono::milliseconds>(m_interval, idleInterval)));
        if (m_active && m_idlePolls >= pollsBeforeSleep)
            fallAsleep();
    }
    if (frame && frame->generation == m_generation)
        Q_EMIT frameReady(frame);
    if (!frame)
        Q_EMIT nothingNew();
    if (m_requestChanged && m_active)
        tick();
}

}  // namespace sweepscope::ui
