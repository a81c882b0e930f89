#include "ui/editor/goalsection.h"

#include "sweep/keytext.h"
#include "ui/editor/keyfield.h"
#include "ui/models/usualgoal.h"

#include <QComboBox>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

GoalSection::GoalSection(QWidget *parent) : FormSection(tr("Sweep"), QString(), parent), m_objective(new QComboBox)
{
    FieldGrid *grid = addGrid();
    addKey(grid, "sweep.name", 2);
    const sweep::Key &objective = *sweep::findKey("sweep.objective");
    m_objective->setEditable(true);
    m_objective->setInsertPolicy(QComboBox::NoInsert);
    m_objectiveField = addBox(grid, u"sweep.objective"_s, tr("&Objective"), m_objective);
    m_objectiveField->setHelp(QString::fromStdString(sweep::descriptionOf(objective)));
    m_goal = addKey(grid, "sweep.goal");
    m_method = addKey(grid, "search.method", 2);
    m_trials = addKey(grid, "search.trials");
    addKey(grid, "search.seed");
    connect(m_method, &KeyField::edited, this, &GoalSection::followMethod);
    connect(m_goal, &KeyField::edited, this, &GoalSection::remarkGoal);
    connect(m_objective, &QComboBox::editTextChanged, this, &GoalSection::remarkGoal);
    followMethod();
}

/// A person may mean it; one who does not would find out when the sweep has chosen its worst trial.
void GoalSection::remarkGoal()
{
    const std::optional<sweep::Goal> usual = usualGoal(m_objective->currentText());
    const bool isMaximized = m_goal->text() == "maximize"_L1;
    if (!usual || (*usual == sweep::Goal::Maximize) == isMaximized)
        m_goal->setNote({});
    else
        m_goal->setNote(isMaximized ? tr("Usually minimized") : tr("Usually maximized"));
}

void GoalSection::followMethod()
{
    m_trials->setVisible(m_method->text() == "random"_L1);
}

void GoalSection::display(const SweepDraft &draft)
{
    const bool builtin = draft.worker() == sweep::WorkerKind::Builtin;
    if ((m_objective->count() > 0) != builtin) {
        m_objective->clear();
        if (builtin)
            for (const std::string &name : sweep::builtinObjectives())
                m_objective->addItem(QString::fromStdString(name));
    }
    m_objectiveField->setNote(builtin ? QString() : tr("Reported by your command"));
    const QString objective = draft.value(u"sweep.objective"_s);
    if (m_objective->currentText() != objective)
        m_objective->setEditText(objective);
    FormSection::display(draft);
    followMethod();
    remarkGoal();
}

void GoalSection::readInto(SweepDraft &draft) const
{
    FormSection::readInto(draft);
    const QString before = draft.value(u"sweep.objective"_s);
    const QString after = m_objective->currentText();
    draft.setValue(u"sweep.objective"_s, after);
    // The goal goes with the objective until somebody says otherwise.
    const auto usual = [](const QString &objective) {
        return usualGoal(objective).value_or(sweep::Goal::Minimize) == sweep::Goal::Maximize ? u"maximize"_s
                                                                                             : QString();
    };
    if (after != before && draft.value(u"sweep.goal"_s) == usual(before))
        draft.setValue(u"sweep.goal"_s, usual(after));
}

}  // namespace sweepscope::ui
