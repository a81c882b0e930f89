#include "ui/examination/findingplot.h"

#include "series/series.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plotcolors.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

constexpr int columns = 160;
constexpr std::size_t mostOthers = 6;
constexpr WallNs second = 1'000'000'000;
constexpr WallNs leastMargin = 5 * second;
constexpr float none = std::numeric_limits<float>::quiet_NaN();

/// What illustrates the findings of a rule: the first available of several series that ranks report, or a reading of
/// the GPU.
struct Shown {
    const char *rule;
    std::vector<const char *> rankSeries;
    std::optional<double> diagnosis::GpuRow::*reading = nullptr;
    const char *name = "";
    const char *unit = "";
};

const std::vector<Shown> &shownByRule()
{
    using Row = diagnosis::GpuRow;
    static const std::vector<Shown> table{
        {"not-finite", {"loss", "train_loss", "grad_norm", "val_loss"}},
        {"diverged-replicas", {"loss", "train_loss", "weights_hash"}},
        {"hang", {"step_time", "loss", "train_loss"}},
        {"same-samples", {"sample_order", "loss"}},
        {"same-order", {"sample_order"}},
        {"script-mistake", {"loss", "train_loss"}},
        {"straggler", {"compute_time", "step_time"}},
        {"data-wait", {"data_wait"}},
        {"loss-spike", {"loss", "train_loss"}},
        {"diverged", {"loss", "train_loss"}},
        {"thermal-throttle", {}, &Row::smClock, "SM clock", "MHz"},
        {"power-brake", {}, &Row::smClock, "SM clock", "MHz"},
        {"clock-mismatch", {}, &Row::smClock, "SM clock", "MHz"},
        {"pcie-link", {}, &Row::pcieWidth, "PCIe width", "lanes"},
        {"foreign-process", {}, &Row::foreignProcesses, "foreign processes", ""},
        {"low-utilization", {}, &Row::utilization, "GPU utilization", "%"},
        {"hollow-gpu", {}, &Row::smActivity, "SM activity", "%"},
        {"memory-limit", {}, &Row::memory, "GPU memory", "B"},
    };
    return table;
}

class Maker {
public:
    Maker(const diagnosis::Finding &finding, const diagnosis::AttemptEvidence &evidence)
        : m_finding(finding), m_evidence(evidence)
    {
        const WallNs margin = std::max((finding.window.to - finding.window.from) / 2, leastMargin);
        m_plot.from = finding.window.from - margin;
        m_plot.to = std::max(finding.window.to, finding.window.from) + margin;
        m_plot.windowFrom = shareOf(finding.window.from);
        m_plot.windowTo = shareOf(finding.window.to);
    }

    FindingPlot ofRanks(const std::vector<const char *> &names)
    {
        for (const char *name : names) {
            for (const diagnosis::RankEvidence &rank : m_evidence.ranks) {
                if (const series::Series *series = rank.find(name))
                    take(name, QString::fromStdString(series->unit()), columnsOf(*series),
                         rank.rank == m_finding.rank.value_or(m_evidence.ranks.front().rank));
            }
            // Prefer the series that contains what was found.
            if (isShown() && (m_finding.rule != "not-finite" || hasNotFinite()))
                return std::move(m_plot);
            m_plot.main.clear();
            m_plot.others.clear();
        }
        return {};
    }

    FindingPlot ofGpus(const Shown &shown)
    {
        for (const diagnosis::GpuEvidence &gpu : m_evidence.gpus)
            take(shown.name, QLatin1StringView(shown.unit), columnsOf(gpu.rows, shown.reading),
                 gpu.id == m_finding.device || (m_finding.device.empty() && m_plot.main.empty()));
        return isShown() ? std::move(m_plot) : FindingPlot();
    }

private:
    double shareOf(WallNs time) const
    {
        return static_cast<double>(time - m_plot.from)
               / static_cast<double>(std::max<WallNs>(1, m_plot.to - m_plot.from));
    }
    bool isShown() const { return !m_plot.main.empty(); }
    bool hasNotFinite() const
    {
        return std::any_of(m_plot.main.begin(), m_plot.main.end(), [](const PlotColumn &one) { return one.notFinite; });
    }

    void take(const char *name, const QString &unit, std::vector<PlotColumn> found, bool isMain)
    {
        if (found.empty())
            return;
        m_plot.series = QString::fromUtf8(name);
        m_plot.unit = unit;
        if (isMain && m_plot.main.empty())
            m_plot.main = std::move(found);
        else if (m_plot.others.size() < mostOthers)
            m_plot.others.push_back(std::move(found));
    }

    std::vector<PlotColumn> columnsOf(const series::Series &series) const
    {
        std::vector<PlotColumn> result;
        for (const series::Column &column :
             series.columns(series::XAxis::WallTime, toSeconds(m_plot.from), toSeconds(m_plot.to), columns))
            result.push_back(
                {static_cast<float>((column.x - toSeconds(m_plot.from)) / toSeconds(m_plot.to - m_plot.from)),
                 column.hasFinite() ? static_cast<float>(column.min) : none,
                 column.hasFinite() ? static_cast<float>(column.max) : none, column.hasNonFinite});
        return result;
    }

    std::vector<PlotColumn> columnsOf(const std::vector<diagnosis::GpuRow> &rows,
                                      std::optional<double> diagnosis::GpuRow::*reading) const
    {
        std::vector<PlotColumn> result;
        int last = -1;
        for (const diagnosis::GpuRow &row : rows) {
            if (row.time < m_plot.from || row.time > m_plot.to || !(row.*reading))
                continue;
            const auto value = static_cast<float>(*(row.*reading));
            const double share = shareOf(row.time);
            if (const int column = static_cast<int>(share * columns); std::exchange(last, column) != column)
                result.push_back({static_cast<float>(share), value, value, false});
            result.back().low = std::min(result.back().low, value);
            result.back().high = std::max(result.back().high, value);
        }
        return result;
    }

    const diagnosis::Finding &m_finding;
    const diagnosis::AttemptEvidence &m_evidence;
    FindingPlot m_plot;
};

struct Range {
    float low;
    float high;

    void take(const std::vector<PlotColumn> &found)
    {
        for (const PlotColumn &column : found) {
            if (std::isnan(column.low))
                continue;
            low = std::min(low, column.low);
            high = std::max(high, column.high);
        }
    }
};

void paintCurve(QPainter *painter, const QRectF &area, const std::vector<PlotColumn> &curve, const Range &range,
                const QColor &color, double width)
{
    QPainterPath path;
    bool open = false;
    const float span = range.high > range.low ? range.high - range.low : 1;
    const auto y = [&](float value) {
        return area.bottom() - static_cast<double>((value - range.low) / span) * area.height();
    };
    for (const PlotColumn &column : curve) {
        const double x = area.left() + static_cast<double>(column.at) * area.width();
        if (column.notFinite) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(color);
            painter->drawPolygon(QPolygonF{{x - 4, area.top()}, {x + 4, area.top()}, {x, area.top() + 6}});
        }
        if (std::isnan(column.low)) {
            open = false;
            continue;
        }
        if (open)
            path.lineTo(x, y(column.low));
        else
            path.moveTo(x, y(column.low));
        if (column.high > column.low)
            path.lineTo(x, y(column.high));
        open = true;
    }
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(color, width));
    painter->drawPath(path);
    if (curve.size() == 1 && open)
        painter->drawEllipse(path.currentPosition(), 1.5, 1.5);
}

}  // namespace

FindingPlot makePlot(const diagnosis::Finding &finding, const diagnosis::AttemptEvidence &evidence)
{
    const auto shown = std::find_if(shownByRule().begin(), shownByRule().end(),
                                    [&finding](const Shown &one) { return finding.rule == one.rule; });
    if (shown == shownByRule().end() || (evidence.ranks.empty() && !shown->reading))
        return {};
    Maker maker(finding, evidence);
    if (shown->reading)
        return maker.ofGpus(*shown);
    std::vector<const char *> series = shown->rankSeries;
    if (!finding.series.empty())
        series.insert(series.begin(), finding.series.c_str());
    return maker.ofRanks(series);
}

std::optional<std::pair<double, double>> valueRange(const FindingPlot &plot)
{
    Range range{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
    range.take(plot.main);
    if (range.low > range.high)
        return std::nullopt;
    return std::pair<double, double>(range.low, range.high);
}

void paintPlot(QPainter *painter, const QRectF &area, const FindingPlot &plot, const QPalette &palette)
{
    const PlotColors colors = plotColors(palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(QRectF(area.left() + plot.windowFrom * area.width(), area.top(),
                             std::max(2.0, (plot.windowTo - plot.windowFrom) * area.width()), area.height()),
                      colors.selection);
    painter->setPen(colors.axis);
    painter->drawLine(area.bottomLeft(), area.bottomRight());
    Range range{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
    range.take(plot.main);
    for (const std::vector<PlotColumn> &other : plot.others)
        range.take(other);
    if (range.low == range.high)  // draw it in the middle
        range = {range.low - 1, range.high + 1};
    QColor faint = colors.subtleText;
    faint.setAlpha(110);
    const QRectF inside = area.adjusted(0, 3, 0, -2);
    for (const std::vector<PlotColumn> &other : plot.others)
        paintCurve(painter, inside, other, range, faint, 1);
    paintCurve(painter, inside, plot.main, range, palette.color(QPalette::Link), 1.6);
    painter->restore();
}

}  // namespace sweepscope::ui
