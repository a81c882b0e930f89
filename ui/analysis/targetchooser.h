#pragma once

#include "analysis/trialvalues.h"
#include "sweep/records.h"

#include <QMap>
#include <QString>
#include <QWidget>

#include <vector>

class QComboBox;
class QSettings;

namespace sweepscope::ui {

/// The value that trials are judged by, and which values are better: the objective of the sweep, or any metric.
class TargetChooser : public QWidget {
    Q_OBJECT

public:
    explicit TargetChooser(QWidget *parent = nullptr);

    /// All that can be chosen; what was chosen stays, or comes back when the sweep has it again.
    void fill(const sweep::SweepRecord &record, const std::vector<sweep::TrialRecord> &trials);
    analysis::Target target() const;
    QString title() const;
    bool isObjective() const;

    /// As it was left in this group of the settings.
    void restore(QSettings *settings, const QString &group);
    void keep(QSettings *settings, const QString &group) const;

Q_SIGNALS:
    /// By the person.
    void targetChosen();
    void goalChosen();

private:
    void choose(const QString &id);
    void followTarget();

    QComboBox *m_target;
    QComboBox *m_goal;
    sweep::Goal m_objectiveGoal = sweep::Goal::Minimize;
    QString m_wanted;            ///< id of a target, which the sweep may not have yet
    QMap<QString, int> m_goals;  ///< of targets, where the person chose another than the usual one
    bool m_filling = false;
};

}  // namespace sweepscope::ui
