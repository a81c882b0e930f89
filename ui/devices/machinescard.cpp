#include "ui/devices/machinescard.h"

#include "ui/devices/machinerowsmodel.h"
#include "ui/devices/subtlelabel.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int machineRowHeight = 28;
constexpr int mostRows = 6;    ///< without scrolling
constexpr int fewestRows = 2;  ///< that a small window shows
constexpr int columnGap = 24;
constexpr int leastState = 180;  ///< width of the state

}  // namespace

MachinesCard::MachinesCard(QWidget *parent)
    : QFrame(parent),
      m_model(new MachineRowsModel(this)),
      m_table(new QTableView(this)),
      m_engineNote(subtleLabel(tr("The engine runs on this machine. While it sleeps, trials on other machines keep "
                                  "running, and no new trials start."),
                               this))
{
    setObjectName(u"machinesCard"_s);
    setProperty("card", true);
    auto *title = new QLabel(tr("Machines"), this);
    setTextRole(title, TextRole::Emphasis);
    title->setContentsMargins(spacing::small, 0, spacing::small, 0);
    m_engineNote->setContentsMargins(spacing::small, 0, spacing::small, 0);
    m_engineNote->setWordWrap(true);
    m_table->setObjectName(u"machinesTable"_s);
    m_table->setAccessibleName(tr("Machines"));
    m_table->setModel(m_model);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QTableView::SelectRows);
    m_table->setSelectionMode(QTableView::SingleSelection);
    m_table->setEditTriggers(QTableView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setVerticalScrollMode(QTableView::ScrollPerPixel);
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setSectionsClickable(false);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::small, spacing::medium, spacing::small, spacing::small);
    layout->setSpacing(spacing::tiny);
    layout->addWidget(title);
    layout->addWidget(m_table);
    layout->addWidget(m_engineNote);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &row) {
        if (m_isFilling || !row.isValid() || m_model->name(row.row()) == m_chosen)
            return;
        m_chosen = m_model->name(row.row());
        Q_EMIT machineChosen(m_chosen);
    });
    followTextSize(this, [this] { fit(); });
}

void MachinesCard::showMachines(const std::vector<protocol::DeviceStatus> &here,
                                const std::vector<protocol::MachineStatus> &others)
{
    m_isFilling = true;
    m_model->showMachines(here, others);
    int row = m_model->rowOf(m_chosen);
    if (row < 0) {  // it was removed
        m_chosen.clear();
        row = 0;
    }
    if (m_table->currentIndex().row() != row)
        m_table->selectRow(row);
    m_isFilling = false;
    fit();
}

void MachinesCard::setEngineIsHere(bool isHere)
{
    m_engineNote->setVisible(isHere);
}

void MachinesCard::fit()
{
    const int rows = std::min(m_model->rowCount(), mostRows);
    m_table->verticalHeader()->setDefaultSectionSize(textScaled(machineRowHeight));
    const auto heightOf = [this](int count) {
        return m_table->horizontalHeader()->sizeHint().height() + count * textScaled(machineRowHeight)
               + 2 * m_table->frameWidth();
    };
    m_table->setMinimumHeight(heightOf(std::min(rows, fewestRows)));  // in a small window with large text
    m_table->setMaximumHeight(heightOf(rows));
    using Column = MachineRowsModel::Column;
    for (int column = 0; column < MachineRowsModel::columns; ++column)
        m_table->setColumnHidden(column, column == static_cast<int>(Column::Gpus) && !m_model->hasGpus());
    m_table->resizeColumnsToContents();
    int used = 0;
    for (int column = 0; column + 1 < MachineRowsModel::columns; ++column) {
        m_table->setColumnWidth(column, m_table->columnWidth(column) + textScaled(columnGap));
        used += m_table->columnWidth(column);
    }
    // The state matters more than numbers that other places have, too.
    for (const Column less : {Column::Clock, Column::Trials, Column::Cores}) {
        if (used + textScaled(leastState) <= m_table->viewport()->width())
            break;
        used -= m_table->columnWidth(static_cast<int>(less));
        m_table->setColumnHidden(static_cast<int>(less), true);
    }
}

bool MachinesCard::eventFilter(QObject *watched, QEvent *event)
{
    const QModelIndex current = m_table->currentIndex();
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && !m_model->name(current.row()).isEmpty()) {
            if (m_whyFixed.isEmpty())
                Q_EMIT editRequested(m_model->name(current.row()));
            return true;
        }
    }
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fit();
    if (event->type() == QEvent::ContextMenu) {
        auto *menu = static_cast<QContextMenuEvent *>(event);
        const bool isByKey = menu->reason() == QContextMenuEvent::Keyboard;
        const QModelIndex index =
            isByKey ? current : m_table->indexAt(m_table->viewport()->mapFromGlobal(menu->globalPos()));
        if (index.isValid())
            showMenu(index.row(), isByKey ? m_table->viewport()->mapToGlobal(m_table->visualRect(index).bottomLeft())
                                          : menu->globalPos());
        return true;
    }
    if (watched == m_table->viewport() && event->type() == QEvent::MouseButtonDblClick && m_whyFixed.isEmpty()) {
        const QString name =
            m_model->name(m_table->indexAt(static_cast<QMouseEvent *>(event)->position().toPoint()).row());
        if (!name.isEmpty())
            Q_EMIT editRequested(name);
    }
    return QFrame::eventFilter(watched, event);
}

void MachinesCard::showMenu(int row, const QPoint &place)
{
    const QString name = m_model->name(row);
    if (name.isEmpty())
        return;
    auto *menu = new QMenu(this);
    menu->setObjectName(u"machineRowMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const auto add = [&](const QString &text, void (MachinesCard::*signal)(const QString &)) {
        QAction *action = menu->addAction(text, this, [this, signal, name] { Q_EMIT(this->*signal)(name); });
        action->setEnabled(m_whyFixed.isEmpty());
        action->setToolTip(m_whyFixed);
    };
    add(tr("&Edit…"), &MachinesCard::editRequested);
    add(tr("&Check…"), &MachinesCard::checkRequested);
    add(tr("&Remove…"), &MachinesCard::removeRequested);
    menu->popup(place);
}

}  // namespace sweepscope::ui
