#pragma once

#include "ui/findings/attemptexaminer.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <chrono>
#include <map>
#include <memory>
#include <optional>

namespace sweepscope::ui {

/// Has the attempts of a sweep looked at on a thread of its own, one at a time, the newest first. One that has ended is
/// looked at once; those that run again and again, and for a tenth of the time at most.
class FindingWorker : public QObject {
    Q_OBJECT

public:
    explicit FindingWorker(QObject *parent = nullptr);
    ~FindingWorker() override;

    /// Forgets everything; what is being looked at is not told any more.
    void clear();
    /// The sweep stays, and what is known of the machine.
    void forgetTrials();
    void setSweep(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep);
    void setTrials(const std::vector<sweep::TrialRecord> &trials);
    /// Off while nobody looks.
    void setActive(bool active);

    int attempts() const { return static_cast<int>(m_places.size()); }
    int examined() const { return static_cast<int>(m_done.size()); }

Q_SIGNALS:
    void attemptExamined(const std::shared_ptr<const sweepscope::ui::ExaminedAttempt> &examined);

private:
    class Reader;
    using Key = std::pair<int, int>;

    struct Looked {
        std::chrono::steady_clock::time_point at;
        bool hadEnded = false;  ///< it need not be looked at again
    };

    void lookAtNext();
    std::optional<diagnosis::AttemptPlace> next() const;
    void take(const diagnosis::AttemptPlace &place, const std::shared_ptr<const ExaminedAttempt> &examined,
              std::chrono::nanoseconds took);

    QThread m_thread;
    Reader *m_reader;  // lives in m_thread, deleted when it ends
    QTimer m_again;
    WorkspaceLayout m_workspace;
    sweep::SweepRecord m_sweep;
    std::map<Key, diagnosis::AttemptPlace> m_places;
    std::map<Key, Looked> m_done;
    std::chrono::steady_clock::time_point m_runningNotBefore{};  ///< then comes the next one that runs
    quint64 m_generation = 0;
    bool m_active = false;
    bool m_asked = false;
};

}  // namespace sweepscope::ui
