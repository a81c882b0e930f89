#include "ui/analysis/modelcontent.h"

#include "ui/analysis/scattercontent.h"
#include "ui/models/valuetext.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct ModelWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::ModelPanel)
};

/// The scale from the best to the worst value that colours distinguish.
AxisScale scaleOfMeans(const AnalysisFigure &figure)
{
    AxisScale scale = figure.target().scale;
    if (figure.bestShade != figure.worstShade)
        std::tie(scale.low, scale.high) = std::minmax({figure.bestShade, figure.worstShade});
    return scale;
}

/// Logarithmic, because deviations far from the best values are many times larger than those that matter.
AxisScale scaleOfDeviations(const std::vector<double> &deviations)
{
    std::vector<double> known;
    std::ranges::copy_if(deviations, std::back_inserter(known), [](double value) { return std::isfinite(value); });
    return scaleOf(known, true);
}

}  // namespace

ModelPlot::Map modelMap(const AnalysisFigure &figure, const analysis::ModelSurface &surface, ModelValue value)
{
    const bool isMean = value == ModelValue::Mean;
    ModelPlot::Map map;
    map.columns = surface.x.places.size();
    map.rows = surface.y.places.size();
    map.scale = isMean ? scaleOfMeans(figure) : scaleOfDeviations(surface.deviations);
    map.title = isMean ? figure.target().title : ModelWords::tr("Standard deviation");
    map.isLowBest = isMean && figure.values.target.goal == sweep::Goal::Minimize;
    map.isSmooth = surface.x.parameter.scale != analysis::Scale::Categories
                   && surface.y.parameter.scale != analysis::Scale::Categories;
    for (const double one : isMean ? surface.values : surface.deviations)
        map.units.push_back(std::isnan(one) ? one : map.scale.unitOf(one));
    return map;
}

TrialScatter::Content modelPoints(const AnalysisFigure &figure, const analysis::ModelSurface &surface,
                                  const std::vector<char> &within)
{
    TrialScatter::Content content;
    content.x = scaleOf(surface.x.parameter);
    content.y = scaleOf(surface.y.parameter);
    content.xTitle = QString::fromStdString(surface.x.parameter.name);
    content.yTitle = QString::fromStdString(surface.y.parameter.name);
    content.isYNamed = true;
    content.best = surface.bestTrial;
    for (const analysis::SurfacePoint &point : surface.points) {
        const int row = figure.rowOf(point.trial);
        if (row < 0 && !point.isPending)
            continue;
        PointKind kind = PointKind::Pending;
        if (row >= 0)
            kind = pointKind(figure, static_cast<std::size_t>(row), within);
        content.points.push_back({content.x.unitOf(point.x), content.y.unitOf(point.y), point.trial, kind});
    }
    return content;
}

QString othersText(const analysis::ModelSurface &surface)
{
    QStringList values;
    for (const auto &[name, value] : surface.others)
        values << QString::fromStdString(name) + u' ' + parameterText(value);
    return values.isEmpty()
               ? QString()
               : ModelWords::tr("Others as in trial %1: %2").arg(surface.bestTrial).arg(values.join(u", "_s));
}

std::vector<std::string> firstParameters(const AnalysisFigure &figure, const std::vector<std::string> &offered)
{
    const auto rank = [&figure](const std::string &name) {
        const auto found = std::ranges::find(figure.values.parameters, name, &analysis::Parameter::name);
        if (found == figure.values.parameters.end())
            return std::pair(true, 0.0);
        const auto index = static_cast<std::size_t>(found - figure.values.parameters.begin());
        return std::pair(found->scale == analysis::Scale::Categories, -figure.importance.shares[index]);
    };
    std::vector<std::string> names = offered;
    std::ranges::stable_sort(names, {}, rank);
    if (names.size() < 2)
        return {};
    names.resize(2);
    return names;
}

}  // namespace sweepscope::ui
