#include "ui/plot/curvelegend.h"

#include "ui/plot/legenddelegate.h"

#include <QKeyEvent>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr int fewestCharacters = 25;  ///< characters that it has room for
constexpr int mostCharacters = 40;
constexpr int scrollBarRoom = 20;

}  // namespace

CurveLegend::CurveLegend(QWidget *parent) : QListView(parent), m_model(new LegendModel(this))
{
    setModel(m_model);
    setItemDelegate(new LegendDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setStyleSheet(QStringLiteral("QListView { border: none; border-radius: 0; }"));  // one surface with the plots
    setSelectionMode(QAbstractItemView::NoSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setUniformItemSizes(false);
    setAccessibleName(tr("Curves and values"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    viewport()->setMouseTracking(true);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { widen(true); });
    connect(m_model, &QAbstractItemModel::dataChanged, this, [this] { widen(false); });
    connect(this, &QListView::entered, this, &CurveLegend::point);
    connect(this, &QListView::viewportEntered, this, [this] { point({}); });
    connect(this, &QListView::clicked, this, &CurveLegend::toggle);
    connect(this, &QListView::doubleClicked, this, &CurveLegend::isolate);
}

QSize CurveLegend::sizeHint() const
{
    const int character = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    return {std::clamp(m_widest, fewestCharacters * character, mostCharacters * character) + scrollBarRoom, 200};
}

void CurveLegend::widen(bool isAnew)
{
    if (isAnew)
        m_longest = m_widest = 0;
    qsizetype longest = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
        longest = std::max(longest, m_model->index(row).data(Qt::AccessibleTextRole).toString().size());
    if (longest <= m_longest)
        return;
    m_longest = longest;
    const int before = sizeHint().width();
    m_widest = std::max(m_widest, sizeHintForColumn(0));
    if (sizeHint().width() != before)
        updateGeometry();
}

void CurveLegend::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    if ((key != Qt::Key_Space && key != Qt::Key_Return && key != Qt::Key_Enter) || !currentIndex().isValid()) {
        QListView::keyPressEvent(event);
        return;
    }
    event->modifiers().testFlag(Qt::ShiftModifier) ? isolate(currentIndex()) : toggle(currentIndex());
}

/// Starts at the first curve: headings have no action.
void CurveLegend::focusInEvent(QFocusEvent *event)
{
    for (int row = 0; !currentIndex().isValid() && row < m_model->rowCount(); ++row) {
        if (m_model->flags(m_model->index(row)).testFlag(Qt::ItemIsEnabled))
            setCurrentIndex(m_model->index(row));
    }
    QListView::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
        point(currentIndex());
}

void CurveLegend::focusOutEvent(QFocusEvent *event)
{
    QListView::focusOutEvent(event);
    point({});
}

void CurveLegend::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QListView::currentChanged(current, previous);
    if (hasFocus())
        point(current);
}

bool CurveLegend::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        point({});
    return QListView::viewportEvent(event);
}

void CurveLegend::point(const QModelIndex &index)
{
    Q_EMIT pointedAt(index.data(LegendModel::KeyRole).toString());
}

void CurveLegend::toggle(const QModelIndex &index)
{
    const QString key = index.data(LegendModel::KeyRole).toString();
    if (key.isEmpty())
        return;
    QSet<QString> keys = m_model->hidden();
    if (!keys.remove(key))
        keys.insert(key);
    Q_EMIT hiddenChosen(keys);
}

void CurveLegend::isolate(const QModelIndex &index)
{
    const QString key = index.data(LegendModel::KeyRole).toString();
    if (key.isEmpty())
        return;
    QSet<QString> keys = m_model->hidden();
    const QStringList beside = m_model->keysBeside(index);
    const bool alone = std::all_of(beside.begin(), beside.end(),
                                   [&](const QString &other) { return other == key || keys.contains(other); });
    for (const QString &other : beside) {
        keys.remove(other);
        if (!alone && other != key)
            keys.insert(other);
    }
    Q_EMIT hiddenChosen(keys);
}

}  // namespace sweepscope::ui
