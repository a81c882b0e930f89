#include "ui/home/sweepsidebar.h"

#include "ui/base/selectionmodel.h"
#include "ui/home/exampletitles.h"
#include "ui/home/sweepitemdelegate.h"
#include "ui/home/wholerowlist.h"
#include "ui/models/installedworker.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPaintEvent>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

SweepSideBar::SweepSideBar(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_selection(selection),
      m_model(new SweepListModel(wallNow, this)),
      m_pages(new QVBoxLayout),
      m_list(buildList(u"sweepList"_s, tr("Sweeps"))),
      m_title(buildTitle(tr("Sweeps"))),
      m_stack(new QStackedWidget(this)),
      m_runsTitle(buildTitle(tr("Runs"))),
      m_runs(buildList(u"runList"_s, tr("Runs"))),
      m_examples(new QMenu(this))
{
    setObjectName(u"sweepSideBar"_s);
    auto *empty = new QLabel(this);
    const auto sayWhy = [this, empty] {
        empty->setText(m_hasLoaded || m_client->isConnected() ? tr("No sweeps yet") : tr("Loading sweeps…"));
    };
    sayWhy();
    for (const auto signal : {&protocol::EngineClient::connected, &protocol::EngineClient::sweepsChanged})
        connect(m_client, signal, empty, [this, sayWhy] {
            m_hasLoaded = true;
            sayWhy();
        });
    connect(m_client, &protocol::EngineClient::disconnected, empty, [this, sayWhy] {
        m_hasLoaded = true;
        sayWhy();
    });
    empty->setWordWrap(true);
    empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    empty->setForegroundRole(QPalette::PlaceholderText);
    empty->setContentsMargins(spacing::large, 0, spacing::large, 0);
    m_stack->addWidget(empty);
    m_stack->addWidget(m_list);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, spacing::medium, 0, 0);
    layout->setSpacing(spacing::small);
    m_pages->setContentsMargins(spacing::small, 0, spacing::small, 0);
    m_pages->setSpacing(2);
    layout->addLayout(m_pages);
    layout->addSpacing(spacing::small);
    layout->addLayout(buildActions());
    layout->addSpacing(spacing::small);
    layout->addWidget(m_title);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_runsTitle);
    layout->addWidget(m_runs, 1);

    m_update.setSingleShot(true);
    m_update.setInterval(100ms);
    connect(&m_update, &QTimer::timeout, this, &SweepSideBar::updateChanged);
    connect(m_client, &protocol::EngineClient::sweepsChanged, this, &SweepSideBar::sweepsChanged);
    connect(m_selection, &SelectionModel::changed, this, [this](const Selection &now, const Selection &before) {
        if (now.sweepId != before.sweepId)
            selectSweep(now.sweepId);
    });
    connect(m_client, &protocol::EngineClient::trialsChanged, this, [this](qint64 sweepId) {
        m_changed.insert(sweepId);
        if (!m_update.isActive())
            m_update.start();
    });
    sweepsChanged();
}

void SweepSideBar::addPage(QAbstractButton *button)
{
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    if (auto *tool = qobject_cast<QToolButton *>(button))
        tool->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_pages->addWidget(button);
}

void SweepSideBar::markSelected(bool mark)
{
    if (std::exchange(m_marksSelected, mark) != mark)
        selectSweep(m_selection->current().sweepId);
}

QPushButton *SweepSideBar::addButton(const QString &name, const QString &icon, const QString &text,
                                     const QString &toolTip)
{
    auto *button = new QPushButton(symbolIcon(icon), text, this);
    button->setObjectName(name);
    button->setToolTip(toolTip);
    return button;
}

QLayout *SweepSideBar::buildActions()
{
    QPushButton *create = addButton(u"newSweepButton"_s, u"new"_s, tr("New sweep"), {});
    // A sweep that cannot be started need not be created; files and examples can still be viewed.
    const auto followReadOnly = [this, create] {
        create->setEnabled(!m_client->isReadOnly());
        create->setToolTip(m_client->isReadOnly() ? tr("This window is read-only") : tr("Create a new sweep (Ctrl+N)"));
    };
    followReadOnly();
    connect(m_client, &protocol::EngineClient::readOnlyChanged, create, followReadOnly);
    connect(create, &QPushButton::clicked, this, &SweepSideBar::newRequested);
    QPushButton *open = addButton(u"openSweepButton"_s, u"open"_s, tr("Open…"), tr("Open a sweep file (Ctrl+O)"));
    connect(open, &QPushButton::clicked, this, &SweepSideBar::openRequested);
    QPushButton *example =
        addButton(u"exampleButton"_s, u"example"_s, tr("Example"), tr("Start from an example sweep"));
    example->setMenu(m_examples);
    m_examples->setObjectName(u"exampleMenu"_s);
    m_examples->setToolTipsVisible(true);
    connect(m_examples, &QMenu::aboutToShow, this, [this] { fillExamples(m_examples); });

    auto *row = new QHBoxLayout;
    row->setSpacing(spacing::small);
    row->addWidget(open, 1);
    row->addWidget(example, 1);
    auto *actions = new QVBoxLayout;
    actions->setContentsMargins(spacing::medium, 0, spacing::medium, 0);
    actions->setSpacing(spacing::small);
    actions->addWidget(create);
    actions->addLayout(row);
    return actions;
}

QLabel *SweepSideBar::buildTitle(const QString &text)
{
    auto *title = new QLabel(text, this);
    setTextRole(title, TextRole::Emphasis);
    title->setForegroundRole(QPalette::PlaceholderText);
    title->setContentsMargins(spacing::large, 0, 0, 0);
    return title;
}

QListView *SweepSideBar::buildList(const QString &name, const QString &title)
{
    auto *list = new WholeRowList(this);
    list->setObjectName(name);
    list->setAccessibleName(title);
    list->setModel(m_model);
    list->setItemDelegate(new SweepItemDelegate(list));
    list->setFrameShape(QFrame::NoFrame);
    list->setStyleSheet(u"QListView { border: none; background: transparent; }"_s);
    list->setMouseTracking(true);
    list->setUniformItemSizes(true);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(list, &QWidget::customContextMenuRequested, this,
            [this, list](const QPoint &position) { showMenu(list, position); });
    connect(list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &current) {
        if (!m_selecting && current.isValid())
            Q_EMIT sweepSelected(m_model->sweepId(current.row()));
    });
    connect(list, &QListView::clicked, this,
            [this](const QModelIndex &index) { Q_EMIT sweepSelected(m_model->sweepId(index.row())); });
    return list;
}

void SweepSideBar::fillExamples(QMenu *menu)
{
    menu->clear();
    const std::filesystem::path worker = m_client->isMirror() ? std::filesystem::path() : workerOfEngine();
    for (const QString &path : exampleFiles()) {
        const QString whyNot = whyExampleCannotStart(path, worker);
        const QString title = exampleTitle(path);
        QAction *action =
            menu->addAction(symbolIcon(u"example"_s), whyNot.isEmpty() ? title : u"%1 · %2"_s.arg(title, whyNot), this,
                            [this, path] { Q_EMIT exampleRequested(path); });
        action->setEnabled(whyNot.isEmpty());
        action->setToolTip(QFileInfo(path).fileName());
    }
    if (menu->isEmpty())
        menu->addAction(tr("No examples installed"))->setEnabled(false);
}

qint64 SweepSideBar::currentSweep() const
{
    const QModelIndex current = m_runs->currentIndex().isValid() ? m_runs->currentIndex() : m_list->currentIndex();
    return current.isValid() ? m_model->sweepId(current.row()) : 0;
}

void SweepSideBar::selectSweep(qint64 sweepId)
{
    const int row = m_model->rowOf(sweepId);
    const bool isRun = row >= 0 && m_model->index(row).data(SweepListModel::IsRunRole).toBool();
    m_selecting = true;
    for (QListView *list : {m_list, m_runs}) {
        const bool isIn = row >= 0 && (list == m_runs) == isRun;
        list->setCurrentIndex(isIn ? m_model->index(row) : QModelIndex());
        if (!isIn || !m_marksSelected)
            list->clearSelection();
    }
    m_selecting = false;
    filterLists();
}

void SweepSideBar::sweepsChanged()
{
    m_selecting = true;
    m_model->setSweeps(m_client->sweeps());
    m_selecting = false;
    selectSweep(m_selection->current().sweepId);
    for (const sweep::SweepRecord &record : m_client->sweeps())
        m_changed.insert(record.id);
    updateChanged();
    filterLists();
}

void SweepSideBar::filterLists()
{
    m_sweepRows = 0;
    m_runRows = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row);
        const bool isRun = index.data(SweepListModel::IsRunRole).toBool();
        const bool isArchived = index.data(SweepListModel::ArchivedRole).toBool();
        m_list->setRowHidden(row, isArchived || isRun);
        m_runs->setRowHidden(row, isArchived || !isRun);
        m_sweepRows += m_list->isRowHidden(row) ? 0 : 1;
        m_runRows += m_runs->isRowHidden(row) ? 0 : 1;
    }
    m_stack->setCurrentIndex(m_sweepRows > 0 ? 1 : 0);
    m_title->setVisible(m_sweepRows > 0 || m_runRows == 0);
    m_stack->setVisible(m_sweepRows > 0 || m_runRows == 0);
    m_runsTitle->setVisible(m_runRows > 0);
    m_runs->setVisible(m_runRows > 0);
    fitLists();
}

void SweepSideBar::fitLists()
{
    const int row = m_runs->sizeHintForRow(0);
    const bool areBoth = m_sweepRows > 0 && m_runRows > 0 && row > 0;
    const int rows = areBoth ? (m_stack->height() + m_runs->height()) / row : 0;
    m_runs->setMaximumHeight(areBoth ? rowsOfLowerList(rows, m_sweepRows, m_runRows) * row : QWIDGETSIZE_MAX);
    m_runs->setMinimumHeight(areBoth ? m_runs->maximumHeight() : 0);
}

bool SweepSideBar::event(QEvent *event)
{
    const bool isHandled = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        fitLists();  // the layout has their heights now
    return isHandled;
}

void SweepSideBar::updateChanged()
{
    for (const qint64 sweepId : std::exchange(m_changed, {}))
        m_model->setTrials(sweepId, m_client->trials(sweepId));
}

void SweepSideBar::paintEvent(QPaintEvent *event)
{
    QPainter(this).fillRect(event->rect(), sidePanelColor(palette()));
}

void SweepSideBar::showMenu(QListView *list, const QPoint &position)
{
    const QModelIndex index = list->indexAt(position);
    if (!index.isValid())
        return;
    const qint64 sweepId = m_model->sweepId(index.row());
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"sweepMenu"_s);
    addSweepActions(menu, {m_model->record(index.row())}, m_client->isReadOnly(),
                    [this, sweepId](SweepRequest request) { Q_EMIT requested(request, {sweepId}); });
    menu->popup(list->viewport()->mapToGlobal(position));
}

}  // namespace sweepscope::ui
