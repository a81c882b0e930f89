#include "ui/trial/facttable.h"

#include "ui/actions/trialclipboard.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr int lineHeight = 24;
constexpr int headerRoom = 14;  ///< the style sheet's font is wider than the measured one
constexpr int leastWidth = 80;  ///< of a column, at the default text size

}  // namespace

FactTable::FactTable(const QString &name, FactsModel *model, int stretched, QWidget *parent)
    : QTableView(parent), m_stretched(stretched)
{
    setObjectName(name);
    setModel(model);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollMode(ScrollPerPixel);
    setWordWrap(false);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setTextElideMode(Qt::ElideRight);
    setMinimumHeight(lineHeight * (fewestRows + 1));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    followTextSize(verticalHeader(),
                   [header = verticalHeader()] { header->setDefaultSectionSize(textScaled(lineHeight)); });
    horizontalHeader()->setHighlightSections(false);
    m_fit.setSingleShot(true);
    m_fit.setInterval(0);
    connect(&m_fit, &QTimer::timeout, this, [this] {
        fitColumns();
        if (m_column)
            fitRows();
    });
    followTextSize(this, [this] { m_fit.start(); });
    const auto later = [this] { m_fit.start(); };
    connect(model, &QAbstractItemModel::dataChanged, this, later);
    connect(model, &QAbstractItemModel::rowsInserted, this, later);
    connect(model, &QAbstractItemModel::rowsRemoved, this, later);
    later();
    auto *copy = new QAction(tr("Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    addAction(copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &FactTable::copySelection);
    connect(this, &QTableView::activated, this, [this](const QModelIndex &index) {
        if (const QString target = index.data(FactsModel::targetRole).toString(); !target.isEmpty())
            Q_EMIT targetActivated(target);
    });
}

void FactTable::setEmptyText(const QString &text)
{
    m_emptyText = text;
    viewport()->update();
}

void FactTable::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (model()->rowCount() > 0 || m_emptyText.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setPen(subtleTextColor(palette()));
    const int margin = spacing::medium;
    painter.drawText(viewport()->rect().adjusted(margin, 0, -margin, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     m_emptyText);
}

void FactTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    m_fit.start();
}

/// Followers of the text size may be notified before the table has its new font.
void FactTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        m_fit.start();
}

/// The stretched column gets the remaining width; it keeps a readable minimum, and then the table scrolls.
void FactTable::fitColumns()
{
    const auto wanted = [this](int column) {
        return std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column) + headerRoom);
    };
    const int least = textScaled(leastWidth);
    const int leastStretched = std::min(wanted(m_stretched), least);
    int room = viewport()->width() - leastStretched;
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (column == m_stretched)
            continue;
        const int width = std::clamp(wanted(column), 0, std::max(room, least));
        horizontalHeader()->resizeSection(column, width);
        room -= width;
    }
    horizontalHeader()->resizeSection(m_stretched, leastStretched + std::max(room, 0));
}

void FactTable::fitRows()
{
    const auto heightOf = [this](int rows) {
        return horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize()
               + 2 * frameWidth();
    };
    const int needed = heightOf(std::max(1, model()->rowCount()));
    setMinimumHeight(heightOf(std::min(model()->rowCount(), m_rowsSeen)));
    setMaximumHeight(needed);
    if (!m_isMovedByHand)
        fitInColumn(needed);
}

void FactTable::setAsTallAsItsRows(QSplitter *column, int rowsSeen)
{
    m_column = column;
    m_rowsSeen = rowsSeen;
    connect(column, &QSplitter::splitterMoved, this, [this] { m_isMovedByHand = true; });
    m_fit.start();
}

void FactTable::fitInColumn(int needed)
{
    const int part = m_column->indexOf(parentWidget());
    QList<int> sizes = m_column->sizes();
    if (part < 0 || sizes.size() != 2 || !isVisible())
        return;
    const int all = sizes[0] + sizes[1];
    const int title = parentWidget()->minimumSizeHint().height() - minimumHeight();
    const int wanted = std::min(needed + title, all - all / 3);
    if (sizes[part] == wanted)
        return;
    sizes[part] = wanted;
    sizes[1 - part] = all - wanted;
    m_column->setSizes(sizes);
}

void FactTable::copySelection() const
{
    QList<int> rows;
    for (const QModelIndex &index : selectionModel()->selectedRows())
        rows << index.row();
    std::ranges::sort(rows);
    QGuiApplication::clipboard()->setText(rowsAsText(*model(), rows));
}

QWidget *titledTable(const QString &title, FactTable *table)
{
    return titledTable(new QLabel(title), table);
}

QWidget *titledTable(QLabel *title, FactTable *table)
{
    auto *box = new QWidget;
    setTextRole(title, TextRole::Emphasis);
    title->setBuddy(table);
    table->setAccessibleName(title->text());
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addWidget(title);
    layout->addWidget(table, 1);
    return box;
}

}  // namespace sweepscope::ui
