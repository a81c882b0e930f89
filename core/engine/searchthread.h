#pragma once

#include "engine/suggestiondesk.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

namespace sweepscope::engine {

/// Chooses points on separate threads: among 100,000 trials a choice takes longer than the event loop may be blocked. A
/// search that asks another program or copies checkpoints gets its own thread, because an answer may take minutes.
class SearchThread : public Suggester {
public:
    /// Called on the thread that chooses.
    using Callback = std::function<void(SuggestionAnswer answer)>;

    SearchThread(WorkspaceLayout workspace, Callback callback);
    /// Waits for the choice that is being made, but not for another program.
    ~SearchThread() override;
    SearchThread(const SearchThread &) = delete;
    SearchThread &operator=(const SearchThread &) = delete;

    void request(SuggestionRequest request) override;
    void remove(std::int64_t sweepId) override;

private:
    using Job = std::variant<SuggestionRequest, std::int64_t>;  ///< a sweep's id: remove it

    struct Worker {
        std::deque<Job> jobs;
        std::atomic<bool> isEnding = false;
        std::atomic<bool> hasEnded = false;
        std::thread thread;
    };

    std::unique_ptr<Worker> start();
    void add(Worker &worker, Job job);
    void work(Worker &worker);
    void copyCheckpoint(SuggestionAnswer &answer, const std::string &sweepFolder,
                        const std::atomic<bool> &cancelled) const;
    /// Ends a worker without waiting for it.
    void retire(std::unique_ptr<Worker> worker);

    WorkspaceLayout m_workspace;
    Callback m_callback;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::unique_ptr<Worker> m_own;
    std::map<std::int64_t, std::unique_ptr<Worker>> m_slow;  ///< by sweep
    std::vector<std::unique_ptr<Worker>> m_retired;
};

}  // namespace sweepscope::engine
