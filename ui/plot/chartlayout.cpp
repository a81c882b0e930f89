#include "ui/plot/chartlayout.h"

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr std::size_t mostSteps = 100;  // that can be undone
constexpr QLatin1StringView besideMark("| ");

qsizetype findRow(const ChartRows &rows, const QString &id)
{
    const auto row = std::ranges::find_if(rows, [&id](const QStringList &ids) { return ids.contains(id); });
    return row == rows.end() ? -1 : row - rows.begin();
}

void removeFromRows(ChartRows &rows, const QString &id)
{
    for (QStringList &row : rows)
        row.removeAll(id);
    rows.removeIf([](const QStringList &row) { return row.isEmpty(); });
}

void insertIntoRows(ChartRows &rows, const QString &id, const ChartPlace &place)
{
    const qsizetype row = findRow(rows, place.of);
    if (row < 0) {
        rows.append(QStringList(id));
        return;
    }
    const bool isBeside = place.side == ChartPlace::Side::Left || place.side == ChartPlace::Side::Right;
    if (isBeside && rows[row].size() < mostBeside)
        rows[row].insert(rows[row].indexOf(place.of) + (place.side == ChartPlace::Side::Right ? 1 : 0), id);
    else
        rows.insert(row + (place.side == ChartPlace::Side::Above ? 0 : 1), QStringList(id));
}

}  // namespace

QStringList ChartLayout::present() const
{
    QStringList ids;
    for (const QStringList &row : presentRows())
        ids += row;
    return ids;
}

qsizetype ChartLayout::rowOf(const QString &id) const
{
    return findRow(presentRows(), id);
}

void ChartLayout::set(ChartRows rows)
{
    if (rows == presentRows())
        return;
    m_before.push_back(std::exchange(m_rows, std::move(rows)));
    if (m_before.size() > mostSteps)
        m_before.erase(m_before.begin());
    m_after.clear();
    Q_EMIT changed();
}

void ChartLayout::add(const QString &id, const ChartPlace &place)
{
    if (rowOf(id) >= 0)
        return;
    ChartRows rows = presentRows();
    insertIntoRows(rows, id, place);
    set(rows);
}

void ChartLayout::remove(const QString &id)
{
    if (!canRemove())
        return;
    ChartRows rows = presentRows();
    removeFromRows(rows, id);
    set(rows);
}

void ChartLayout::move(const QString &id, const ChartPlace &place)
{
    if (rowOf(id) < 0 || place.of == id)
        return;
    ChartRows rows = presentRows();
    removeFromRows(rows, id);
    insertIntoRows(rows, id, place);
    set(rows);
}

void ChartLayout::replace(const QString &id, const QString &next)
{
    const qsizetype row = rowOf(id);
    if (row < 0 || id == next)
        return;
    ChartRows rows = presentRows();
    if (rowOf(next) >= 0)
        removeFromRows(rows, id);
    else
        rows[row].replace(rows[row].indexOf(id), next);
    set(rows);
}

void ChartLayout::useUsual()
{
    if (isUsual())
        return;
    m_before.push_back(std::exchange(m_rows, {}));
    m_after.clear();
    Q_EMIT changed();
}

void ChartLayout::undo()
{
    if (m_before.empty())
        return;
    m_after.push_back(std::exchange(m_rows, m_before.back()));
    m_before.pop_back();
    Q_EMIT changed();
}

void ChartLayout::redo()
{
    if (m_after.empty())
        return;
    m_before.push_back(std::exchange(m_rows, m_after.back()));
    m_after.pop_back();
    Q_EMIT changed();
}

void ChartLayout::restore(const ChartRows &rows)
{
    m_before.clear();
    m_after.clear();
    m_rows = rows;
    Q_EMIT changed();
}

QStringList toLines(const ChartRows &rows)
{
    QStringList lines;
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            lines << (i > 0 ? besideMark + row[i] : row[i]);
    }
    return lines;
}

ChartRows fromLines(const QStringList &lines)
{
    ChartRows rows;
    int charts = 0;
    for (const QString &line : lines) {
        const bool isBeside = line.startsWith(besideMark) && !rows.isEmpty();
        const QString id = line.startsWith(besideMark) ? line.mid(besideMark.size()) : line;
        if (id.isEmpty() || findRow(rows, id) >= 0)
            continue;
        if (++charts > mostKept)
            break;
        if (isBeside && rows.last().size() < mostBeside)
            rows.last().append(id);
        else
            rows.append(QStringList(id));
    }
    return rows;
}

}  // namespace sweepscope::ui
