#pragma once

#include "ui/editor/sweepcheck.h"
#include "ui/models/newestjob.h"

#include <memory>
#include <optional>

namespace sweepscope::ui {

/// Checks the draft while the user types, off the GUI thread. Only the newest request is answered.
class SweepChecker : public QObject {
    Q_OBJECT

public:
    explicit SweepChecker(QObject *parent = nullptr);

    void request(CheckRequest request);
    /// Checks again, because the environment of the sweep (a program, a data file) may have changed.
    void repeat();
    /// The result of the newest request; null until it is ready.
    const CheckResult *result() const { return isPending() ? nullptr : m_result.get(); }
    bool isPending() const { return m_job.isPending(); }

Q_SIGNALS:
    void checked();

private:
    NewestJob m_job;
    std::optional<CheckRequest> m_request;
    std::shared_ptr<const CheckResult> m_result;
};

}  // namespace sweepscope::ui
