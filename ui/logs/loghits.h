#pragma once

#include "ui/logs/logfeed.h"
#include "ui/logs/logview.h"
#include "ui/models/newestjob.h"

#include <QObject>
#include <QRegularExpression>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

class LogCount;

/// Counts the hits of a pattern in whole logs, of which a view shows a part. Uses a separate thread; of logs that have
/// grown, counts only the new part.
class LogHits : public QObject {
    Q_OBJECT

public:
    explicit LogHits(QObject *parent = nullptr);
    ~LogHits() override;

    /// Counts the hits that exist now, and up to the current one. Starts again for another pattern or other files.
    void countHits(const std::vector<LogFile> &files, const QRegularExpression &pattern,
                   const std::optional<LogView::Selected> &selected);
    void stop();

    struct State {
        qint64 count = 0;
        qint64 current = 0;     ///< index of the selected hit, from 1; 0 if none
        int percent = 0;        ///< while it is not complete
        bool complete = false;  ///< everything has been counted once
        bool tooSlow = false;   ///< counting was given up: the pattern takes too long
    };
    const State &state() const { return m_state; }
    /// Whether a newer state is being computed.
    bool isCounting() const { return m_job.isPending(); }

Q_SIGNALS:
    void changed();

private:
    std::vector<LogFile> m_files;
    std::optional<QRegularExpression> m_pattern;
    std::optional<LogView::Selected> m_selected;
    std::shared_ptr<LogCount> m_count;  ///< used by the thread
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    State m_state;
    NewestJob m_job;
};

}  // namespace sweepscope::ui
