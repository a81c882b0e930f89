#pragma once

#include "engine/sweepadmission.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>

class QThread;

namespace sweepscope::engine {

/// Checks definitions on another thread, one at a time, so that a large one does not hold up the engine. A check cannot
/// be interrupted: one that reaches its limit is refused, and its thread is left to itself.
class DefinitionChecks : public QObject {
    Q_OBJECT

public:
    /// Runs on the other thread and owns everything it uses.
    using Check = std::function<CheckResult()>;
    /// Called on the thread of this object.
    using Done = std::function<void(CheckResult)>;

    explicit DefinitionChecks(std::chrono::milliseconds limit = std::chrono::seconds(10));
    /// Waits for the check that runs, for a second at most.
    ~DefinitionChecks() override;

    /// `done` is not called if `client` is gone by then.
    void add(Check check, QObject *client, Done done);

private:
    struct Job;
    void beginNext();
    void end(const std::shared_ptr<Job> &job, CheckResult result);

    std::deque<std::shared_ptr<Job>> m_waiting;
    std::shared_ptr<Job> m_running;
    QThread *m_thread = nullptr;  ///< of m_running
    QTimer m_limit;
};

}  // namespace sweepscope::engine
