#include "ui/plot/chart.h"

#include "sweep/metricvalue.h"
#include "ui/plot/chartlayout.h"
#include "ui/plot/plotframe.h"
#include "ui/plot/stepparts.h"

#include <QCoreApplication>
#include <QUrl>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr QLatin1StringView seriesPrefix("series ");
constexpr QLatin1StringView partsId("step.parts");
constexpr QLatin1StringView chosenId("chosen");
constexpr QChar pinMark = u'@';

Chart chartOf(const QString &metric)
{
    Chart chart;
    chart.kind = Chart::Kind::Series;
    chart.series = {metric};
    return chart;
}

Chart stepPartsChart()
{
    Chart chart;
    chart.kind = Chart::Kind::StepParts;
    return chart;
}

/// Other times are parts of it, or overlap with it.
bool isTimeWithinStep(const QString &metric)
{
    return sweep::isAboutSteps(metric.toStdString())
           && (metric.contains("_time"_L1) || metric.startsWith("comm_"_L1) || metric == "data_wait"_L1);
}

struct ChartWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::LivePlot)
};

}  // namespace

QString chosenChart()
{
    return chosenId;
}

QStringList chartsOf(const ChartRows &rows)
{
    QStringList charts;
    for (const QStringList &row : rows)
        charts += row;
    return charts;
}

ChartRows usualCharts(const QStringList &metrics, const QString &chosen, const QStringList &devices)
{
    constexpr qsizetype mostMetrics = 40;  // each costs time in every frame; others can be added
    constexpr qsizetype mostDevices = 2;
    const bool hasParts = metrics.contains("step_time"_L1) && std::ranges::any_of(stepParts, [&](const StepPart &part) {
                              return metrics.contains(QLatin1StringView(part.series));
                          });
    std::vector<std::pair<QString, QStringList>> sections{
        {QString(), {}}};  // as they are reported, without a prefix first
    qsizetype count = 0;
    for (const QString &name : metrics) {
        if (name == chosen || (hasParts && isTimeWithinStep(name)) || count == mostMetrics)
            continue;
        const QString prefix = name.section(u'/', 0, -2);
        auto section = std::ranges::find(sections, prefix, &std::pair<QString, QStringList>::first);
        if (section == sections.end())
            section = sections.insert(section, {prefix, {}});
        section->second.append(chartOf(name).id());
        ++count;
    }
    if (hasParts)
        sections.front().second.append(stepPartsChart().id());
    const qsizetype all = count + (hasParts ? 1 : 0);
    const qsizetype beside = std::clamp<qsizetype>(static_cast<qsizetype>(std::ceil(std::sqrt(all))), 1, mostBeside);
    ChartRows rows{{chosenChart()}};
    for (const auto &[prefix, charts] : sections) {
        qsizetype first = 0;
        for (qsizetype left = (charts.size() + beside - 1) / beside; left > 0; --left) {
            const qsizetype size = (charts.size() - first + left - 1) / left;  // no lonely chart in the last row
            rows.append(charts.sliced(first, size));
            first += size;
        }
    }
    const QStringList shown = devices.first(std::min(devices.size(), mostDevices));
    if (all > 1 && !shown.isEmpty())
        rows.append(shown);
    for (const QString &id : all > 1 ? QStringList() : shown)
        rows.append(QStringList(id));
    return rows;
}

QString Chart::id() const
{
    QString id = isPinned() ? u"@%1/%2 "_s.arg(pinned.sweepId).arg(pinned.trial) : QString();
    switch (kind) {
    case Kind::Chosen:
        return id + chosenId;
    case Kind::Devices:
        return id + device;
    case Kind::StepParts:
        return id + partsId;
    case Kind::Series:
        break;
    }
    id += seriesPrefix;
    QStringList names;
    for (const QString &name : series)
        names << QString::fromLatin1(QUrl::toPercentEncoding(name));  // a name may contain blanks
    return id + names.join(u' ');
}

Chart Chart::fromId(const QString &id)
{
    Chart chart;
    QString what = id;
    const qsizetype blank = id.indexOf(u' ');
    if (id.startsWith(pinMark) && blank > 0) {
        const QString trial = id.mid(1, blank - 1);
        chart.pinned = {trial.section(u'/', 0, 0).toLongLong(), trial.section(u'/', 1).toInt()};
        what = id.mid(blank + 1);
    }
    if (what.startsWith(seriesPrefix)) {
        chart.kind = Kind::Series;
        for (const QString &name : what.mid(seriesPrefix.size()).split(u' ', Qt::SkipEmptyParts))
            chart.series << QUrl::fromPercentEncoding(name.toLatin1());
    } else if (what == chosenId) {
        chart.kind = Kind::Chosen;
    } else if (what == partsId) {
        chart.kind = Kind::StepParts;
    } else {
        chart.device = what;
    }
    return chart;
}

QString Chart::title() const
{
    QString title;
    switch (kind) {
    case Kind::Chosen:
        title = ChartWords::tr("Selected metric");
        break;
    case Kind::Devices:
        title = panelTitle(device);
        break;
    case Kind::Series:
        title = series.join(u", "_s);
        break;
    case Kind::StepParts:
        title = ChartWords::tr("Step-time breakdown");
        break;
    }
    return isPinned() ? ChartWords::tr("%1 · trial %2").arg(title).arg(pinned.trial) : title;
}

QString panelTitle(const QString &id)
{
    if (id == "gpu.utilization"_L1)
        return ChartWords::tr("GPU utilization");
    if (id == "gpu.memory"_L1)
        return ChartWords::tr("GPU memory");
    if (id == "gpu.power"_L1)
        return ChartWords::tr("GPU power");
    if (id == "gpu.sm_clock"_L1)
        return ChartWords::tr("GPU clock");
    if (id == "gpu.memory_clock"_L1)
        return ChartWords::tr("GPU memory clock");
    if (id == "gpu.temperature"_L1)
        return ChartWords::tr("GPU temperature");
    if (id == "rank.cpu"_L1)
        return ChartWords::tr("CPU per rank");
    if (id == "rank.memory"_L1)
        return ChartWords::tr("Memory per rank");
    if (id == "core.utilization"_L1)
        return ChartWords::tr("CPU per core");
    const Chart chart = Chart::fromId(id);
    return chart.kind == Chart::Kind::Devices && !chart.isPinned() ? id : chart.title();
}

QString panelTitle(const PlotPanel &panel)
{
    return panel.title.isEmpty() ? panelTitle(panel.id) : panel.title;
}

}  // namespace sweepscope::ui
