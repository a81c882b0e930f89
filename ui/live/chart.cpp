#include "ui/live/chart.h"

#include "ui/live/plotframe.h"

#include <QCoreApplication>
#include <QUrl>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr QLatin1StringView seriesPrefix("series ");
constexpr QLatin1StringView partsId("step.parts");
constexpr QLatin1StringView chosenId("chosen");
constexpr QChar pinMark = u'@';

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

ChartRows usualCharts(const QStringList &devices)
{
    constexpr qsizetype most = 2;
    ChartRows rows{{chosenChart()}};
    for (const QString &id : devices.first(std::min(devices.size(), most)))
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
