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
    for (Workers *const workers : {&m_slow, &m_pruning}) {
        for (auto &[sweep, worker] : *workers)
            retire(std::move(worker));
    }
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

void SearchThread::request(VerdictRequest request)
{
    if (request.spec)  // the program of the old definition may never answer
        retire(m_pruning, request.sweepId);
    std::unique_ptr<Worker> &worker = m_pruning[request.sweepId];
    if (!worker)
        worker = start();
    add(*worker, std::move(request));
}

void SearchThread::remove(std::int64_t sweepId)
{
    retire(m_slow, sweepId);
    retire(m_pruning, sweepId);
    add(*m_own, sweepId);
}

void SearchThread::retire(Workers &workers, std::int64_t sweep)
{
    if (const auto found = workers.find(sweep); found != workers.end()) {
        retire(std::move(found->second));
        workers.erase(found);
    }
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
    VerdictDesk verdicts(worker.isEnding);
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
        } else if (auto *question = std::get_if<VerdictRequest>(&job)) {
            VerdictAnswer answer = verdicts.answer(std::move(*question));
            if (!worker.isEnding)
                m_callback(std::move(answer));
        } else {
            desk.remove(std::get<std::int64_t>(job));
        }
    }
    worker.hasEnded = true;
}

}  // namespace sweepscope::engine
