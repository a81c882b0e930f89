#pragma once

#include "sweep/sweepspec.h"

#include <QMap>
#include <QString>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// One row of the search space as it is typed: numbers are text, so that half a number is kept and not lost.
struct DimensionDraft {
    QString name;
    sweep::DimensionKind kind = sweep::DimensionKind::List;
    QString values;  ///< List, Choice
    QString from;    ///< Linear, Log, Integer
    QString to;
    QString points;  ///< Linear, Log
    QString step;    ///< Integer; empty = 1
    QString when;

    bool operator==(const DimensionDraft &) const = default;
};

struct ConstraintDraft {
    QString name;
    QString expression;

    bool operator==(const ConstraintDraft &) const = default;
};

/// When trials that are behind end early, as it is typed. What is left empty has its default.
struct PruneDraft {
    std::optional<sweep::PruneMethod> method;  ///< nothing: never
    QString firstStep;
    QString every;   ///< of Median
    QString factor;  ///< of Halving
    int minTrials = sweep::PruneSection().minTrials;

    bool operator==(const PruneDraft &) const = default;
};

/// Measuring batch sizes instead of training, as it is typed. What is left empty has its default.
struct ProbeDraft {
    bool used = false;
    QString parameter;
    QString measure;

    bool operator==(const ProbeDraft &) const = default;
};

/// The whole form as it is typed. What belongs to the worker or method that is not chosen is kept, so that choosing it
/// again brings it back.
struct SweepDraft {
    QString name;
    QString objective;
    sweep::Goal goal = sweep::Goal::Minimize;
    sweep::SearchMethod method = sweep::SearchMethod::Grid;
    QString trials;
    QString seed;

    std::vector<DimensionDraft> space;
    std::vector<ConstraintDraft> constraints;

    sweep::WorkerKind worker = sweep::WorkerKind::Builtin;
    QString command;
    QMap<QString, QString> settings;  ///< of the built-in worker; not there = its default
    QString environment;              ///< NAME=VALUE, one in a line
    QString workingFolder;
    int ranks = 1;
    QString backend;
    QString timeout;
    int retries = 0;
    sweep::AttemptPolicy policy;                   ///< not shown, and kept
    std::optional<sweep::MetricsSection> metrics;  ///< of a command; not shown, and kept

    sweep::DeviceKind devices = sweep::DeviceKind::Auto;
    int perRank = 1;
    int concurrent = 1;
    int cpuSlots = 0;
    QString pin;  ///< as valuelist.h writes it
    QString exclude;
    sweep::ForeignPolicy foreign = sweep::ForeignPolicy::Avoid;
    int perGpu = 1;
    QString memory;
    int coresPerRank = 0;
    sweep::CpuAffinity affinity = sweep::CpuAffinity::Auto;

    PruneDraft prune;
    QString budgetTime;
    QString budgetDeviceTime;
    ProbeDraft probe;

    bool operator==(const SweepDraft &) const = default;
};

/// The draft that reads back (draftreading.h) as `spec`.
SweepDraft draftOf(const sweep::SweepSpec &spec);
DimensionDraft draftOf(const sweep::Dimension &dimension);

/// What the form shows for a new sweep: small, valid, and runs on this machine as it is.
SweepDraft newSweepDraft();

bool isList(sweep::DimensionKind kind);  ///< its values are written one by one

}  // namespace sweepscope::ui
