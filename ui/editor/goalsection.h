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

    QLineEdit *m_name;
    QComboBox *m_objective;
    QComboBox *m_goal;
    QComboBox *m_method;
    QLineEdit *m_trials;
    QLineEdit *m_seed;
    FormField *m_trialsField;
    FormField *m_objectiveField;
    FormField *m_goalField;
};

}  // namespace sweepscope::ui
