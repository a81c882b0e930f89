#pragma once

#include "ui/logs/logfeed.h"

#include <QObject>
#include <QTimer>

#include <vector>

namespace sweepscope::ui {

class LogView;

/// Inserts lines that were read at once into a view in slices, so that no frame is delayed: those nearest to the
/// visible ones first.
class LogPour : public QObject {
    Q_OBJECT

public:
    explicit LogPour(LogView *view);

    void start(std::vector<ShownLine> before, std::vector<ShownLine> after, bool withRank);
    /// Discards the rest.
    void stop();
    bool isPouring() const { return m_timer.isActive(); }

Q_SIGNALS:
    void done();

private:
    void pour();

    LogView *m_view;
    std::vector<ShownLine> m_before;
    std::vector<ShownLine> m_after;
    std::size_t m_taken = 0;  // number taken from m_after
    bool m_withRank = false;
    QTimer m_timer;
};

}  // namespace sweepscope::ui
