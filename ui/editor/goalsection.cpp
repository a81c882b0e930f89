#include "ui/editor/goalsection.h"

#include "sweep/keytext.h"
#include "ui/editor/celltableview.h"
#include "ui/editor/choicedelegate.h"
#include "ui/editor/editabletable.h"
#include "ui/editor/keyfield.h"
#include "ui/editor/namedelegate.h"
#include "ui/editor/objectivemodel.h"
#include "ui/models/usualgoal.h"
#include "ui/models/valuetext.h"
#include "wording/sentence.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

QString explanationOf(const QString &method)
{
    if (method == "random"_L1)
        return GoalSection::tr("Draws combinations at random");
    if (method == "sobol"_L1)
        return GoalSection::tr("Covers the space evenly");
    if (method == "tpe"_L1)
        return GoalSection::tr("Draws points near the good trials");
    if (method == "gp"_L1)
        return GoalSection::tr("Predicts results; needs the fewest trials");
    if (method == "cmaes"_L1)
        return GoalSection::tr("For numeric parameters and many trials");
    if (method == "nsga2"_L1)
        return GoalSection::tr("Recombines good trials; for many trials");
    if (method == "pbt"_L1)
        return GoalSection::tr("Continues the best trials with changed settings");
    if (method == "auto"_L1)
        return GoalSection::tr("Chooses the method");
    if (method == "command"_L1)
        return GoalSection::tr("Asks another program");
    if (method == "optuna"_L1)
        return GoalSection::tr("Asks an Optuna sampler");
    return GoalSection::tr("Runs every combination");
}

}  // namespace

GoalSection::GoalSection(QWidget *parent)
    : FormSection(tr("Sweep"), QString(), parent),
      m_objective(new QComboBox),
      m_objectives(new ObjectiveModel(this)),
      m_objectiveNames(new NameDelegate(this))
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
    m_command = addKey(grid, "search.command", 2);
    m_sampler = addKey(grid, "search.sampler");
    m_trials = addKey(grid, "search.trials");
    addKey(grid, "search.seed");
    addKey(grid, "search.repeats");
    m_warmStart = addKey(grid, "search.warm_start", 2);
    addObjectives();
    connect(m_method, &KeyField::edited, this, &GoalSection::followMethod);
    connect(m_goal, &KeyField::edited, this, &GoalSection::remarkGoal);
    connect(m_objective, &QComboBox::editTextChanged, this, &GoalSection::remarkGoal);
    connect(m_objective, &QComboBox::editTextChanged, this, &GoalSection::remarkObjective);
    followMethod();
}

void GoalSection::addObjectives()
{
    auto *table = new EditableTable(m_objectives, u"objectives"_s, tr("Add objective"), this);
    CellTableView *view = table->view();
    view->setAccessibleName(tr("Further objectives"));
    view->setItemDelegateForColumn(static_cast<int>(ObjectiveColumn::Name), m_objectiveNames);
    view->setItemDelegateForColumn(static_cast<int>(ObjectiveColumn::Goal),
                                   new ChoiceDelegate(ObjectiveModel::goalNames(), this));
    view->setColumnWidths({{200, 1}, {140, 0}});
    body()->addWidget(table);
    connect(m_objectives, &ObjectiveModel::edited, this,
            [this](const QString &place) { Q_EMIT edited(u"objectives "_s + place); });
}

/// The user may intend the unusual goal, but by mistake it would select the worst trial.
void GoalSection::remarkGoal()
{
    const std::optional<sweep::Goal> usual = usualGoal(m_objective->currentText());
    const bool isMaximized = m_goal->text() == "maximize"_L1;
    if (!usual || (*usual == sweep::Goal::Maximize) == isMaximized)
        m_goal->setNote({});
    else
        m_goal->setNote(isMaximized ? tr("Usually minimized") : tr("Usually maximized"));
}

void GoalSection::setReported(const QStringList &metrics)
{
    if (metrics == m_reported)
        return;
    m_reported = metrics;
    offerObjectives();
    remarkObjective();
}

void GoalSection::offerObjectives()
{
    QStringList names = m_reported;
    if (m_isBuiltin) {
        names.clear();
        for (const std::string &name : sweep::builtinObjectives())
            names << QString::fromStdString(name);
    }
    m_objectiveNames->setProposals(names);
    QStringList offered;
    for (int i = 0; i < m_objective->count(); ++i)
        offered << m_objective->itemText(i);
    if (names == offered)
        return;
    const QSignalBlocker blocker(m_objective);  // keeping the text is not an edit
    const QString text = m_objective->currentText();
    m_objective->clear();
    m_objective->addItems(names);
    m_objective->setEditText(text);
}

/// A misspelt objective spoils the whole sweep.
void GoalSection::remarkObjective()
{
    if (m_isBuiltin)
        m_objectiveField->setNote({});
    else if (m_reported.isEmpty())
        m_objectiveField->setNote(tr("A metric reported by your command"));
    else if (m_reported.contains(m_objective->currentText()))
        m_objectiveField->setNote(tr("Reported by your command"));
    else
        m_objectiveField->setNote(tr("Not reported so far. Reported: %1").arg(m_reported.join(u", "_s)));
}

void GoalSection::setChoice(const facts::Fact &choice)
{
    m_choice = choice;
    followMethod();
}

void GoalSection::followMethod()
{
    const QString method = m_method->text();  // empty: the default
    m_command->setVisible(method == "command"_L1);
    m_sampler->setVisible(method == "optuna"_L1);
    const std::vector<std::string> &learning = sweep::findKey("search.warm_start")->methods;
    m_warmStart->setVisible(std::ranges::find(learning, method.toStdString()) != learning.end());
    m_trials->setVisible(!method.isEmpty() && method != "grid"_L1);
    m_method->setNote(method == "auto"_L1 && m_choice
                          ? sentenceText(QString::fromStdString(wording::sentence(m_choice)))
                          : explanationOf(method));
}

void GoalSection::display(const SweepDraft &draft)
{
    m_isBuiltin = draft.worker() == sweep::WorkerKind::Builtin;
    offerObjectives();
    const QString objective = draft.value(u"sweep.objective"_s);
    if (m_objective->currentText() != objective)
        m_objective->setEditText(objective);
    remarkObjective();
    m_objectives->setRows(draft.objectives);
    FormSection::display(draft);
    followMethod();
    remarkGoal();
}

void GoalSection::readInto(SweepDraft &draft) const
{
    FormSection::readInto(draft);
    draft.objectives = m_objectives->rows();
    const QString before = draft.value(u"sweep.objective"_s);
    const QString after = m_objective->currentText();
    draft.setValue(u"sweep.objective"_s, after);
    // The goal follows the objective until the user changes it.
    const auto usual = [](const QString &objective) {
        return usualGoal(objective).value_or(sweep::Goal::Minimize) == sweep::Goal::Maximize ? u"maximize"_s
                                                                                             : QString();
    };
    if (after != before && draft.value(u"sweep.goal"_s) == usual(before))
        draft.setValue(u"sweep.goal"_s, usual(after));
}

}  // namespace sweepscope::ui
