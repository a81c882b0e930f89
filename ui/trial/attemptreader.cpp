#include "ui/trial/attemptreader.h"

#include <chrono>
#include <optional>

namespace sweepscope::ui {
using namespace std::chrono_literals;

namespace {

constexpr auto interval = 1s;

}  // namespace

class AttemptReader::Worker : public QObject {
public:
    /// One bounded step; returns true if there is more to read.
    bool read(const AttemptSource &source, quint64 generation)
    {
        if (!m_files || m_generation != generation)
            m_files.emplace(source);
        m_generation = generation;
        return m_files->poll();
    }
    AttemptContents contents() { return m_files->contents(); }

private:
    std::optional<AttemptFiles> m_files;
    quint64 m_generation = 0;
};

AttemptReader::AttemptReader(QObject *parent) : QObject(parent), m_worker(new Worker)
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("attempt-files"));
    m_thread.start();
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &AttemptReader::request);
}

AttemptReader::~AttemptReader()
{
    m_thread.quit();
    m_thread.wait();
}

void AttemptReader::setSource(const AttemptSource &source, bool changing)
{
    const bool ended = m_changing && !changing;
    m_changing = changing;
    updateTimer();
    if (source == m_source && !ended)
        return;
    if (source != m_source) {
        m_source = source;
        ++m_generation;
        Q_EMIT contentsRead({});
    }
    request();
}

void AttemptReader::readAgain()
{
    if (m_active)
        request();
}

void AttemptReader::setActive(bool active)
{
    m_active = active;
    updateTimer();
    if (active)
        request();
}

void AttemptReader::updateTimer()
{
    if (!m_active || !m_changing)
        m_timer.stop();
    else if (!m_timer.isActive())
        m_timer.start();
}

/// One request at a time, so that a slow disk does not build up a queue.
void AttemptReader::request()
{
    if (!m_active || m_source.folder.empty())
        return;
    m_requestAgain = m_requested;
    if (m_requested)
        return;
    m_requested = true;
    QMetaObject::invokeMethod(m_worker, [this, worker = m_worker, source = m_source, generation = m_generation] {
        const bool more = worker->read(source, generation);
        const AttemptContents contents = worker->contents();
        QMetaObject::invokeMethod(this, [this, contents, more, generation] {
            m_requested = false;
            if (generation == m_generation)
                Q_EMIT contentsRead(contents);
            if (more || m_requestAgain || generation != m_generation)
                request();
        });
    });
}

}  // namespace sweepscope::ui
