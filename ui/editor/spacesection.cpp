#include "ui/editor/spacesection.h"

#include "sweep/keys.h"
#include "ui/editor/celltableview.h"
#include "ui/editor/choicedelegate.h"
#include "ui/editor/constraintmodel.h"
#include "ui/editor/editabletable.h"
#include "ui/editor/namedelegate.h"
#include "ui/editor/previewdelegate.h"
#include "ui/editor/spacemodel.h"

#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
SpaceSection::SpaceSection(QWidget *parent)
    : FormSection(tr("Search space"), tr("One row per parameter that varies between trials."), parent),
      m_model(new SpaceModel(this)),
      m_names(new NameDelegate(this))
{
    auto *table = new EditableTable(m_model, u"space"_s, tr("&Add parameter"), this);
    CellTableView *view = table->view();
    view->setAccessibleName(tr("Search space"));
    view->setItemDelegate(new CellDelegate(this));
    view->setItemDelegateForColumn(static_cast<int>(SpaceColumn::Name), m_names);
    view->setItemDelegateForColumn(static_cast<int>(SpaceColumn::Kind),
                                   new ChoiceDelegate(SpaceModel::kindNames(), this));
    view->setItemDelegateForColumn(static_cast<int>(SpaceColumn::Preview), new PreviewDelegate(this));
    view->setColumnWidths({{72, 3}, {104, 0}, {88, 2}, {56, 2}, {64, 0}, {64, 3}, {148, 5}});
    table->setEmptyText(tr("No parameters: the sweep has a single trial."));
    body()->addWidget(table);
    connect(m_model, &SpaceModel::edited, this, [this](const QString &place) { Q_EMIT edited(u"space "_s + place); });
}

void SpaceSection::display(const SweepDraft &draft)
{
    QStringList names;
    if (draft.worker() == sweep::WorkerKind::Builtin)
        for (const sweep::Key &setting : sweep::builtinSettings())
            names += QString::fromStdString(setting.name);
    m_names->setProposals(names);
    m_model->setMethod(draft.method());
    m_model->setRows(draft.space);
}

void SpaceSection::readInto(SweepDraft &draft) const
{
    draft.space = m_model->rows();
}

ConstraintSection::ConstraintSection(QWidget *parent)
    : FormSection(tr("Constraints"), QString(), parent),
      m_onParameters(new ConstraintModel(tr("Only trials that satisfy this expression run"),
                                         tr("e.g. batch_size * ranks <= 256"), this)),
      m_onResults(new ConstraintModel(tr("Only trials whose results satisfy this expression can be the best"),
                                      tr("e.g. peak_memory < 40"), this))
{
    EditableTable *table = addTable(m_onParameters, u"constraints"_s, tr("Add &constraint"));
    table->view()->setAccessibleName(tr("Constraints"));
    table->setEmptyText(tr("No constraints: all combinations are allowed."));
    addTable(m_onResults, u"outcome_constraints"_s, tr("Add result constraint"))
        ->view()
        ->setAccessibleName(tr("Constraints on results"));
}

EditableTable *ConstraintSection::addTable(ConstraintModel *model, const QString &name, const QString &addText)
{
    auto *table = new EditableTable(model, name, addText, this);
    table->view()->setItemDelegate(new CellDelegate(this));
    table->view()->setColumnWidths({{120, 1}, {240, 4}});
    body()->addWidget(table);
    connect(model, &ConstraintModel::edited, this,
            [this, name](const QString &place) { Q_EMIT edited(name + u' ' + place); });
    return table;
}

void ConstraintSection::display(const SweepDraft &draft)
{
    m_onParameters->setRows(draft.constraints);
    m_onResults->setRows(draft.outcomeConstraints);
}

void ConstraintSection::readInto(SweepDraft &draft) const
{
    draft.constraints = m_onParameters->rows();
    draft.outcomeConstraints = m_onResults->rows();
}

}  // namespace sweepscope::ui
