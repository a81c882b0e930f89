#pragma once

#include "engine/suggestiondesk.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <variant>

namespace sweepscope::engine {

/// Chooses points on a separate thread: among 100,000 trials a choice takes longer than the event loop may be blocked.
class SearchThread : public Suggester {
public:
    /// Called on the thread that chooses.
    using Callback = std::function<void(SuggestionAnswer answer)>;

    explicit SearchThread(Callback callback);
    /// Waits for the choice that is being made.
    ~SearchThread() override;
    SearchThread(const SearchThread &) = delete;
    SearchThread &operator=(const SearchThread &) = delete;

    void request(SuggestionRequest request) override;
    void remove(std::int64_t sweepId) override;

private:
    using Job = std::variant<SuggestionRequest, std::int64_t>;  ///< a sweep's id: remove it

    void add(Job job);
    void work();

    Callback m_callback;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Job> m_jobs;
    bool m_ending = false;
    std::thread m_thread;  ///< the last member: it uses the others
};

}  // namespace sweepscope::engine
