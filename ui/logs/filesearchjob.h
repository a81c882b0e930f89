#pragma once

#include "ui/logs/filesearch.h"
#include "ui/models/newestjob.h"

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace sweepscope::ui {

/// Searches and reads whole log files on a thread, one request at a time: a new request replaces the previous one.
class FileSearchJob : public QObject {
    Q_OBJECT

public:
    explicit FileSearchJob(QObject *parent = nullptr);
    ~FileSearchJob() override;

    using Answer = std::function<void(std::optional<LogStretch> found)>;
    void search(const FileSearch &search, Answer answer);
    /// Reads at most `lines` lines from `position`.
    void read(const std::vector<LogFile> &files, const LogPosition &position, int lines,
              std::function<void(LogStretch)> answer);
    /// Reads the lines around the one that begins here.
    void readAround(const std::vector<LogFile> &files, int file, qint64 offset, std::function<void(LogStretch)> answer);
    /// Cancels all requests; no answers arrive afterwards.
    void cancel();
    bool isSearching() const { return m_cancelled != nullptr; }

Q_SIGNALS:
    void progressed(int percent);  ///< of the search

private:
    std::function<void(double)> progressReporter();

    NewestJob m_job;
    std::shared_ptr<std::atomic<bool>> m_cancelled;  ///< of the running search
};

}  // namespace sweepscope::ui
