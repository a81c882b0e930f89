#include "engine/searchthread.h"

#include <utility>

namespace sweepscope::engine {

SearchThread::SearchThread(Callback callback) : m_callback(std::move(callback)), m_thread([this] { work(); }) {}

SearchThread::~SearchThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void SearchThread::request(SuggestionRequest request)
{
    add(std::move(request));
}

void SearchThread::remove(std::int64_t sweepId)
{
    add(sweepId);
}

void SearchThread::add(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_changed.notify_all();
}

void SearchThread::work()
{
    SuggestionDesk desk;
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_ending || !m_jobs.empty(); });
        if (m_ending)
            return;
        Job job = std::move(m_jobs.front());
        m_jobs.pop_front();
        lock.unlock();
        if (auto *request = std::get_if<SuggestionRequest>(&job))
            m_callback(desk.answer(std::move(*request)));
        else
            desk.remove(std::get<std::int64_t>(job));
    }
}

}  // namespace sweepscope::engine
