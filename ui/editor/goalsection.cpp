#include "ui/editor/goalsection.h"

#include "sweep/keys.h"
#include "ui/editor/formfield.h"
#include "ui/models/usualgoal.h"

#include <QComboBox>
#include <QLineEdit>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

GoalSection::GoalSection(QWidget *parent)
    : FormSection(tr("Sweep"), QString(), parent),
      m_name(new QLineEdit),
      m_objective(new QComboBox),
      m_goal(new QComboBox),
      m_method(new QComboBox),
      m_trials(new QLineEdit),
      m_seed(new QLineEdit)
{
    FieldGrid *grid = addGrid();
    addLine(grid, u"sweep.name"_s, tr("&Name"), m_name, 2);
    m_objective->setEditable(true);
    m_objective->setInsertPolicy(QComboBox::NoInsert);
    m_objectiveField = addBox(grid, u"sweep.objective"_s, tr("&Objective"), m_objective);
    m_objectiveField->setHelp(tr("The reported series that tells a good trial from a bad one."));
    m_goal->addItem(tr("Minimize"), u"minimize"_s);
    m_goal->addItem(tr("Maximize"), u"maximize"_s);
    m_goalField = addBox(grid, u"sweep.goal"_s, tr("&Goal"), m_goal);
    m_method->addItem(tr("Grid: every combination"), u"grid"_s);
    m_method->addItem(tr("Random: so many draws"), u"random"_s);
    addBox(grid, u"search.method"_s, tr("Searc&h"), m_method, 2);
    m_trials->setPlaceholderText(tr("for example 20"));
    m_trialsField = addLine(grid, u"search.trials"_s, tr("Trials to draw"), m_trials);
    m_seed->setPlaceholderText(u"0"_s);
    addLine(grid, u"search.seed"_s, tr("See&d"), m_seed)
        ->setHelp(tr("The same seed gives the same trials with the same starting weights and data splits."));
    connect(m_method, &QComboBox::currentIndexChanged, this, &GoalSection::followMethod);
    connect(m_goal, &QComboBox::currentIndexChanged, this, &GoalSection::remarkGoal);
    connect(m_objective, &QComboBox::editTextChanged, this, &GoalSection::remarkGoal);
    followMethod();
}

/// A person may mean it; one who does not would find out when the sweep has chosen its worst trial.
void GoalSection::remarkGoal()
{
    const std::optional<sweep::Goal> usual = usualGoal(m_objective->currentText());
    const bool isMaximized = m_goal->currentData() == u"maximize"_s;
    if (!usual || (*usual == sweep::Goal::Maximize) == isMaximized)
        m_goalField->setNote({});
    else
        m_goalField->setNote(isMaximized ? tr("Usually minimized") : tr("Usually maximized"));
}

void GoalSection::followMethod()
{
    m_trialsField->setVisible(m_method->currentData() == u"random"_s);
}

void GoalSection::display(const SweepDraft &draft)
{
    const bool builtin = draft.worker == sweep::WorkerKind::Builtin;
    if ((m_objective->count() > 0) != builtin) {
        m_objective->clear();
        if (builtin)
            for (const std::string &name : sweep::builtinObjectives())
                m_objective->addItem(QString::fromStdString(name));
    }
    m_objectiveField->setNote(builtin ? QString() : tr("Reported by your command"));
    showText(m_name, draft.name);
    if (m_objective->currentText() != draft.objective)
        m_objective->setEditText(draft.objective);
    chooseData(m_goal, draft.goal == sweep::Goal::Minimize ? u"minimize"_s : u"maximize"_s);
    chooseData(m_method, draft.method == sweep::SearchMethod::Grid ? u"grid"_s : u"random"_s);
    showText(m_trials, draft.trials);
    showText(m_seed, draft.seed);
    followMethod();
}

void GoalSection::readInto(SweepDraft &draft) const
{
    draft.name = m_name->text();
    const QString before = std::exchange(draft.objective, m_objective->currentText());
    draft.goal = m_goal->currentData() == u"minimize"_s ? sweep::Goal::Minimize : sweep::Goal::Maximize;
    // The goal goes with the objective until somebody says otherwise.
    if (draft.objective != before && draft.goal == usualGoal(before).value_or(sweep::Goal::Minimize))
        draft.goal = usualGoal(draft.objective).value_or(sweep::Goal::Minimize);
    draft.method = m_method->currentData() == u"grid"_s ? sweep::SearchMethod::Grid : sweep::SearchMethod::Random;
    draft.trials = m_trials->text();
    draft.seed = m_seed->text();
}

}  // namespace sweepscope::ui
