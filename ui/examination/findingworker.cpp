#include "ui/examination/findingworker.h"

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr Clock::duration liveInterval = 5s;
constexpr Clock::duration backgroundInterval = 60s;
constexpr int atOnceInBackground = 8;  ///< ended attempts
constexpr int restPerWork = 9;

}  // namespace

/// Lives in the worker thread.
class FindingWorker::Reader : public QObject {
public:
    void open(const WorkspaceLayout &workspace) { m_examiner.emplace(workspace); }
    ExaminedAttempt examine(const diagnosis::AttemptPlace &place) { return m_examiner->examine(place, wallNow()); }

private:
    std::optional<AttemptExaminer> m_examiner;
};

FindingWorker::FindingWorker(QObject *parent) : QObject(parent), m_reader(new Reader)
{
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("diagnosis"));
    m_thread.start(QThread::LowPriority);
    m_again.setInterval(1s);
    connect(&m_again, &QTimer::timeout, this, &FindingWorker::examineNext);
}

FindingWorker::~FindingWorker()
{
    m_thread.quit();
    m_thread.wait();
}

void FindingWorker::clear()
{
    m_sweep = {};
    clearTrials();
}

void FindingWorker::clearTrials()
{
    m_places.clear();
    m_done.clear();
    m_runningNotBefore = {};
    m_olderNotBefore = {};
    ++m_generation;
}

void FindingWorker::setSweep(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep)
{
    const bool same = workspace.root == m_workspace.root && sweep.folder == m_sweep.folder;
    if (!same)
        clear();
    m_sweep = sweep;
    m_workspace = workspace;
    if (!same)
        QMetaObject::invokeMethod(m_reader, [reader = m_reader, workspace] { reader->open(workspace); });
}

void FindingWorker::setTrials(const std::vector<sweep::TrialRecord> &trials)
{
    for (diagnosis::AttemptPlace &place : diagnosis::attemptsOf(m_workspace, m_sweep, trials)) {
        const Key key(place.trial, place.attempt);
        const auto known = m_places.find(key);
        const auto isReported = [](const diagnosis::AttemptPlace &one) {
            return one.objective && one.objective->isReported;
        };
        if (known != m_places.end() && isReported(known->second) != isReported(place))
            m_done.erase(key);  // another objective, or values read from the output
        m_places.insert_or_assign(key, std::move(place));
    }
    examineNext();
}

void FindingWorker::setActive(bool active)
{
    m_active = active;
    active ? m_again.start() : m_again.stop();
    examineNext();
}

void FindingWorker::setBackground(bool background)
{
    m_background = background;
    m_again.setInterval(background ? 10s : 1s);
    examineNext();
}

/// Returns the running attempt that was examined longest ago, if it is due; otherwise the newest one not examined since
/// it ended. In the background, older ones take a tenth of the time.
std::optional<diagnosis::AttemptPlace> FindingWorker::next() const
{
    const auto now = Clock::now();
    const diagnosis::AttemptPlace *running = nullptr;
    const diagnosis::AttemptPlace *ended = nullptr;
    const Clock::duration interval = m_background ? backgroundInterval : liveInterval;
    int allEnded = 0;
    Clock::time_point longest = Clock::time_point::max();
    for (auto one = m_places.rbegin(); one != m_places.rend(); ++one) {
        const auto &[key, place] = *one;
        const auto done = m_done.find(key);
        if (place.isRunning) {
            const Clock::time_point looked = done == m_done.end() ? Clock::time_point::min() : done->second.at;
            if (looked < longest && (done == m_done.end() || now - looked >= interval)) {
                running = &place;
                longest = looked;
            }
        } else if (++allEnded; !ended && (done == m_done.end() || !done->second.hadEnded)) {
            if (!m_background || allEnded <= atOnceInBackground || now >= m_olderNotBefore)
                ended = &place;
        }
    }
    const diagnosis::AttemptPlace *chosen = running && now >= m_runningNotBefore ? running : ended;
    return chosen ? std::optional(*chosen) : std::nullopt;
}

void FindingWorker::examineNext()
{
    if (m_requested || !m_active)
        return;
    const std::optional<diagnosis::AttemptPlace> place = next();
    if (!place)
        return;
    m_requested = true;
    QMetaObject::invokeMethod(m_reader, [this, reader = m_reader, place = *place, generation = m_generation] {
        const auto began = Clock::now();
        auto examined = std::make_shared<const ExaminedAttempt>(reader->examine(place));
        const std::chrono::nanoseconds took = Clock::now() - began;
        // The destructor waits for this thread, so `this` is alive; Qt drops a queued call when `this` is destroyed.
        QMetaObject::invokeMethod(this, [this, generation, place, took, examined = std::move(examined)] {
            m_requested = false;
            if (generation == m_generation)
                storeResult(place, examined, took);
            examineNext();
        });
    });
}

void FindingWorker::storeResult(const diagnosis::AttemptPlace &place,
                                const std::shared_ptr<const ExaminedAttempt> &examined, std::chrono::nanoseconds took)
{
    const auto now = Clock::now();
    m_done[Key(place.trial, place.attempt)] = {now, !place.isRunning};
    if (place.isRunning) {
        m_runningNotBefore = now + restPerWork * took;
    } else if (m_background) {
        m_olderNotBefore = now + restPerWork * took;
        QTimer::singleShot(std::chrono::ceil<std::chrono::milliseconds>(restPerWork * took), this,
                           &FindingWorker::examineNext);
    }
    Q_EMIT attemptExamined(examined);
}

}  // namespace sweepscope::ui
