#include "ui/analysis/objectivescontent.h"

#include "ui/analysis/scattercontent.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

namespace {

struct ObjectivesWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::AnalysisPage)
};

/// The sweep's first objective follows the page; the values choose the scale of the others.
AxisScale objectiveScale(const analysis::ObjectiveResults &results, std::size_t objective, bool logarithmic)
{
    std::vector<double> values;
    for (const std::vector<double> &trial : results.values)
        values.push_back(trial[objective]);
    const bool areLogarithmic = objective == 0 ? logarithmic : analysis::scaleFor(values) == analysis::Scale::Log;
    return scaleOf(values, areLogarithmic);
}

PointKind kindOf(int trial, const AnalysisFigure &figure, const std::vector<char> &within)
{
    const int row = figure.rowOf(trial);
    return row < 0 ? PointKind::Completed : pointKind(figure, static_cast<std::size_t>(row), within);
}

/// Corners of the steps between points that ascend along x. Nothing beyond a step is reached by a trial: where small values
/// of x are good, the step is at the end of the stretch, else at its beginning.
std::vector<QPointF> stepsThrough(const std::vector<QPointF> &points, bool isLowGood)
{
    std::vector<QPointF> corners;
    for (const QPointF &point : points) {
        if (!corners.empty())
            corners.push_back(isLowGood ? QPointF(point.x(), corners.back().y())
                                        : QPointF(corners.back().x(), point.y()));
        corners.push_back(point);
    }
    return corners;
}

}  // namespace

std::shared_ptr<const ObjectivesFigure> makeObjectivesFigure(analysis::ObjectiveResults results)
{
    if (results.names.empty())
        return nullptr;
    auto figure = std::make_shared<ObjectivesFigure>();
    figure->hypervolumes = analysis::hypervolumes(results);
    figure->results = std::move(results);
    return figure;
}

TrialScatter::Content frontContent(const ObjectivesFigure &objectives, std::size_t x, std::size_t y,
                                   const AnalysisFigure &figure, const std::vector<char> &within)
{
    const analysis::ObjectiveResults &results = objectives.results;
    const bool logarithmic = figure.target().scale.scale == analysis::Scale::Log;
    TrialScatter::Content content;
    content.x = objectiveScale(results, x, logarithmic);
    content.y = objectiveScale(results, y, logarithmic);
    content.xTitle = QString::fromStdString(results.names[x]);
    content.yTitle = QString::fromStdString(results.names[y]);
    const auto placeOf = [&](std::size_t place) {
        return QPointF(content.x.unitOf(results.values[place][x]), content.y.unitOf(results.values[place][y]));
    };
    for (std::size_t place = 0; place < results.trials.size(); ++place) {
        const QPointF at = placeOf(place);
        content.points.push_back(
            {at.x(), at.y(), results.trials[place], kindOf(results.trials[place], figure, within)});
    }
    std::vector<QPointF> front;
    for (const std::size_t place : analysis::frontOf(results, x, y))
        front.push_back(placeOf(place));
    content.line = stepsThrough(front, results.signs[x] > 0);
    content.lineName = ObjectivesWords::tr("Pareto front");
    return content;
}

TrialScatter::Content hypervolumeContent(const ObjectivesFigure &objectives, const AnalysisFigure &figure,
                                         const std::vector<char> &within)
{
    TrialScatter::Content content;
    content.x.isWhole = true;
    content.x.low = 1;
    content.x.high = std::max<double>(2, static_cast<double>(objectives.hypervolumes.size()));
    content.xTitle = ObjectivesWords::tr("trials in order of completion");
    content.yTitle = ObjectivesWords::tr("hypervolume");
    content.y.high =
        objectives.hypervolumes.empty() || objectives.hypervolumes.back() <= 0 ? 1 : objectives.hypervolumes.back();
    double before = 0;
    for (std::size_t place = 0; place < objectives.hypervolumes.size(); ++place) {
        const double volume = objectives.hypervolumes[place];
        const double number = static_cast<double>(place + 1);
        const int trial = objectives.results.trials[place];
        if (volume > before)
            content.points.push_back({number, volume, trial, kindOf(trial, figure, within)});
        content.line.emplace_back(number, volume);
        before = volume;
    }
    return content;
}

}  // namespace sweepscope::ui
