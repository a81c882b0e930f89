#pragma once

#include "ui/editor/formsection.h"

namespace sweepscope::ui {

/// What the sweep is called, what it is after and how it searches.
class GoalSection : public FormSection {
    Q_OBJECT

public:
    explicit GoalSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;

private:
    void followMethod();
    void remarkGoal();

    QComboBox *m_objective;
    FormField *m_objectiveField;
    KeyField *m_goal;
    KeyField *m_method;
    KeyField *m_trials;
};

}  // namespace sweepscope::ui
