#pragma once

#include "facts/fact.h"
#include "ui/editor/formsection.h"

#include <QStringList>

namespace sweepscope::ui {

class NameDelegate;
class ObjectiveModel;

/// The name of the sweep, its objectives, and its search method.
class GoalSection : public FormSection {
    Q_OBJECT

public:
    explicit GoalSection(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;
    /// Metrics that the sweep's command is known to report; suggested as its objective.
    void setReported(const QStringList &metrics);
    /// What the method "auto" would choose, or no fact.
    void setChoice(const facts::Fact &choice);

private:
    void followMethod();
    void remarkGoal();
    void addObjectives();
    void offerObjectives();
    void remarkObjective();

    QComboBox *m_objective;
    FormField *m_objectiveField;
    KeyField *m_goal;
    ObjectiveModel *m_objectives;  ///< further ones
    NameDelegate *m_objectiveNames;
    KeyField *m_method;
    KeyField *m_command;
    KeyField *m_sampler;
    KeyField *m_warmStart;
    KeyField *m_trials;
    QStringList m_reported;
    facts::Fact m_choice;
    bool m_isBuiltin = true;
};

}  // namespace sweepscope::ui
