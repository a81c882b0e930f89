#pragma once

#include "ui/logs/logfeed.h"
#include "ui/models/newestjob.h"

#include <QWidget>

#include <atomic>
#include <memory>
#include <vector>

class QLabel;
class QPushButton;

namespace sweepscope::ui {

class LogCount;

/// Says which part of a log is shown where it is not the whole, and leads to earlier lines. Line numbers are counted on
/// a thread of its own.
class LogPlace : public QWidget {
    Q_OBJECT

public:
    explicit LogPlace(QWidget *parent = nullptr);
    ~LogPlace() override;

    /// The whole, or nothing.
    void clear();
    void showTail(int lines, bool ofAllRanks);
    /// So many lines that begin here.
    void showStretch(const std::vector<LogFile> &files, const LogPosition &begin, int lines);
    /// Ready for another request of earlier lines.
    void setReady(bool ready);

Q_SIGNALS:
    void earlierWanted();

private:
    void cancel();
    void say(const QString &text, bool hasEarlier);

    QPushButton *m_earlier;
    QLabel *m_text;
    std::vector<LogFile> m_files;
    LogPosition m_begin;
    int m_lines = 0;
    std::shared_ptr<LogCount> m_count;  ///< of the thread
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    NewestJob m_job;
};

}  // namespace sweepscope::ui
