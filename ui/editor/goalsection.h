#pragma once

#include "ui/editor/formsection.h"

#include <QStringList>

namespace sweepscope::ui {

/// The name of the sweep, its goal, and its search method.
class GoalSection : public FormSection {
    Q_OBJECT

public:
    explicit GoalSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;
    /// Metrics that the sweep's command is known to report; suggested as its objective.
    void setReported(const QStringList &metrics);

private:
    void followMethod();
    void remarkGoal();
    void offerObjectives();
    void remarkObjective();

    QComboBox *m_objective;
    FormField *m_objectiveField;
    KeyField *m_goal;
    KeyField *m_method;
    KeyField *m_trials;
    QStringList m_reported;
    bool m_isBuiltin = true;
};

}  // namespace sweepscope::ui
