#include "ui/devices/devicetable.h"

#include "ui/devices/devicerowdelegate.h"
#include "ui/devices/devicerowsmodel.h"
#include "ui/theme/fonts.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <numeric>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using Column = DeviceRowsModel::Column;
constexpr int columns = DeviceRowsModel::columns;
constexpr int gpuColumn = static_cast<int>(Column::Gpu);
constexpr int useColumn = static_cast<int>(Column::Use);
constexpr int ruleColumn = static_cast<int>(Column::Rule);
constexpr int menuColumn = static_cast<int>(Column::Menu);

constexpr int usualRowHeight = 28;
constexpr int narrowestBar = 16;
constexpr int usualBar = 110;
constexpr int narrowestUse = 84;
constexpr int usualUse = 240;
constexpr int usualName = 150;
/// Weights of the columns in the distribution of extra width.
constexpr std::array<int, columns> shares{0, 2, 2, 0, 0, 3, 0, 0};

bool hasBar(int column)
{
    return column == static_cast<int>(Column::Utilization) || column == static_cast<int>(Column::Memory);
}

}  // namespace

DeviceTable::DeviceTable(DeviceRowsModel *model, QWidget *parent)
    : QTableView(parent), m_model(model), m_delegate(new DeviceRowDelegate(this))
{
    setObjectName(u"deviceTable"_s);
    setAccessibleName(tr("GPUs"));
    setModel(model);
    setItemDelegate(m_delegate);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionsClickable(false);
    horizontalHeader()->setHighlightSections(false);
    const auto fit = [this] {
        fitColumns();
        fitRows();
    };
    connect(model, &QAbstractItemModel::modelReset, this, fit);
    connect(model, &QAbstractItemModel::dataChanged, this, &DeviceTable::fitColumns);
    followTextSize(this, fit);
}

void DeviceTable::fitRows()
{
    verticalHeader()->setDefaultSectionSize(textScaled(usualRowHeight));
    const int scrollBar =
        horizontalHeader()->length() > viewport()->width() ? horizontalScrollBar()->sizeHint().height() : 0;
    setFixedHeight(horizontalHeader()->sizeHint().height() + m_model->rowCount() * textScaled(usualRowHeight)
                   + scrollBar + 2 * frameWidth());
}

int DeviceTable::widestText(int column) const
{
    const QFontMetrics metrics = column == gpuColumn ? QFontMetrics(emphasisFont(font())) : fontMetrics();
    int widest = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
        widest = std::max(widest, metrics.horizontalAdvance(
                                      m_model->index(row, column).data(DeviceRowsModel::WidestRole).toString()));
    return widest;
}

/// The text that must be readable at any width.
int DeviceTable::leastWidth(int column) const
{
    int width = DeviceRowDelegate::margins() + widestText(column);
    if (hasBar(column))
        width += textScaled(narrowestBar) + spacing::small;
    else if (column == useColumn)
        width = textScaled(narrowestUse);
    else if (column == ruleColumn || column == menuColumn)
        width = sizeHintForColumn(column);
    return std::max(width, horizontalHeader()->sectionSizeHint(column));
}

int DeviceTable::leastWidthOfAll() const
{
    int width = 0;
    for (int column = 0; column < columns; ++column)
        width += isColumnHidden(column) ? 0 : leastWidth(column);
    return width;
}

int DeviceTable::usualWidth(int column) const
{
    if (hasBar(column))
        return leastWidth(column) + textScaled(usualBar - narrowestBar);
    if (column == useColumn)
        return leastWidth(column) + textScaled(usualUse - narrowestUse);
    if (column == gpuColumn && m_model->sharedName().isEmpty())
        return leastWidth(column) + textScaled(usualName);
    return leastWidth(column);
}

/// Bars and names get their usual width first, then the extra width.
void DeviceTable::fitColumns()
{
    setColumnHidden(ruleColumn, !m_model->hasRules());
    m_model->setBrief(false);
    m_model->setBrief(leastWidthOfAll() > viewport()->width());
    std::array<int, columns> least{};
    std::array<int, columns> wish{};
    int wishOfAll = 0;
    for (int column = 0; column < columns; ++column) {
        if (isColumnHidden(column))
            continue;
        const auto place = static_cast<std::size_t>(column);
        least[place] = leastWidth(column);
        wish[place] = usualWidth(column) - least[place];
        wishOfAll += wish[place];
    }
    const int spare = std::max(0, viewport()->width() - leastWidthOfAll());
    const int granted = std::min(spare, wishOfAll);
    for (int column = 0; column < columns; ++column) {
        const auto place = static_cast<std::size_t>(column);
        if (hasBar(column))
            m_delegate->setNumberWidth(column, widestText(column));
        const int part = (spare - granted) * shares[place] / std::accumulate(shares.begin(), shares.end(), 0);
        if (!isColumnHidden(column))
            setColumnWidth(column, least[place] + (wishOfAll > 0 ? granted * wish[place] / wishOfAll : 0) + part);
    }
    if (const int unused = viewport()->width() - horizontalHeader()->length(); unused > 0)
        setColumnWidth(useColumn, columnWidth(useColumn) + unused);
    viewport()->update();
}

void DeviceTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
    fitRows();
}

void DeviceTable::requestMenu(int row)
{
    const QRect cell = visualRect(m_model->index(row, menuColumn));
    Q_EMIT menuRequested(row, viewport()->mapToGlobal(cell.bottomLeft()));
}

void DeviceTable::keyPressEvent(QKeyEvent *event)
{
    const QModelIndex current = currentIndex();
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!current.isValid() || (!isEnter && event->key() != Qt::Key_Space)) {
        QTableView::keyPressEvent(event);
        return;
    }
    if (current.column() == menuColumn)
        requestMenu(current.row());
    else if (isEnter)
        Q_EMIT rowChosen(current.row());
}

void DeviceTable::mouseReleaseEvent(QMouseEvent *event)
{
    QTableView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && index.isValid() && index.column() == menuColumn)
        requestMenu(index.row());
}

void DeviceTable::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && index.isValid() && index.column() != menuColumn)
        Q_EMIT rowChosen(index.row());
}

void DeviceTable::contextMenuEvent(QContextMenuEvent *event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (currentIndex().isValid())
            requestMenu(currentIndex().row());
        return;
    }
    const QModelIndex index = indexAt(viewport()->mapFromGlobal(event->globalPos()));
    if (index.isValid())
        Q_EMIT menuRequested(index.row(), event->globalPos());
}

}  // namespace sweepscope::ui
