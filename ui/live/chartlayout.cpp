#include "ui/live/chartlayout.h"

#include "ui/live/chart.h"

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr std::size_t mostSteps = 100;  // that can be undone

}  // namespace

QStringList ChartLayout::present() const
{
    if (m_charts.isEmpty())
        return m_usual;
    QStringList ids = m_charts;
    ids.removeAll(noCharts());
    return ids;
}

void ChartLayout::set(QStringList charts)
{
    charts.removeDuplicates();
    if (charts == m_charts)
        return;
    m_before.push_back(std::exchange(m_charts, std::move(charts)));
    if (m_before.size() > mostSteps)
        m_before.erase(m_before.begin());
    m_after.clear();
    Q_EMIT changed();
}

void ChartLayout::setPresent(const QStringList &ids)
{
    set(ids.isEmpty() ? QStringList(noCharts()) : ids);
}

void ChartLayout::add(const QString &id)
{
    setPresent(present() + QStringList(id));
}

void ChartLayout::remove(const QString &id)
{
    QStringList ids = present();
    if (ids.removeAll(id) > 0)
        setPresent(ids);
}

void ChartLayout::move(const QString &id, qsizetype place)
{
    QStringList ids = present();
    if (ids.removeAll(id) == 0)
        return;
    ids.insert(std::clamp<qsizetype>(place, 0, ids.size()), id);
    if (ids != present())
        setPresent(ids);
}

void ChartLayout::replace(const QString &id, const QString &next)
{
    QStringList ids = present();
    const qsizetype place = ids.indexOf(id);
    if (place < 0)
        return;
    ids[place] = next;
    setPresent(ids);
}

void ChartLayout::useUsual()
{
    set({});
}

void ChartLayout::undo()
{
    if (m_before.empty())
        return;
    m_after.push_back(std::exchange(m_charts, m_before.back()));
    m_before.pop_back();
    Q_EMIT changed();
}

void ChartLayout::redo()
{
    if (m_after.empty())
        return;
    m_before.push_back(std::exchange(m_charts, m_after.back()));
    m_after.pop_back();
    Q_EMIT changed();
}

void ChartLayout::restore(const QStringList &charts)
{
    m_before.clear();
    m_after.clear();
    m_charts = charts;
    Q_EMIT changed();
}

}  // namespace sweepscope::ui
