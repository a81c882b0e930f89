#include "engine/searchthread.h"

#include <utility>

namespace sweepscope::engine {

SearchThread::SearchThread(Callback callback)
    : m_callback(std::move(callback)),
      m_thread([this] { work(m_jobs); }),
      m_threadOfCommands([this] { work(m_jobsOfCommands); })
{}

SearchThread::~SearchThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    m_thread.join();
    m_threadOfCommands.join();
}

void SearchThread::request(SuggestionRequest request)
{
    if (request.spec && search::methodOf(*request.spec) == search::Method::Command)
        m_asksCommand.insert(request.sweepId);
    Jobs &jobs = m_asksCommand.contains(request.sweepId) ? m_jobsOfCommands : m_jobs;
    add(jobs, std::move(request));
}

void SearchThread::remove(std::int64_t sweepId)
{
    add(m_asksCommand.erase(sweepId) != 0 ? m_jobsOfCommands : m_jobs, sweepId);
}

void SearchThread::add(Jobs &jobs, Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        jobs.push_back(std::move(job));
    }
    m_changed.notify_all();
}

void SearchThread::work(Jobs &jobs)
{
    SuggestionDesk desk(m_ending);
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_ending || !jobs.empty(); });
        if (m_ending)
            return;
        Job job = std::move(jobs.front());
        jobs.pop_front();
        lock.unlock();
        if (auto *request = std::get_if<SuggestionRequest>(&job))
            m_callback(desk.answer(std::move(*request)));
        else
            desk.remove(std::get<std::int64_t>(job));
    }
}

}  // namespace sweepscope::engine
