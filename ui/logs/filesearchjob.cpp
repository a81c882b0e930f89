#include "ui/logs/filesearchjob.h"

#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

FileSearchJob::FileSearchJob(QObject *parent) : QObject(parent), m_job(0ms, nullptr) {}

FileSearchJob::~FileSearchJob()
{
    cancel();
}

void FileSearchJob::cancel()
{
    // The flag publishes no other data, so relaxed order is enough.
    if (m_cancelled)
        m_cancelled->store(true, std::memory_order_relaxed);
    m_cancelled.reset();
    m_job.drop();
}

void FileSearchJob::search(const FileSearch &search, Answer answer)
{
    cancel();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_job.request([this, search, answer = std::move(answer), cancelled = m_cancelled,
                   progress = progressReporter()]() -> std::function<void()> {
        auto found = std::make_shared<std::optional<LogStretch>>(searchFiles(search, *cancelled, progress));
        return [this, answer, found, cancelled] {
            if (cancelled != m_cancelled)
                return;
            m_cancelled.reset();
            answer(std::move(*found));
        };
    });
}

void FileSearchJob::read(const std::vector<LogFile> &files, const LogPosition &position, int lines,
                         std::function<void(LogStretch)> answer)
{
    m_job.request([files, position, lines, answer = std::move(answer)]() -> std::function<void()> {
        auto stretch = std::make_shared<LogStretch>(readStretch(files, position, lines));
        return [answer, stretch] { answer(std::move(*stretch)); };
    });
}

void FileSearchJob::readAround(const std::vector<LogFile> &files, int file, qint64 offset,
                               std::function<void(LogStretch)> answer)
{
    m_job.request([files, file, offset, answer = std::move(answer)]() -> std::function<void()> {
        auto stretch = std::make_shared<LogStretch>(ui::readAround(files, file, offset));
        return [answer, stretch] { answer(std::move(*stretch)); };
    });
}

/// Called on the thread: reports each percent until another search begins.
std::function<void(double)> FileSearchJob::progressReporter()
{
    return [this, cancelled = m_cancelled, reported = std::make_shared<int>(0)](double share) {
        const int percent = static_cast<int>(share * 100);
        if (percent == std::exchange(*reported, percent))
            return;
        QMetaObject::invokeMethod(
            this,
            [this, percent, cancelled] {
                if (cancelled == m_cancelled)
                    Q_EMIT progressed(percent);
            },
            Qt::QueuedConnection);
    };
}

}  // namespace sweepscope::ui
