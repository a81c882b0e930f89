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

/// Chooses the target value and its direction: the objective of the sweep, or any metric.
class TargetChooser : public QWidget {
    Q_OBJECT

public:
    explicit TargetChooser(QWidget *parent = nullptr);

    /// Lists all possible targets. Keeps the chosen one, even if the sweep lacks it for some time.
    void fill(const sweep::SweepRecord &record, const std::vector<sweep::TrialRecord> &trials);
    analysis::Target target() const;
    QString title() const;
    bool isObjective() const;

    /// Restores the target from this group of the settings.
    void restore(QSettings *settings, const QString &group);
    void keep(QSettings *settings, const QString &group) const;

Q_SIGNALS:
    /// By the user.
    void targetChosen();
    void goalChosen();

private:
    void choose(const QString &id);
    void followTarget();

    QComboBox *m_target;
    QComboBox *m_goal;
    sweep::Goal m_objectiveGoal = sweep::Goal::Minimize;
    QString m_wanted;            ///< id of the target, which the sweep may not have yet
    QMap<QString, int> m_goals;  ///< of targets for which the user reversed the usual direction
    bool m_filling = false;
};

}  // namespace sweepscope::ui
