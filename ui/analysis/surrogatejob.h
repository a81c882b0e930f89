#pragma once

#include "analysis/randombaseline.h"
#include "analysis/surrogate.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <optional>

namespace sweepscope::ui {

class NewestJob;

/// Fits a surrogate to the trials of the shown sweep on a thread. While a sweep runs, each fit is followed by a rest, so that
/// it takes a small part of a core.
class SurrogateJob : public QObject {
    Q_OBJECT

public:
    explicit SurrogateJob(QObject *parent);
    ~SurrogateJob() override;

    /// Fits a surrogate unless the last one is of the same trials. During a rest it emits outdated() later instead, except
    /// for another sweep, definition or target.
    void follow(qint64 sweepId, const sweep::SweepSpec &spec, const std::vector<sweep::TrialRecord> &trials,
                const analysis::TrialValues &values, bool wantsBaseline);
    /// Forgets the surrogate.
    void drop();
    bool isPending() const;

    /// Null without enough results.
    const analysis::SurrogatePtr &surrogate() const { return m_result.surrogate; }
    /// Null if it was not wanted, or cannot be estimated.
    const analysis::RandomBaseline *baseline() const { return m_result.baseline ? &*m_result.baseline : nullptr; }

Q_SIGNALS:
    void fitted();
    /// There are results that the surrogate does not know, and the rest is over.
    void outdated();

private:
    struct Subject {
        qint64 sweepId = 0;
        sweep::SweepSpec spec;
        analysis::Target target;
        bool wantsBaseline = false;
        bool operator==(const Subject &) const = default;
    };
    struct Result {
        analysis::SurrogatePtr surrogate;
        std::optional<analysis::RandomBaseline> baseline;
    };
    void start(const std::vector<sweep::TrialRecord> &trials, const analysis::TrialValues &values);

    NewestJob *m_job;
    QTimer m_rest;
    Subject m_subject;
    std::uint64_t m_fingerprint = 0;  ///< of the trials
    bool m_isOutdated = false;
    Result m_result;
};

}  // namespace sweepscope::ui
