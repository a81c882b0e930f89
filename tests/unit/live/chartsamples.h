#pragma once

#include "unit/live/attemptfixture.h"

#include "ui/plot/chart.h"
#include "ui/plot/chartlayout.h"

// Charts by name, and an attempt with data for each of them.
namespace sweepscope::tests {

inline QString seriesId(const QStringList &names, const ui::TrialChoice &pinned = {})
{
    ui::Chart chart;
    chart.kind = ui::Chart::Kind::Series;
    chart.series = names;
    chart.pinned = pinned;
    return chart.id();
}

inline QString partsId()
{
    ui::Chart chart;
    chart.kind = ui::Chart::Kind::StepParts;
    return chart.id();
}

/// Each in a separate row, below the chosen series.
inline ui::ChartRows below(const QStringList &ids)
{
    ui::ChartRows rows{{ui::chosenChart()}};
    for (const QString &id : ids)
        rows.append(QStringList(id));
    return rows;
}

/// Two ranks that report everything a worker reports, one value a second.
inline void report(ui::AttemptFixture &attempt, int steps, WallNs begun = ui::AttemptFixture::start, double loss = 1)
{
    for (int step = 0; step < steps; ++step) {
        const WallNs time = begun + step * ui::AttemptFixture::second;
        for (int rank = 0; rank < 2; ++rank) {
            attempt.rank(rank, "loss", step, time, loss + rank);
            attempt.rank(rank, "accuracy", step, time, 0.5);
            attempt.rank(rank, "data_wait", step, time, 0.1 + 0.1 * rank);
            attempt.rank(rank, "compute_time", step, time, 0.3);
            attempt.rank(rank, "comm_wait", step, time, 0.2);
            attempt.rank(rank, "step_time", step, time, 0.8);
        }
        attempt.host("rank0.cpu", time, 90);
        attempt.host("rank1.cpu", time, 80);
        attempt.host("rank0.memory", time, 1e9, "B");
        attempt.host("rank1.memory", time, 1e9, "B");
        attempt.device("cpu:0.utilization", time, 70);
    }
    attempt.flush();
}

}  // namespace sweepscope::tests
