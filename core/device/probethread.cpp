#include "device/probethread.h"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace sweepscope::device {

namespace {

using std::chrono::steady_clock;

/// A job that took long rests for three times as long: then the driver is busy with us for a quarter of the time.
constexpr int restFactor = 3;
constexpr std::chrono::seconds longestRest{30};
constexpr std::chrono::seconds longestGoodbye{1};

std::chrono::nanoseconds threadCpuTime()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

struct Resting {
    ProbeThread::Stuck stuck;
    SteadyTime until;
};

}  // namespace

struct ProbeThread::Worker {
    CallMeter meter;
    // The rest is guarded by the state's mutex, but the work itself, which only the worker calls.
    Job job;
    bool busy = false;
    bool ended = false;
    bool leftBehind = false;
    std::string stuckCall;
    SteadyTime stuckSince;
    std::chrono::nanoseconds cpu{0};
};

struct ProbeThread::State {
    mutable std::mutex mutex;
    std::condition_variable wake;  ///< of the worker
    std::condition_variable done;  ///< of who waits for it
    std::deque<Job> queue;
    std::shared_ptr<Worker> worker;
    std::vector<std::shared_ptr<Worker>> leftBehind;
    std::map<std::string, Resting> resting;
    SamplingCost past;  ///< of workers that have ended
    bool ending = false;

    bool takes(const std::string &key, SteadyTime now) const
    {
        const auto is = [&key](const auto &other) { return other->busy && other->job.key == key; };
        const auto rest = resting.find(key);
        return !is(worker) && std::none_of(leftBehind.begin(), leftBehind.end(), is)
               && std::none_of(queue.begin(), queue.end(), [&key](const Job &job) { return job.key == key; })
               && (rest == resting.end() || rest->second.until <= now);
    }

    void rest(const Worker &late, std::chrono::nanoseconds took)
    {
        const std::chrono::nanoseconds pause = std::min<std::chrono::nanoseconds>(took * restFactor, longestRest);
        resting[late.job.key] = {{late.job.key, late.stuckCall, took, true}, steady_clock::now() + pause};
    }
};

namespace {

void add(SamplingCost &cost, std::chrono::nanoseconds cpu, const CallMeter::Totals &totals)
{
    cost.cpu += cpu;
    cost.calling += totals.calling;
    cost.calls += totals.calls;
    if (totals.slowest > cost.slowest) {
        cost.slowest = totals.slowest;
        cost.slowestCall = totals.slowestCall;
    }
}

}  // namespace

ProbeThread::ProbeThread() : m_state(std::make_shared<State>())
{
    const std::lock_guard lock(m_state->mutex);
    startWorker();
}

ProbeThread::~ProbeThread()
{
    std::unique_lock lock(m_state->mutex);
    m_state->ending = true;
    m_state->queue.clear();
    m_state->wake.notify_all();
    // Left to itself after that: it ends when its call comes back.
    const std::shared_ptr<Worker> worker = m_state->worker;
    m_state->done.wait_for(lock, longestGoodbye, [&worker] { return worker->ended; });
}

/// With the mutex held.
void ProbeThread::startWorker()
{
    m_state->worker = std::make_shared<Worker>();
    // Detached: joining a hung thread would block forever. It shares ownership of everything it uses.
    std::thread(&ProbeThread::work, m_state, m_state->worker).detach();
}

void ProbeThread::run(std::vector<Job> jobs, std::chrono::milliseconds patience)
{
    const SteadyTime deadline = steady_clock::now() + patience;
    std::unique_lock lock(m_state->mutex);
    for (Job &job : jobs) {
        if (m_state->takes(job.key, steady_clock::now()))
            m_state->queue.push_back(std::move(job));
    }
    m_state->wake.notify_one();
    while (m_state->worker->busy || !m_state->queue.empty()) {
        if (leaveBehindIfStuck())
            continue;
        const SteadyTime now = steady_clock::now();
        if (now >= deadline)
            return;
        m_state->done.wait_until(lock, std::min(deadline, now + std::chrono::milliseconds(20)));
    }
}

/// With the mutex held.
bool ProbeThread::leaveBehindIfStuck()
{
    const std::shared_ptr<Worker> worker = m_state->worker;
    if (!worker->busy || steady_clock::now() - worker->meter.running().since < worker->job.callLimit)
        return false;
    const CallMeter::Running running = worker->meter.running();
    worker->meter.abandon();
    worker->leftBehind = true;
    worker->stuckCall = running.call != nullptr ? running.call : "";
    worker->stuckSince = running.since;
    m_state->leftBehind.push_back(worker);
    startWorker();
    return true;
}

void ProbeThread::work(const std::shared_ptr<State> &state, const std::shared_ptr<Worker> &self)
{
    std::unique_lock lock(state->mutex);
    while (!state->ending && !self->leftBehind) {
        if (state->queue.empty()) {
            state->wake.wait(lock);
            continue;
        }
        self->job = std::move(state->queue.front());
        state->queue.pop_front();
        self->busy = true;
        self->meter.beginJob();
        const SteadyTime begun = steady_clock::now();
        lock.unlock();
        self->job.work(self->meter);
        self->job.work = nullptr;  // destroying its captures may make calls: not under the mutex
        lock.lock();
        self->busy = false;
        self->cpu = threadCpuTime();
        if (self->leftBehind)
            state->rest(*self, steady_clock::now() - begun);
        state->done.notify_all();
    }
    add(state->past, self->cpu, self->meter.totals());
    std::erase(state->leftBehind, self);
    self->ended = true;
    state->done.notify_all();
}

std::vector<ProbeThread::Stuck> ProbeThread::stuck() const
{
    const SteadyTime now = steady_clock::now();
    const std::lock_guard lock(m_state->mutex);
    std::vector<Stuck> found;
    for (const auto &worker : m_state->leftBehind) {
        if (worker->busy)
            found.push_back({worker->job.key, worker->stuckCall, now - worker->stuckSince, false});
    }
    for (const auto &[key, resting] : m_state->resting) {
        if (resting.until > now)
            found.push_back(resting.stuck);
    }
    return found;
}

SamplingCost ProbeThread::cost() const
{
    const std::lock_guard lock(m_state->mutex);
    SamplingCost cost = m_state->past;
    for (const auto &worker : m_state->leftBehind)
        add(cost, worker->cpu, worker->meter.totals());
    if (!m_state->worker->ended)
        add(cost, m_state->worker->cpu, m_state->worker->meter.totals());
    return cost;
}

}  // namespace sweepscope::device
