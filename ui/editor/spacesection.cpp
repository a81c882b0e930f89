#include "ui/editor/spacesection.h"

#include "sweep/keys.h"
#include "ui/editor/celltableview.h"
#include "ui/editor/constraintmodel.h"
#include "ui/editor/editabletable.h"
#include "ui/editor/kinddelegate.h"
#include "ui/editor/namedelegate.h"
#include "ui/editor/previewdelegate.h"
#include "ui/editor/spacemodel.h"

#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
SpaceSection::SpaceSection(QWidget *parent)
    : FormSection(tr("Search space"), tr("One row per parameter that varies between trials."), parent),
      m_model(new SpaceModel(this)),
      m_names(new NameDelegate(this)),
      m_table(new EditableTable(m_model, u"space"_s, tr("&Add parameter"), this))
{
    CellTableView *view = m_table->view();
    view->setAccessibleName(tr("Search space"));
    view->setItemDelegate(new CellDelegate(this));
    view->setItemDelegateForColumn(static_cast<int>(SpaceColumn::Name), m_names);
    view->setItemDelegateForColumn(static_cast<int>(SpaceColumn::Kind), new KindDelegate(this));
    view->setItemDelegateForColumn(static_cast<int>(SpaceColumn::Preview), new PreviewDelegate(this));
    view->setColumnWidths({{72, 3}, {104, 0}, {88, 2}, {56, 2}, {64, 0}, {64, 3}, {148, 5}});
    m_table->setEmptyText(tr("No parameters: the sweep has a single trial."));
    body()->addWidget(m_table);
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
      m_model(new ConstraintModel(this)),
      m_table(new EditableTable(m_model, u"constraints"_s, tr("Add &constraint"), this))
{
    CellTableView *view = m_table->view();
    view->setAccessibleName(tr("Constraints"));
    view->setItemDelegate(new CellDelegate(this));
    view->setColumnWidths({{120, 1}, {240, 4}});
    m_table->setEmptyText(tr("No constraints: all combinations are allowed."));
    body()->addWidget(m_table);
    connect(m_model, &ConstraintModel::edited, this,
            [this](const QString &place) { Q_EMIT edited(u"constraints "_s + place); });
}

void ConstraintSection::display(const SweepDraft &draft)
{
    m_model->setRows(draft.constraints);
}

void ConstraintSection::readInto(SweepDraft &draft) const
{
    draft.constraints = m_model->rows();
}

}  // namespace sweepscope::ui
