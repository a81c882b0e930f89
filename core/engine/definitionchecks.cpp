#include "engine/definitionchecks.h"

#include <QThread>

#include <utility>

namespace sweepscope::engine {

namespace {
constexpr unsigned long longestGoodbyeMs = 1000;
}

struct DefinitionChecks::Job {
    Check check;
    QPointer<QObject> client;
    Done done;
    CheckResult result;  ///< written by the thread, read once it has finished
};

DefinitionChecks::DefinitionChecks(std::chrono::milliseconds limit)
{
    m_limit.setSingleShot(true);
    m_limit.setInterval(limit);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        end(m_running, tl::unexpected(std::vector<sweep::Problem>{
                           {"", "this definition takes too long to check: use fewer values or simpler constraints, and "
                                "make sure that its folders are accessible"}}));
    });
}

DefinitionChecks::~DefinitionChecks()
{
    // A thread that runs longer owns everything it uses, and ends with the process.
    if (m_thread != nullptr && m_thread->wait(longestGoodbyeMs))
        delete m_thread;
}

void DefinitionChecks::add(Check check, QObject *client, Done done)
{
    m_waiting.push_back(std::make_shared<Job>(Job{std::move(check), client, std::move(done), {}}));
    beginNext();
}

void DefinitionChecks::beginNext()
{
    while (!m_running && !m_waiting.empty()) {
        const std::shared_ptr<Job> job = std::move(m_waiting.front());
        m_waiting.pop_front();
        if (!job->client)
            continue;
        m_running = job;
        m_thread = QThread::create([job] { job->result = job->check(); });
        connect(m_thread, &QThread::finished, this, [this, job] { end(job, std::move(job->result)); });
        connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
        m_thread->start();
        m_limit.start();
    }
}

void DefinitionChecks::end(const std::shared_ptr<Job> &job, CheckResult result)
{
    if (job != m_running)
        return;  // it was refused at its limit
    const std::shared_ptr<Job> ended = std::exchange(m_running, nullptr);
    m_thread = nullptr;
    m_limit.stop();
    beginNext();
    if (ended->client)
        ended->done(std::move(result));
}

}  // namespace sweepscope::engine
