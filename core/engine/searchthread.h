#pragma once

#include "engine/suggestiondesk.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <variant>

namespace sweepscope::engine {

/// Chooses points on separate threads: among 100,000 trials a choice takes longer than the event loop may be blocked.
/// Searches that ask another program have a thread of their own, because an answer may take minutes.
class SearchThread : public Suggester {
public:
    /// Called on the thread that chooses.
    using Callback = std::function<void(SuggestionAnswer answer)>;

    explicit SearchThread(Callback callback);
    /// Waits for the choice that is being made, but not for another program.
    ~SearchThread() override;
    SearchThread(const SearchThread &) = delete;
    SearchThread &operator=(const SearchThread &) = delete;

    void request(SuggestionRequest request) override;
    void remove(std::int64_t sweepId) override;

private:
    using Job = std::variant<SuggestionRequest, std::int64_t>;  ///< a sweep's id: remove it
    using Jobs = std::deque<Job>;

    void add(Jobs &jobs, Job job);
    void work(Jobs &jobs);

    Callback m_callback;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    Jobs m_jobs;
    Jobs m_jobsOfCommands;
    std::set<std::int64_t> m_asksCommand;  ///< sweeps
    std::atomic<bool> m_ending = false;
    std::thread m_thread;  ///< this and the next are the last members: they use the others
    std::thread m_threadOfCommands;
};

}  // namespace sweepscope::engine
