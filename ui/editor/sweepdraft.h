#pragma once

#include "sweep/sweepspec.h"

#include <QMap>
#include <QString>

#include <map>
#include <optional>
#include <string>
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

/// The whole form as it is typed. What belongs to the worker or method that is not chosen is kept, so that choosing it
/// again brings it back.
struct SweepDraft {
    /// What is typed for the simple keys of the sweep file (sweep/keys.h), by their path ("run.ranks"). Not there: the
    /// key's default. Without prune.method nothing is pruned.
    QMap<QString, QString> values;
    std::vector<DimensionDraft> space;
    std::vector<ConstraintDraft> constraints;
    QString environment;                            ///< NAME=VALUE, one per line
    bool isProbe = false;                           ///< has [probe]
    std::map<std::string, sweep::RetryRule> retry;  ///< not shown, and kept
    std::optional<sweep::MetricsSection> metrics;   ///< of a command; not shown, and kept

    bool operator==(const SweepDraft &) const = default;

    QString value(const QString &path) const { return values.value(path); }
    void setValue(const QString &path, const QString &text);
    QString name() const { return value(QStringLiteral("sweep.name")).trimmed(); }
    sweep::WorkerKind worker() const;
    sweep::SearchMethod method() const;
};

/// The draft that reads back (draftreading.h) as `spec`.
SweepDraft draftOf(const sweep::SweepSpec &spec);
DimensionDraft draftOf(const sweep::Dimension &dimension);

/// What the form shows for a new sweep: small, valid, and runs on this machine as it is.
SweepDraft newSweepDraft();

/// Gives a parameter this one value: in the search space where it is listed there, else as a setting.
void setSingleValue(SweepDraft &draft, const QString &parameter, const QString &value);

bool isList(sweep::DimensionKind kind);  ///< its values are written one by one

}  // namespace sweepscope::ui
