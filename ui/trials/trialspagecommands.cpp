// What can be done with the rows of the table: menus, keys and the clipboard.
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "ui/trials/markdialog.h"
#include "ui/trials/trialclipboard.h"
#include "ui/trials/trialcolumns.h"
#include "ui/trials/trialcommands.h"
#include "ui/trials/trialfilterbar.h"
#include "ui/trials/trialspage.h"
#include "ui/trials/trialtable.h"
#include "ui/trials/trialundo.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void TrialsPage::addKeys()
{
    const auto add = [this](QWidget *widget, const QKeySequence &keys, auto &&act) {
        auto *action = new QAction(widget);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        widget->addAction(action);
        connect(action, &QAction::triggered, this, act);
    };
    add(m_table, QKeySequence::Copy, [this] { copySelectedRows(); });
    add(m_table, Qt::Key_S, [this] {
        const std::vector<int> trials = m_table->selectedTrials();
        const bool allStarred = std::ranges::all_of(
            trials, [this](int trial) { return m_model->trial(m_model->rowOf(trial)).mark.starred; });
        setStarred(trials, !allStarred);
    });
    add(m_table, Qt::Key_N, [this] { editMarks(m_table->selectedTrials()); });
    add(m_table, Qt::Key_O, [this] { sortByCurrentColumn(); });
    add(m_table, Qt::ALT | Qt::Key_Left, [this] { m_columns->move(m_table->currentIndex().column(), -1); });
    add(m_table, Qt::ALT | Qt::Key_Right, [this] { m_columns->move(m_table->currentIndex().column(), 1); });
    add(this, QKeySequence::Undo, [this] { m_undo->undo(); });
    add(this, QKeySequence::Find, [this] { m_bar->focusFilter(); });
}

/// What a click on its title does.
void TrialsPage::sortByCurrentColumn()
{
    const int column = m_table->currentIndex().column();
    if (column < 0)
        return;
    const QHeaderView *header = m_table->horizontalHeader();
    const bool isRising =
        header->sortIndicatorSection() == column && header->sortIndicatorOrder() == Qt::AscendingOrder;
    m_table->sortByColumn(column, isRising ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void TrialsPage::showRowMenu(const QPoint &position)
{
    const QModelIndex cell = m_table->indexAt(position);
    const int number = m_table->currentTrial();
    if (number == 0 || !cell.isValid() || m_rows->group(cell.row()))
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"trialMenu"_s);
    QAction *details = menu->addAction(symbolIcon(u"trial"_s), tr("Show details"), this,
                                       [this, number] { Q_EMIT trialActivated(m_sweepId, number); });
    details->setShortcut(Qt::Key_Return);
    menu->setDefaultAction(details);
    menu->addAction(symbolIcon(u"live"_s), tr("Show curves"), this,
                    [this, number] { Q_EMIT liveRequested(m_sweepId, number); });
    menu->addAction(symbolIcon(u"logs"_s), tr("Show logs"), this,
                    [this, number] { Q_EMIT logsRequested(m_sweepId, number); });
    const std::vector<int> trials = m_table->selectedTrials();
    menu->addSeparator();
    addMarkCommands(menu, trials);
    menu->addSeparator();
    addTrialCommands(menu, m_client, m_undo, m_sweepId, trials, this);
    QAction *undo = menu->addAction(symbolIcon(u"undo"_s), tr("Undo"), m_undo, &TrialUndo::undo);
    undo->setObjectName(u"undoTrials"_s);
    undo->setShortcut(QKeySequence::Undo);
    undo->setToolTip(tr("Takes back what was changed here last: stars, tags and notes, the order of trials that wait, "
                        "and stopping them"));
    undo->setEnabled(m_undo->canUndo() && !m_client->isReadOnly());
    menu->addSeparator();
    addFilterCommand(menu, cell);
    QAction *sort = menu->addAction(tr("Sort by %1").arg(m_model->headerData(cell.column(), Qt::Horizontal).toString()),
                                    this, &TrialsPage::sortByCurrentColumn);
    sort->setObjectName(u"sortByCell"_s);
    sort->setShortcut(Qt::Key_O);
    const sweep::TrialRecord &trial = m_model->trial(m_model->rowOf(number));
    menu->addAction(symbolIcon(u"copy"_s), tr("Copy parameters as JSON"), this,
                    [json = parametersAsJson(trial)] { QGuiApplication::clipboard()->setText(json); });
    menu->addAction(tr("Copy rows"), QKeySequence::Copy, this, &TrialsPage::copySelectedRows);
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void TrialsPage::addMarkCommands(QMenu *menu, const std::vector<int> &trials)
{
    const bool anyUnstarred =
        std::ranges::any_of(trials, [this](int trial) { return !m_model->trial(m_model->rowOf(trial)).mark.starred; });
    QAction *star = menu->addAction(symbolIcon(anyUnstarred ? u"starred"_s : u"star"_s),
                                    anyUnstarred ? tr("Star") : tr("Remove star"), this,
                                    [this, trials, anyUnstarred] { setStarred(trials, anyUnstarred); });
    star->setObjectName(u"starTrials"_s);
    star->setShortcut(Qt::Key_S);
    star->setEnabled(!m_client->isReadOnly());
    QAction *mark =
        menu->addAction(symbolIcon(u"note"_s), tr("Note and tags…"), this, [this, trials] { editMarks(trials); });
    mark->setObjectName(u"markTrials"_s);
    mark->setShortcut(Qt::Key_N);
    mark->setEnabled(!m_client->isReadOnly());
}

/// “Only lr = 0.01”, of what stands under the pointer.
void TrialsPage::addFilterCommand(QMenu *menu, const QModelIndex &cell)
{
    using Column = TrialTableModel::Column;
    const sweep::TrialRecord &trial = m_model->trial(m_model->rowOf(m_rows->trialAt(cell.row())));
    QString condition;
    if (m_model->columnKind(cell.column()) == Column::Parameter) {
        const std::string name = m_model->columnId(cell.column()).mid(u"parameter."_s.size()).toStdString();
        if (const sweep::ParameterValue *value = sweep::find(trial.parameters, name))
            condition = u"%1 = %2"_s.arg(TrialFilter::parameterName(QString::fromStdString(name)),
                                         TrialFilter::quoted(exactText(*value)));
    } else if (m_model->columnKind(cell.column()) == Column::State) {
        condition = u"%1 = %2"_s.arg(m_model->parameterSection(u"state"_s) < 0 ? u"state"_s : u"trial.state"_s,
                                     QString::fromStdString(sweep::toString(trial.state)));
    }
    if (condition.isEmpty())
        return;
    QAction *action = menu->addAction(symbolIcon(u"filter"_s), tr("Only %1").arg(condition), this,
                                      [this, condition] { m_bar->addCondition(condition); });
    action->setObjectName(u"filterByCell"_s);
}

void TrialsPage::setStarred(const std::vector<int> &trials, bool starred)
{
    if (trials.empty())
        return;
    sweep::Control control;
    control.action = sweep::Control::Action::Mark;
    control.trials = trials;
    control.mark.starred = starred;
    m_undo->send(m_sweepId, control);
}

void TrialsPage::editMarks(const std::vector<int> &trials)
{
    if (trials.empty() || m_client->isReadOnly())
        return;
    auto *dialog = new MarkDialog(m_client, m_sweepId, trials, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    // What was written is to be seen.
    connect(dialog, &MarkDialog::marked, this, [this, trials](const sweep::MarkChange &change) {
        sweep::Control control;
        control.action = sweep::Control::Action::Mark;
        control.trials = trials;
        control.mark = change;
        m_undo->remember(m_sweepId, control);  // the engine has not answered yet
        if (!change.addedTags.empty())
            m_columns->show(u"tags"_s);
        if (change.note && !change.note->empty())
            m_columns->show(u"note"_s);
    });
    dialog->open();
}

void TrialsPage::copySelectedRows() const
{
    QList<int> rows;
    for (const int trial : m_table->selectedTrials())
        rows << m_rows->rowOfTrial(trial);
    QGuiApplication::clipboard()->setText(rowsAsText(*m_rows, rows, m_columns->shownSections()));
}

}  // namespace sweepscope::ui
