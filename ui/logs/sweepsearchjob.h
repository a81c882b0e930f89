#pragma once

#include "ui/logs/sweepsearch.h"
#include "ui/models/newestjob.h"

#include <QObject>

#include <atomic>
#include <memory>

namespace sweepscope::ui {

/// Runs one SweepSearch at a time on a thread.
class SweepSearchJob : public QObject {
    Q_OBJECT

public:
    explicit SweepSearchJob(QObject *parent = nullptr);
    ~SweepSearchJob() override;

    void start(const SweepSearch &search);
    /// Nothing is reported afterwards.
    void cancel();
    bool isSearching() const { return m_cancelled != nullptr; }

Q_SIGNALS:
    void found(const std::vector<sweepscope::ui::SweepHit> &hits, const sweepscope::ui::SweepSearchState &state);
    void finished();

private:
    NewestJob m_job;
    std::shared_ptr<std::atomic<bool>> m_cancelled;  ///< of the running search
};

}  // namespace sweepscope::ui
