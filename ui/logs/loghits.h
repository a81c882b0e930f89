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

/// How often a pattern is in the whole of logs of which a view shows a part. Counts on a thread of its own; of logs that
/// grew what is new.
class LogHits : public QObject {
    Q_OBJECT

public:
    explicit LogHits(QObject *parent = nullptr);
    ~LogHits() override;

    /// Counts what is there by now, and which hit this one is. Another pattern, or other files: from the start.
    void look(const std::vector<LogFile> &files, const QRegularExpression &pattern,
              const std::optional<LogView::Selected> &selected);
    void stop();

    struct State {
        qint64 count = 0;
        qint64 current = 0;     ///< which of them is selected, from 1; 0: none
        int percent = 0;        ///< while it is not complete
        bool complete = false;  ///< all has been counted once
        bool tooSlow = false;   ///< it will not be: the pattern takes too long
    };
    const State &state() const { return m_state; }
    /// Something newer than the state is on its way.
    bool isLooking() const { return m_job.isPending(); }

Q_SIGNALS:
    void changed();

private:
    std::vector<LogFile> m_files;
    std::optional<QRegularExpression> m_pattern;
    std::optional<LogView::Selected> m_selected;
    std::shared_ptr<LogCount> m_count;  ///< of the thread
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    State m_state;
    NewestJob m_job;
};

}  // namespace sweepscope::ui
