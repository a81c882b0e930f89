#pragma once

#include "engine/suggestiondesk.h"
#include "engine/verdictdesk.h"

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
/// search that asks another program or copies checkpoints gets its own thread, because an answer may take minutes, and
/// so does each pruning program.
class SearchThread : public Suggester {
public:
    using Answer = std::variant<SuggestionAnswer, VerdictAnswer>;
    /// Called on the thread that has the answer.
    using Callback = std::function<void(Answer answer)>;

    SearchThread(WorkspaceLayout workspace, Callback callback);
    /// Waits for the choice that is being made, but not for another program.
    ~SearchThread() override;
    SearchThread(const SearchThread &) = delete;
    SearchThread &operator=(const SearchThread &) = delete;

    void request(SuggestionRequest request) override;
    void request(VerdictRequest request) override;
    void remove(std::int64_t sweepId) override;

private:
    struct Worker;
    using Job = std::variant<SuggestionRequest, VerdictRequest, std::int64_t>;  ///< a sweep's id: remove it
    using Workers = std::map<std::int64_t, std::unique_ptr<Worker>>;            ///< by sweep

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
    void retire(Workers &workers, std::int64_t sweep);

    WorkspaceLayout m_workspace;
    Callback m_callback;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::unique_ptr<Worker> m_own;
    Workers m_slow;     ///< of searches
    Workers m_pruning;  ///< of pruning programs
    std::vector<std::unique_ptr<Worker>> m_retired;
};

}  // namespace sweepscope::engine
