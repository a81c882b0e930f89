#include "ui/trials/trialcolumns.h"

#include "exporting/sweepexport.h"
#include "ui/models/trialtablemodel.h"
#include "ui/theme/textsize.h"

#include <QHash>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QSet>
#include <QSettings>
#include <QStyle>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int rowsThatSetWidths = 50;
constexpr int widestColumn = 180;  ///< unless there is room; the tooltip has the whole text
constexpr int widestTitle = 220;   ///< longer ones are elided, too
constexpr int narrowestByHand = 24;

using Column = TrialTableModel::Column;

}  // namespace

TrialColumns::TrialColumns(QTableView *table, const TrialTableModel *model, QSettings *settings)
    : QObject(table), m_table(table), m_viewport(table->viewport()), m_model(model), m_settings(settings)
{
    QHeaderView *header = table->horizontalHeader();
    header->setObjectName(u"trialsHeader"_s);
    header->setStretchLastSection(true);
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setResizeContentsPrecision(rowsThatSetWidths);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sectionResized, this, [this](int section) {
        if (m_arranging || isStretched(section))
            return;
        m_sizedByHand.insert(section);
        m_widened.erase(section);
        save();
    });
    connect(header, &QHeaderView::sectionMoved, this, &TrialColumns::save);
    m_viewport->installEventFilter(this);
    followTextSize(table, [this] {
        if (!m_key.isEmpty())
            restore(m_key);
    });
    connect(header, &QHeaderView::sortIndicatorChanged, this, &TrialColumns::save);
    // Changes that the header makes to its sections for another sweep are not the user's. Connected after the header,
    // which creates its sections first.
    connect(table->model(), &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { m_wasArranging = std::exchange(m_arranging, true); });
    connect(table->model(), &QAbstractItemModel::modelReset, this, [this] { m_arranging = m_wasArranging; });
    connect(table->model(), &QAbstractItemModel::columnsAboutToBeInserted, this, [this] { m_arranging = true; });
    connect(table->model(), &QAbstractItemModel::columnsInserted, this, [this] {
        restore(m_key);
        m_arranging = false;
    });
    connect(header, &QWidget::customContextMenuRequested, this, [this, header](const QPoint &position) {
        auto *menu = new QMenu(header);
        menu->setObjectName(u"columnsMenu"_s);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillMenu(menu);
        menu->popup(header->mapToGlobal(position));
    });
}

/// The star first. After the objective, what explains it: a window of ordinary width has room for little more. Then other
/// results, and devices last.
QStringList TrialColumns::usualOrder() const
{
    QStringList first;
    QStringList why;
    QStringList metrics;
    QStringList last;
    for (int section = 0; section < m_model->columnCount(); ++section) {
        const Column kind = m_model->columnKind(section);
        const QString id = m_model->columnId(section);
        if (kind == Column::Star)
            first.prepend(id);
        else if (kind == Column::Outcome)
            why.append(id);
        else if (kind == Column::Mean)
            first.insert(first.indexOf(m_model->columnId(m_model->section(Column::ObjectiveBest))), id);
        else if (kind >= Column::Metric)
            metrics.append(id);
        else if (kind == Column::Devices)
            last.append(id);
        else if (kind == Column::Cause)
            why.prepend(id);  // next to the empty results that it explains
        else if (kind == Column::Duration || kind == Column::Choice)
            why.append(id);
        else
            first.append(id);
    }
    const qsizetype objective = first.indexOf(m_model->columnId(m_model->section(Column::ObjectiveLast)));
    return first.first(objective + 1) + why + metrics + first.sliced(objective + 1) + last;
}

bool TrialColumns::isUsuallyShown(int section) const
{
    const Column kind = m_model->columnKind(section);
    const auto anyHas = [this](auto &&written) { return std::ranges::any_of(m_model->trials(), written); };
    if (kind == Column::Tags)
        return anyHas([](const sweep::TrialRecord &trial) { return !trial.mark.tags.empty(); });
    if (kind == Column::Note)
        return anyHas([](const sweep::TrialRecord &trial) { return !trial.mark.note.empty(); });
    if (kind == Column::Attempts)
        return anyHas([](const sweep::TrialRecord &trial) { return trial.attempts > 1; });
    if (kind == Column::Choice)
        return m_model->sweep().trialsToCome != 0
               || anyHas([](const sweep::TrialRecord &trial) { return static_cast<bool>(trial.chosen); });
    if (kind == Column::Outcome)
        return m_model->hasOutcome();
    if (kind == Column::Mean)
        return m_model->hasRepeats();
    if (kind >= Column::Metric)
        return m_model->isUsualMetric(section);
    return kind <= Column::Star;
}

void TrialColumns::show(const QString &columnId)
{
    for (int section = 0; section < m_model->columnCount(); ++section) {
        if (m_model->columnId(section) == columnId && m_table->isColumnHidden(section))
            setShown(section, true);
    }
}

void TrialColumns::restore(const QString &key)
{
    m_key = key;
    const QScopedValueRollback arranging(m_arranging, true);
    setUsual();
    if (!m_settings || key.isEmpty() || m_model->columnCount() == 0)
        return;
    const bool isArranged = m_settings->contains(u"trials/%1/order"_s.arg(key));
    apply(isArranged ? key : u"last"_s);
    grow();
}

void TrialColumns::setUsual()
{
    const QScopedValueRollback arranging(m_arranging, true);
    m_sizedByHand.clear();
    m_widened.clear();
    m_hidesReasons = false;
    const QStringList order = usualOrder();
    for (int section = 0; section < m_model->columnCount(); ++section)
        m_table->setColumnHidden(section, !isUsuallyShown(section));
    arrange(order);
    for (int section = 0; section < m_model->columnCount(); ++section)
        m_table->setColumnWidth(section, widthOfTitle(section));
    m_table->sortByColumn(0, Qt::AscendingOrder);
    grow();
}

/// Moves columns with these names to the front, in this order.
void TrialColumns::arrange(const QStringList &order)
{
    QHash<QString, int> sections;
    for (int section = 0; section < m_model->columnCount(); ++section)
        sections.insert(m_model->columnId(section), section);
    QHeaderView *header = m_table->horizontalHeader();
    int place = 0;  // from the left, so that a placed column does not move again
    for (const QString &id : order) {
        if (const auto found = sections.constFind(id); found != sections.constEnd())
            header->moveSection(header->visualIndex(*found), place++);
    }
}

/// Puts columns that are missing in `order` after their usual predecessors.
QStringList TrialColumns::completed(const QStringList &order) const
{
    const QSet<QString> known(order.begin(), order.end());
    QStringList all = order;
    qsizetype place = 0;
    QString before;
    for (const QString &id : usualOrder()) {
        if (!known.contains(id)) {
            if (known.contains(before))
                place = all.indexOf(before) + 1;
            all.insert(place++, id);
        }
        before = id;
    }
    return all;
}

/// The last one gets the remaining width.
bool TrialColumns::isStretched(int section) const
{
    const QHeaderView *header = m_table->horizontalHeader();
    int place = header->count() - 1;
    while (place >= 0 && header->isSectionHidden(header->logicalIndex(place)))
        --place;
    return header->stretchLastSection() && header->visualIndex(section) == place;
}

void TrialColumns::apply(const QString &group)
{
    const QString prefix = u"trials/%1/"_s.arg(group);
    const QStringList order = m_settings->value(prefix + u"order"_s).toStringList();
    const auto names = [this, &prefix](const QString &setting) {
        const QStringList kept = m_settings->value(prefix + setting).toStringList();
        return QSet<QString>(kept.begin(), kept.end());
    };
    const QSet<QString> shown = names(u"shown"_s);
    const QSet<QString> hidden = names(u"hidden"_s);
    const QVariantMap widths = m_settings->value(prefix + u"widths"_s).toMap();
    const QString sortedBy = m_settings->value(prefix + u"sortedBy"_s).toString();
    arrange(completed(order));
    for (int section = 0; section < m_model->columnCount(); ++section) {
        const QString id = m_model->columnId(section);
        if (shown.contains(id) || hidden.contains(id))
            m_table->setColumnHidden(section, hidden.contains(id));
        if (const int width = widths.value(id).toInt(); width >= narrowestByHand) {
            m_table->setColumnWidth(section, width);
            m_sizedByHand.insert(section);
        }
        if (id == sortedBy && group == m_key)  // for another sweep, the best may come first in the other order
            m_table->sortByColumn(section, m_settings->value(prefix + u"descending"_s).toBool() ? Qt::DescendingOrder
                                                                                                : Qt::AscendingOrder);
    }
}

void TrialColumns::save()
{
    if (m_arranging || !m_settings || m_key.isEmpty())
        return;
    const QHeaderView *header = m_table->horizontalHeader();
    QStringList order;
    QStringList shown;
    QStringList hidden;
    QVariantMap widths;
    for (int place = 0; place < header->count(); ++place) {
        const int section = header->logicalIndex(place);
        const QString id = m_model->columnId(section);
        order << id;
        const bool isEmpty = m_hidesReasons && m_model->columnKind(section) == Column::Cause;
        (header->isSectionHidden(section) && !isEmpty ? hidden : shown) << id;
        if (m_sizedByHand.contains(section) && !header->isSectionHidden(section))
            widths.insert(id, header->sectionSize(section));
    }
    const int sorted = header->sortIndicatorSection();
    for (const QString &group : {m_key, u"last"_s}) {
        const QString prefix = u"trials/%1/"_s.arg(group);
        m_settings->setValue(prefix + u"order"_s, order);
        m_settings->setValue(prefix + u"shown"_s, shown);
        m_settings->setValue(prefix + u"hidden"_s, hidden);
        m_settings->setValue(prefix + u"widths"_s, widths);
        if (sorted >= 0 && sorted < m_model->columnCount()) {
            m_settings->setValue(prefix + u"sortedBy"_s, m_model->columnId(sorted));
            m_settings->setValue(prefix + u"descending"_s, header->sortIndicatorOrder() == Qt::DescendingOrder);
        }
    }
}

int TrialColumns::widthOfTitle(int section) const
{
    return std::min(m_table->horizontalHeader()->sectionSizeHint(section), textScaled(widestTitle));
}

/// Room for any value of a metric: a number that is cut has another value. 0 for other columns.
int TrialColumns::widestNumber(int section) const
{
    const Column kind = m_model->columnKind(section);
    const bool isMetric = kind == Column::ObjectiveBest || kind == Column::ObjectiveLast || kind == Column::Metric
                          || kind == Column::MetricLow || kind == Column::MetricHigh;
    const int margin = m_table->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, m_table) + 1;
    return isMetric ? m_table->fontMetrics().horizontalAdvance(u"8.8888e+88"_s) + 2 * margin : 0;
}

/// Hides the reasons while no trial has one.
void TrialColumns::showReasons()
{
    const int section = m_model->section(Column::Cause);
    if (section < 0 || section >= m_table->horizontalHeader()->count())
        return;
    const bool isEmpty = std::ranges::none_of(
        m_model->trials(), [](const sweep::TrialRecord &trial) { return static_cast<bool>(trial.reason); });
    const bool isWanted = m_hidesReasons || !m_table->isColumnHidden(section);
    if (isWanted)
        m_table->setColumnHidden(section, isEmpty);
    m_hidesReasons = isWanted && isEmpty;
}

void TrialColumns::grow()
{
    const QAbstractItemView *view = m_table;
    const QScopedValueRollback arranging(m_arranging, true);
    showReasons();
    int room = m_table->viewport()->width();
    QList<std::pair<int, int>> cut;  // sections that need more width, and how much
    for (const int section : shownSections()) {
        int width = m_table->columnWidth(section);
        if (!m_sizedByHand.contains(section)) {
            // A hidden section had no width for a hint.
            const int name = widthOfTitle(section);
            const int contents = view->sizeHintForColumn(section);
            const int usual = std::max({name, std::min(contents, textScaled(widestColumn)), widestNumber(section)});
            width = isStretched(section) || m_widened.erase(section) > 0 ? usual : std::max(width, usual);
            if (!isStretched(section)) {
                m_table->setColumnWidth(section, width);
                if (contents > width)
                    cut.emplaceBack(section, contents - width);
            }
        }
        room -= width;
    }
    for (const auto &[section, more] : cut) {
        const int given = std::min(more, room);
        if (given <= 0)
            break;
        m_table->setColumnWidth(section, m_table->columnWidth(section) + given);
        m_widened.insert(section);
        room -= given;
    }
}

void TrialColumns::fit()
{
    {
        const QScopedValueRollback arranging(m_arranging, true);
        m_widened.clear();
        for (const int section : shownSections()) {
            if (!m_sizedByHand.contains(section))
                m_table->setColumnWidth(section, widthOfTitle(section));
        }
    }
    grow();
}

void TrialColumns::fillMenu(QMenu *menu)
{
    const QHeaderView *header = m_table->horizontalHeader();
    QMenu *ranges = nullptr;  // separate, because there may be many metrics
    menu->removeEventFilter(this);
    menu->installEventFilter(this);
    for (int place = 0; place < header->count(); ++place) {
        const int section = header->logicalIndex(place);
        const Column kind = m_model->columnKind(section);
        if (kind == Column::Number)
            continue;  // without its number, a trial cannot be identified
        const bool isRange = kind == Column::MetricLow || kind == Column::MetricHigh;
        if (isRange && !ranges) {
            ranges = new QMenu(tr("Min and max"), menu);
            ranges->installEventFilter(this);
        }
        QAction *action = (isRange ? ranges : menu)->addAction(m_model->headerData(section, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(section) || (kind == Column::Cause && m_hidesReasons));
        action->setData(m_model->columnId(section));
        connect(action, &QAction::toggled, this, [this, section](bool on) { setShown(section, on); });
    }
    if (ranges)
        menu->addMenu(ranges);
    if (m_model->hasMostMetrics())
        menu->addAction(tr("Columns for the first %1 metrics only").arg(exporting::mostMetricNames))->setEnabled(false);
    menu->addSeparator();
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, [this] {
        setUsual();
        save();
    });
}

/// A menu of check boxes stays open until the user closes it; another width of the table changes the available room.
bool TrialColumns::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_viewport) {  // the table itself may be in its destructor
        if (event->type() == QEvent::Resize)
            grow();
        return false;
    }
    auto *menu = qobject_cast<QMenu *>(watched);
    const bool isKey = event->type() == QEvent::KeyPress;
    QAction *action = nullptr;
    if (menu && isKey && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Space)
        action = menu->activeAction();
    else if (menu && event->type() == QEvent::MouseButtonPress)
        m_pressed = menu;
    // If the menu has no room below its button, it opens under the pointer, and releasing the button would trigger an
    // action.
    else if (menu && event->type() == QEvent::MouseButtonRelease && std::exchange(m_pressed, nullptr) == menu)
        action = menu->actionAt(static_cast<QMouseEvent *>(event)->position().toPoint());
    if (!action || !action->isCheckable() || !action->isEnabled())
        return QObject::eventFilter(watched, event);
    action->trigger();
    return true;
}

void TrialColumns::move(int section, int places)
{
    QHeaderView *header = m_table->horizontalHeader();
    int place = header->visualIndex(section);
    if (section < 0 || place < 0)
        return;
    do
        place += places;
    while (place >= 0 && place < header->count() && header->isSectionHidden(header->logicalIndex(place)));
    if (place < 0 || place >= header->count())
        return;
    header->moveSection(header->visualIndex(section), place);
    m_table->scrollTo(m_table->currentIndex());
}

void TrialColumns::setShown(int section, bool shown)
{
    {
        const QScopedValueRollback arranging(m_arranging, true);
        if (m_model->columnKind(section) == Column::Cause)
            m_hidesReasons = false;
        m_table->setColumnHidden(section, !shown);
        grow();
    }
    save();
}

QList<int> TrialColumns::shownSections() const
{
    const QHeaderView *header = m_table->horizontalHeader();
    QList<int> sections;
    for (int place = 0; place < header->count(); ++place) {
        if (const int section = header->logicalIndex(place); !header->isSectionHidden(section))
            sections << section;
    }
    return sections;
}

}  // namespace sweepscope::ui
