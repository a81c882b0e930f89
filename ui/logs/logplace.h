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

/// Shows which part of a log is visible if it is not all of it, and loads earlier lines. Counts line numbers on a
/// separate thread.
class LogPlace : public QWidget {
    Q_OBJECT

public:
    explicit LogPlace(QWidget *parent = nullptr);
    ~LogPlace() override;

    /// All is visible, or nothing.
    void clear();
    void showTail(int lines, bool ofAllRanks);
    /// Only the last of all lines that pass a filter are visible.
    void showFiltered(int lines, qint64 passing);
    /// `lines` lines that begin here are visible.
    void showStretch(const std::vector<LogFile> &files, const LogPosition &begin, int lines);
    /// Enables the request for earlier lines.
    void setReady(bool ready);

Q_SIGNALS:
    void earlierWanted();

private:
    void cancel();
    void showText(const QString &text, bool hasEarlier);

    QPushButton *m_earlier;
    QLabel *m_text;
    std::vector<LogFile> m_files;
    LogPosition m_begin;
    int m_lines = 0;
    std::shared_ptr<LogCount> m_count;  ///< used by the thread
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    NewestJob m_job;
};

}  // namespace sweepscope::ui
