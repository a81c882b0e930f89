#include "engine/searchthread.h"

#include "engine/parentcheckpoint.h"

#include <utility>

namespace sweepscope::engine {

SearchThread::SearchThread(WorkspaceLayout workspace, Callback callback)
    : m_workspace(std::move(workspace)), m_callback(std::move(callback)), m_own(start())
{}

SearchThread::~SearchThread()
{
    retire(std::move(m_own));
    for (auto &[sweep, worker] : m_slow)
        retire(std::move(worker));
    for (const std::unique_ptr<Worker> &worker : m_retired)
        worker->thread.join();
}

void SearchThread::request(SuggestionRequest request)
{
    const std::int64_t sweep = request.sweepId;
    const std::optional<search::Method> method =
        request.spec ? std::optional(search::methodOf(*request.spec)) : std::nullopt;
    if (method == search::Method::Command || method == search::Method::Pbt) {
        std::unique_ptr<Worker> &worker = m_slow[sweep];
        if (worker && method == search::Method::Command)  // the program of the old definition may never answer
            retire(std::move(worker));
        if (!worker)
            worker = start();
    }
    const auto found = m_slow.find(sweep);
    add(found != m_slow.end() ? *found->second : *m_own, std::move(request));
}

void SearchThread::remove(std::int64_t sweepId)
{
    const auto found = m_slow.find(sweepId);
    if (found == m_slow.end())
        return add(*m_own, sweepId);
    retire(std::move(found->second));
    m_slow.erase(found);
}

std::unique_ptr<SearchThread::Worker> SearchThread::start()
{
    auto worker = std::make_unique<Worker>();
    worker->thread = std::thread([this, &worker = *worker] { work(worker); });
    return worker;
}

void SearchThread::retire(std::unique_ptr<Worker> worker)
{
    {
        const std::lock_guard lock(m_mutex);
        worker->isEnding = true;
    }
    m_changed.notify_all();
    m_retired.push_back(std::move(worker));
    std::erase_if(m_retired, [](const std::unique_ptr<Worker> &retired) {
        if (retired->hasEnded)
            retired->thread.join();
        return !retired->thread.joinable();
    });
}

void SearchThread::add(Worker &worker, Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        worker.jobs.push_back(std::move(job));
    }
    m_changed.notify_all();
}

/// Before the transaction that adds the trial, so that no trial lacks what it continues from.
void SearchThread::copyCheckpoint(SuggestionAnswer &answer, const std::string &sweepFolder,
                                  const std::atomic<bool> &cancelled) const
{
    const std::optional<int> parent = answer.point ? sweep::parentOf(answer.point->why) : std::nullopt;
    if (!parent)
        return;
    if (auto copied = copyParentCheckpoint(m_workspace, sweepFolder, *parent, answer.number, cancelled); !copied)
        answer.point = tl::unexpected(std::move(copied.error()));
}

void SearchThread::work(Worker &worker)
{
    SuggestionDesk desk(m_workspace, worker.isEnding);
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return worker.isEnding || !worker.jobs.empty(); });
        if (worker.isEnding)
            break;
        Job job = std::move(worker.jobs.front());
        worker.jobs.pop_front();
        lock.unlock();
        if (auto *request = std::get_if<SuggestionRequest>(&job)) {
            const std::string folder = request->sweepFolder;
            SuggestionAnswer answer = desk.answer(std::move(*request));
            copyCheckpoint(answer, folder, worker.isEnding);
            if (worker.isEnding)
                answer.inputs.definition = -1;  // out of date: it may be no answer but the end of the wait
            m_callback(std::move(answer));
        } else {
            desk.remove(std::get<std::int64_t>(job));
        }
    }
    worker.hasEnded = true;
}

}  // namespace sweepscope::engine
