#pragma once

#include "ui/examination/attemptexaminer.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <chrono>
#include <map>
#include <memory>
#include <optional>

namespace sweepscope::ui {

/// Examines the attempts of a sweep on a thread, one at a time, newest first: an ended attempt once, running ones
/// repeatedly, for at most a tenth of the time.
class FindingWorker : public QObject {
    Q_OBJECT

public:
    explicit FindingWorker(QObject *parent = nullptr);
    ~FindingWorker() override;

    /// Forgets everything and discards the examination in progress.
    void clear();
    /// Keeps the sweep and the data of the machine.
    void clearTrials();
    void setSweep(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep);
    void setTrials(const std::vector<sweep::TrialRecord> &trials);
    void setActive(bool active);
    /// While the page is hidden, attempts other than the newest take at most a tenth of the time, and running ones are
    /// examined rarely.
    void setBackground(bool background);

    int attempts() const { return static_cast<int>(m_places.size()); }
    int examined() const { return static_cast<int>(m_done.size()); }

Q_SIGNALS:
    void attemptExamined(const std::shared_ptr<const sweepscope::ui::ExaminedAttempt> &examined);

private:
    class Reader;
    using Key = std::pair<int, int>;

    struct Examined {
        std::chrono::steady_clock::time_point at;
        bool hadEnded = false;  ///< no need to examine it again
    };

    void examineNext();
    std::optional<diagnosis::AttemptPlace> next() const;
    void storeResult(const diagnosis::AttemptPlace &place, const std::shared_ptr<const ExaminedAttempt> &examined,
                     std::chrono::nanoseconds took);

    QThread m_thread;
    Reader *m_reader;  // lives in m_thread, deleted when the thread ends
    QTimer m_again;
    WorkspaceLayout m_workspace;
    sweep::SweepRecord m_sweep;
    std::map<Key, diagnosis::AttemptPlace> m_places;
    std::map<Key, Examined> m_done;
    std::chrono::steady_clock::time_point m_runningNotBefore{};  ///< when the next running attempt is due
    std::chrono::steady_clock::time_point m_olderNotBefore{};  ///< likewise, in the background, of the older ended ones
    quint64 m_generation = 0;
    bool m_active = false;
    bool m_background = false;
    bool m_requested = false;
};

}  // namespace sweepscope::ui
