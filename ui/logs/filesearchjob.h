#pragma once

#include "ui/logs/filesearch.h"
#include "ui/models/newestjob.h"

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace sweepscope::ui {

/// Searches and reads whole log files on a thread, one request at a time: a new one replaces the one before.
class FileSearchJob : public QObject {
    Q_OBJECT

public:
    explicit FileSearchJob(QObject *parent = nullptr);
    ~FileSearchJob() override;

    using Answer = std::function<void(std::optional<LogStretch> found)>;
    void search(const FileSearch &search, Answer answer);
    /// At most `lines` lines from `position` on.
    void read(const std::vector<LogFile> &files, const LogPosition &position, int lines,
              std::function<void(LogStretch)> answer);
    /// Nothing that was requested is answered any more.
    void cancel();
    bool isSearching() const { return m_cancelled != nullptr; }

Q_SIGNALS:
    void progressed(int percent);  ///< of the search

private:
    std::function<void(double)> progressReporter();

    NewestJob m_job;
    std::shared_ptr<std::atomic<bool>> m_cancelled;  ///< of the search that runs
};

}  // namespace sweepscope::ui
