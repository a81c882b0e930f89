#include "slurm/jobdesk.h"

#include "base/clock.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace sweepscope::slurm {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Time = steady_clock::time_point;

constexpr WallNs nanosecondsPerSecond = 1'000'000'000;
constexpr milliseconds firstPause = 10s;
constexpr milliseconds longestPause = 5min;
constexpr milliseconds betweenTries = 5s;
constexpr auto patienceWithThread = 1s;

struct Entry {
    explicit Entry(const std::string &name) : sight(name) {}

    std::optional<BatchJob> job{};  ///< if it may be submitted
    Settings settings{};
    JobSight sight;
    std::string id{};                 ///< of its job, once known
    std::optional<Time> submitted{};  ///< when the last call of sbatch ended, or may have been lost
    Time added = steady_clock::now();
    facts::Fact problem{};
    bool isRefused = false;
    bool isTooLarge = false;
    std::vector<std::string> signals{};
    bool isCancelled = false;  ///< no job of it is wanted
    bool cancels = false;      ///< still to be done
    bool isForgotten = false;
    Time tryAgain{};

    bool isToBegin() const { return job && !isRefused && !isCancelled && !isForgotten && id.empty(); }

    bool isSubmissionDue(Time now) const
    {
        if (!isToBegin())
            return false;
        const auto since =
            submitted ? std::optional(std::chrono::duration_cast<milliseconds>(now - *submitted)) : std::nullopt;
        return nextStep(since, sight) == SubmitStep::Submit;
    }

    bool isCommandDue(Time now) const { return !id.empty() && (cancels || !signals.empty()) && now >= tryAgain; }

    /// Nothing is left to do for it.
    bool isOver(Time now) const
    {
        if (!isForgotten)
            return false;
        if (!cancels)
            return true;
        if (const auto *seen = std::get_if<Job>(&sight.view()))
            return hasEnded(seen->state);
        if (!id.empty())
            return false;
        return !submitted
               || nextStep(std::chrono::duration_cast<milliseconds>(now - *submitted), sight) == SubmitStep::Submit;
    }

    /// There may be a job to ask for.
    bool isAsked() const { return submitted || !id.empty() || !job; }
};

}  // namespace

struct JobDesk::State {
    State(Runner runner, Settings settingsOfCluster, PollPolicy pollPolicy)
        : commands(std::move(runner)), policy(pollPolicy), settings(std::move(settingsOfCluster))
    {}

    void run();
    Time workOnce(std::unique_lock<std::mutex> &lock);
    Time nextPoll(Time now) const;
    void poll(std::unique_lock<std::mutex> &lock);
    void submit(std::unique_lock<std::mutex> &lock, const std::string &name);
    void command(std::unique_lock<std::mutex> &lock, const std::string &name);
    void askCluster(std::unique_lock<std::mutex> &lock);
    void postpone(const facts::Fact &why);

    Commands commands;
    const PollPolicy policy;
    mutable std::mutex mutex;  ///< guards what follows
    Settings settings;
    std::condition_variable wake;
    bool isEnding = false;
    bool isDone = false;
    std::map<std::string, Entry> entries;
    ClusterNews cluster;
    std::string problem;  ///< of the last question about the queue
    std::optional<Time> polled;
    milliseconds took{0};
    int failures = 0;
    bool hurries = false;
    std::int64_t asked = 0;
    Time submitsAgain{};  ///< Slurm takes no job before
    milliseconds pause{0};
    Time asksClusterAgain{};
};

void JobDesk::State::run()
{
    std::unique_lock lock(mutex);
    while (!isEnding) {
        const Time next = workOnce(lock);
        if (!isEnding && next > steady_clock::now())
            wake.wait_until(lock, next);
    }
    commands = Commands({});  // whatever runs programs ends on the thread that used it
    isDone = true;
    wake.notify_all();
}

/// Does what is most urgent, and returns when there is more to do.
Time JobDesk::State::workOnce(std::unique_lock<std::mutex> &lock)
{
    const Time now = steady_clock::now();
    std::erase_if(entries, [now](const auto &item) { return item.second.isOver(now); });
    if (!cluster.isKnown && now >= asksClusterAgain) {
        askCluster(lock);
        return now;
    }
    for (const auto &[name, entry] : entries) {
        if (entry.isCommandDue(now)) {
            command(lock, std::string(name));
            return now;
        }
    }
    if (nextPoll(now) <= now) {
        poll(lock);
        return now;
    }
    Time next = std::min(nextPoll(now), cluster.isKnown ? Time::max() : asksClusterAgain);
    for (const auto &[name, entry] : entries) {
        if (entry.isSubmissionDue(now) && now >= submitsAgain) {
            submit(lock, std::string(name));
            return now;
        }
        if (entry.isSubmissionDue(now))
            next = std::min(next, submitsAgain);
        if (entry.cancels || !entry.signals.empty())
            next = std::min(next, std::max(entry.tryAgain, now + 100ms));
    }
    return std::min(next, now + 60s);
}

Time JobDesk::State::nextPoll(Time now) const
{
    const auto jobs = std::ranges::count_if(entries, [](const auto &item) { return item.second.isAsked(); });
    if (jobs == 0)
        return Time::max();
    if (!polled)
        return now;
    const auto since = std::chrono::duration_cast<milliseconds>(now - *polled);
    return now + untilNextPoll({since, took, failures, hurries}, static_cast<int>(jobs), policy).value_or(0ms);
}

void JobDesk::State::poll(std::unique_lock<std::mutex> &lock)
{
    const Time began = steady_clock::now();
    hurries = false;
    lock.unlock();
    const Expected<std::vector<Job>> jobs = commands.queue();
    lock.lock();
    polled = steady_clock::now();
    took = std::chrono::duration_cast<milliseconds>(*polled - began);
    asked = wallNow() / nanosecondsPerSecond;
    failures = jobs ? 0 : failures + 1;
    problem = jobs ? std::string() : jobs.error().message;
    if (!jobs)
        return;
    for (auto &[name, entry] : entries) {
        if (entry.added > began || !entry.isAsked())
            continue;
        entry.sight.apply(*jobs);
        if (const auto *job = std::get_if<Job>(&entry.sight.view())) {
            entry.id = job->id;
            entry.problem = {};
        }
    }
}

/// Slurm takes no job at present: it is asked again later, and then more rarely.
void JobDesk::State::postpone(const facts::Fact &why)
{
    pause = std::clamp(2 * pause, firstPause, longestPause);
    submitsAgain = steady_clock::now() + pause;
    for (auto &[name, entry] : entries) {
        if (entry.job && !entry.submitted)
            entry.problem = why;
    }
}

void JobDesk::State::submit(std::unique_lock<std::mutex> &lock, const std::string &name)
{
    const BatchJob job = *entries.at(name).job;
    const Settings settingsOfJob = entries.at(name).settings;
    entries.at(name).submitted = steady_clock::now();
    lock.unlock();
    const SubmitAnswer answer = commands.submit(job, settingsOfJob);
    lock.lock();
    Entry &entry = entries.at(name);  // only this thread removes one
    entry.sight = JobSight(name);
    entry.submitted = steady_clock::now();
    entry.problem = {};
    hurries = true;
    if (const auto *accepted = std::get_if<Accepted>(&answer)) {
        entry.id = accepted->job;
        pause = 0ms;
        failures = 0;  // the controller answers
    } else if (const auto *refused = std::get_if<Refused>(&answer)) {
        entry.submitted.reset();
        entry.isRefused = true;
        entry.isTooLarge = refused->isTooLarge;
        entry.problem = refused->fact;
    } else if (const auto *postponed = std::get_if<Postponed>(&answer)) {
        entry.submitted.reset();
        postpone(postponed->fact);
    } else {
        entry.problem = std::get<Uncertain>(answer).fact;
        postpone(entry.problem);  // the next one would not be answered either
    }
}

void JobDesk::State::command(std::unique_lock<std::mutex> &lock, const std::string &name)
{
    Entry &entry = entries.at(name);
    const bool isCancel = entry.cancels;
    const std::string id = entry.id;
    const std::string signalName = isCancel ? std::string() : entry.signals.front();
    lock.unlock();
    const Expected<void> done = isCancel ? commands.cancel({id}) : commands.signal(id, signalName);
    lock.lock();
    Entry &after = entries.at(name);
    if (!done) {
        after.tryAgain = steady_clock::now() + betweenTries;
        return;
    }
    hurries = true;
    failures = 0;
    if (isCancel) {
        after.cancels = false;
        after.signals.clear();
    } else if (!after.signals.empty()) {
        after.signals.erase(after.signals.begin());
    }
}

void JobDesk::State::askCluster(std::unique_lock<std::mutex> &lock)
{
    const Settings before = settings;
    lock.unlock();
    const Expected<Partition> partition = commands.partition(before);
    lock.lock();
    asksClusterAgain = steady_clock::now() + firstPause;
    if (before != settings)
        return;
    using facts::Code;
    const bool isAnswer = partition || partition.error().code == ErrorCode::NotFound;
    cluster.isKnown = partition.has_value();
    cluster.hasGpus = partition && partition->gpus > 0;
    cluster.problem = partition ? facts::Fact()
                                : facts::Fact(isAnswer ? Code::ClusterUnsuitable : Code::ClusterUnreachable)
                                      .with(facts::Field::Detail, partition.error().message);
}

JobDesk::JobDesk(Runner runner, Settings settings, PollPolicy policy)
    : m_state(std::make_shared<State>(std::move(runner), std::move(settings), policy))
{
    std::thread([state = m_state] { state->run(); }).detach();
}

JobDesk::~JobDesk()
{
    std::unique_lock lock(m_state->mutex);
    m_state->isEnding = true;
    m_state->wake.notify_all();
    m_state->wake.wait_for(lock, patienceWithThread, [this] { return m_state->isDone; });
}

void JobDesk::useSettings(const Settings &settings)
{
    const std::scoped_lock lock(m_state->mutex);
    if (m_state->settings == settings)
        return;
    m_state->settings = settings;
    m_state->cluster.isKnown = false;
    m_state->asksClusterAgain = {};
    m_state->wake.notify_all();
}

void JobDesk::submit(BatchJob job, Settings settings, bool mayExist)
{
    const std::scoped_lock lock(m_state->mutex);
    const std::string name = job.name;
    Entry &entry = m_state->entries.try_emplace(name, name).first->second;
    entry.job = std::move(job);
    entry.settings = std::move(settings);
    if (mayExist)
        entry.submitted = steady_clock::now();
    m_state->hurries = m_state->hurries || mayExist;
    m_state->wake.notify_all();
}

void JobDesk::follow(const std::string &name)
{
    const std::scoped_lock lock(m_state->mutex);
    m_state->entries.try_emplace(name, name);
    m_state->hurries = true;
    m_state->wake.notify_all();
}

void JobDesk::forget(const std::string &name)
{
    const std::scoped_lock lock(m_state->mutex);
    const auto found = m_state->entries.find(name);
    if (found == m_state->entries.end())
        return;
    found->second.isForgotten = true;
    m_state->wake.notify_all();
}

JobNews JobDesk::newsOf(const std::string &name) const
{
    const std::scoped_lock lock(m_state->mutex);
    const auto found = m_state->entries.find(name);
    if (found == m_state->entries.end())
        return {};
    const Entry &entry = found->second;
    JobNews news{entry.sight.view(), entry.sight.jobs(), entry.problem,   entry.isRefused,
                 entry.isTooLarge,   entry.isToBegin(),  entry.isAsked(), m_state->asked};
    if (!news.problem && m_state->failures > 0)
        news.problem = facts::Fact(facts::Code::ClusterUnreachable).with(facts::Field::Detail, m_state->problem);
    return news;
}

ClusterNews JobDesk::cluster() const
{
    const std::scoped_lock lock(m_state->mutex);
    return m_state->cluster;
}

void JobDesk::hurry()
{
    const std::scoped_lock lock(m_state->mutex);
    m_state->hurries = true;
    m_state->wake.notify_all();
}

void JobDesk::retry()
{
    const std::scoped_lock lock(m_state->mutex);
    m_state->failures = 0;
    m_state->hurries = true;
    m_state->submitsAgain = {};
    m_state->pause = 0ms;
    m_state->asksClusterAgain = {};
    m_state->wake.notify_all();
}

void JobDesk::signal(const std::string &name, const std::string &signal)
{
    const std::scoped_lock lock(m_state->mutex);
    const auto found = m_state->entries.find(name);
    if (found == m_state->entries.end())
        return;
    found->second.signals.push_back(signal);
    m_state->wake.notify_all();
}

void JobDesk::cancel(const std::string &name)
{
    const std::scoped_lock lock(m_state->mutex);
    const auto found = m_state->entries.find(name);
    if (found == m_state->entries.end() || found->second.isCancelled)
        return;
    found->second.isCancelled = true;
    found->second.cancels = true;
    m_state->wake.notify_all();
}

}  // namespace sweepscope::slurm
