#pragma once

#include "ui/editor/sweepcheck.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <memory>
#include <optional>

namespace sweepscope::ui {

/// Checks what is being typed on a thread of its own, a moment after the last key. Only the newest request is answered.
class SweepChecker : public QObject {
    Q_OBJECT

public:
    explicit SweepChecker(QObject *parent = nullptr);
    ~SweepChecker() override;

    void request(CheckRequest request);
    /// The same again: what is around the sweep (a program, a data file) may have changed.
    void repeat();
    /// The answer to the newest request, once it is there.
    const CheckResult *result() const { return m_pending ? nullptr : m_result.get(); }
    bool isPending() const { return m_pending; }

Q_SIGNALS:
    void checked();

private:
    void start();
    void finish(quint64 revision, const std::shared_ptr<const CheckResult> &result);

    QTimer m_delay;
    QThreadPool m_pool;
    std::optional<CheckRequest> m_request;
    std::shared_ptr<const CheckResult> m_result;
    quint64 m_revision = 0;
    bool m_pending = false;
    bool m_running = false;
};

}  // namespace sweepscope::ui
