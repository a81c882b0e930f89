#pragma once

#include "sweep/sweepspec.h"

#include <QMap>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// A row of the search space as typed: numbers are text, so that an incomplete number is not lost.
struct DimensionDraft {
    QString name;
    sweep::DimensionKind kind = sweep::DimensionKind::List;
    QString values;  ///< List, Choice
    QString from;    ///< of a range; Normal, LogNormal: the mean
    QString to;      ///< of a range; Normal, LogNormal: the standard deviation
    QString points;  ///< of continuous ranges, LogInteger
    QString step;    ///< Integer, Stepped; empty: 1 for Integer
    QString when;

    bool operator==(const DimensionDraft &) const = default;
};

struct ObjectiveDraft {
    QString name;
    sweep::Goal goal = sweep::Goal::Minimize;

    bool operator==(const ObjectiveDraft &) const = default;
};

struct ConstraintDraft {
    QString name;
    QString expression;

    bool operator==(const ConstraintDraft &) const = default;
};

/// The whole form as typed. Keeps the settings of workers and methods that are not selected, so that selecting them
/// again restores these.
struct SweepDraft {
    /// The text of the simple keys of the sweep file (sweep/keys.h), by path ("run.ranks"). A missing entry means the
    /// key's default. Without prune.method there is no pruning.
    QMap<QString, QString> values;
    std::vector<DimensionDraft> space;
    std::vector<ConstraintDraft> constraints;
    std::vector<ObjectiveDraft> objectives;  ///< besides sweep.objective
    std::vector<ConstraintDraft> outcomeConstraints;
    QString environment;                            ///< NAME=VALUE, one per line
    bool isProbe = false;                           ///< has a [probe] section
    std::map<std::string, sweep::RetryRule> retry;  ///< kept, but not shown
    std::optional<sweep::MetricsSection> metrics;   ///< of a command; its patterns are kept, but not shown

    bool operator==(const SweepDraft &) const = default;

    QString value(const QString &path) const { return values.value(path); }
    void setValue(const QString &path, const QString &text);
    QString name() const { return value(QStringLiteral("sweep.name")).trimmed(); }
    sweep::WorkerKind worker() const;
    sweep::SearchMethod method() const;
};

/// Returns the draft that reads back (draftreading.h) as `spec`.
SweepDraft draftOf(const sweep::SweepSpec &spec);
DimensionDraft draftOf(const sweep::Dimension &dimension);

/// Returns the form of a new sweep: small, valid, and able to run on this machine. That of a command lacks the command line.
SweepDraft newSweepDraft(sweep::WorkerKind worker = sweep::WorkerKind::Builtin);

/// Gives a parameter this single value: in the search space if it is listed there, else as a setting.
void setSingleValue(SweepDraft &draft, const QString &parameter, const QString &value);

bool isList(sweep::DimensionKind kind);
/// Whether a step lies between its values.
bool hasStep(sweep::DimensionKind kind);  ///< whether its values are listed one by one

}  // namespace sweepscope::ui
