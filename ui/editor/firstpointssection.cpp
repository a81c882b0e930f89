#include "ui/editor/firstpointssection.h"

#include "ui/editor/axischooser.h"
#include "ui/editor/firstpointsmodel.h"
#include "ui/editor/previewtable.h"
#include "ui/models/valuetext.h"
#include "ui/theme/spacing.h"

#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

bool asksAnotherProgram(sweep::SearchMethod method)
{
    return method == sweep::SearchMethod::Command || method == sweep::SearchMethod::Optuna;
}

PointPlot::Axis trialAxis(std::size_t trials)
{
    PointPlot::Axis axis;
    axis.values.resize(trials);
    std::iota(axis.values.begin(), axis.values.end(), 1.0);
    axis.scale = scaleOf(axis.values, false);
    axis.scale.isWhole = true;
    return axis;
}

/// The values of a short list in ascending order, at equal distances: a search takes them as steps that matter equally.
PointPlot::Axis stepsAxis(const analysis::Parameter &parameter)
{
    std::vector<double> steps = parameter.marks;
    std::ranges::sort(steps);
    PointPlot::Axis axis;
    axis.scale.scale = analysis::Scale::Categories;
    axis.scale.hasUnset = parameter.isUnsetSomewhere;
    axis.scale.high = static_cast<double>(steps.size()) - 1;
    for (const double step : steps)
        axis.scale.categories << numberText(step);
    for (const double value : parameter.values) {
        const auto place = std::ranges::lower_bound(steps, value);
        axis.values.push_back(std::isnan(value) ? value : static_cast<double>(place - steps.begin()));
    }
    return axis;
}

/// Whether neither the number of trials nor results end the preview early.
bool hasWholeSpace(const PointPreview &preview)
{
    const auto shown = static_cast<int>(preview.first.points.size());
    return shown < mostPreviewedPoints && shown != preview.first.certain;
}

/// "The first 8 trials."
QString shownTrialsText(const PointPreview &preview)
{
    const std::size_t shown = preview.first.points.size();
    if (shown == preview.trials)
        return shown == 1 ? FirstPointsSection::tr("The only trial.")
                          : FirstPointsSection::tr("All %1 trials.").arg(shown);
    if (hasWholeSpace(preview))
        return shown == 1 ? FirstPointsSection::tr("The only point of the space.")
                          : FirstPointsSection::tr("All %1 points of the space.").arg(shown);
    if (shown == 1)
        return FirstPointsSection::tr("The first trial.");
    return preview.first.certain || preview.trials == 0
               ? FirstPointsSection::tr("The first %1 trials.").arg(shown)
               : FirstPointsSection::tr("The first %1 of %L2 trials.").arg(shown).arg(preview.trials);
}

}  // namespace

QString firstPointsText(const PointPreview &preview)
{
    if (preview.first.points.empty())
        return FirstPointsSection::tr("No point was found that satisfies the constraints.");
    const std::optional<int> &certain = preview.first.certain;
    const bool areAllCertain = !certain || hasWholeSpace(preview)
                               || (preview.trials != 0 && preview.trials <= static_cast<std::uint64_t>(*certain));
    const QString dependence =
        areAllCertain ? FirstPointsSection::tr("No point depends on results.")
                      : FirstPointsSection::tr("From trial %1 on, points depend on results.").arg(*certain + 1);
    return shownTrialsText(preview) + u' ' + dependence;
}

std::pair<int, int> usualAxes(const std::vector<analysis::Parameter> &parameters)
{
    std::vector<int> order(parameters.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_partition(order.begin(), order.end(), [&](int index) {
        return parameters[static_cast<std::size_t>(index)].scale != analysis::Scale::Categories;
    });
    order.resize(std::max<std::size_t>(order.size(), 2), AxisChooser::trialNumber);
    return {order[0], order[1]};
}

FirstPointsSection::FirstPointsSection(QWidget *parent)
    : FormSection(tr("First points"), QString(), parent),
      m_head(new QLabel(this)),
      m_points(new QWidget(this)),
      m_plotSide(new QWidget(m_points)),
      m_vertical(new AxisChooser(m_plotSide)),
      m_horizontal(new AxisChooser(m_plotSide)),
      m_plot(new PointPlot(m_plotSide)),
      m_table(new PreviewTable(m_points)),
      m_model(new FirstPointsModel(this))
{
    m_head->setObjectName(u"firstPoints.text"_s);
    m_head->setWordWrap(true);
    m_plot->setObjectName(u"firstPoints.plot"_s);
    m_vertical->setObjectName(u"firstPoints.vertical"_s);
    m_vertical->setAccessibleName(tr("Vertical axis"));
    m_horizontal->setObjectName(u"firstPoints.horizontal"_s);
    m_horizontal->setAccessibleName(tr("Horizontal axis"));
    m_table->setObjectName(u"firstPoints.table"_s);
    m_table->setAccessibleName(tr("First points"));
    m_table->setModel(m_model);
    connect(m_vertical, &QComboBox::activated, this, &FirstPointsSection::plot);
    connect(m_horizontal, &QComboBox::activated, this, &FirstPointsSection::plot);
    arrange();
    followMethod();
}

/// The choosers are the titles of the axes.
void FirstPointsSection::arrange()
{
    auto *plotSide = new QVBoxLayout(m_plotSide);
    plotSide->setContentsMargins(0, 0, 0, 0);
    plotSide->setSpacing(spacing::tiny);
    plotSide->addWidget(m_vertical, 0, Qt::AlignLeft);
    plotSide->addWidget(m_plot);
    plotSide->addWidget(m_horizontal, 0, Qt::AlignRight);
    auto *points = new QHBoxLayout(m_points);
    points->setContentsMargins(0, 0, 0, 0);
    points->setSpacing(spacing::large);
    points->addWidget(m_plotSide);
    points->addWidget(m_table, 1);
    body()->addWidget(m_head);
    body()->addWidget(m_points);
}

void FirstPointsSection::display(const SweepDraft &draft)
{
    m_method = draft.method();
    followMethod();
    const QString sampler = draft.value(u"search.sampler"_s);
    if (m_method == sweep::SearchMethod::Command)
        clear(tr("The program chooses the points while the sweep runs."));
    else if (m_method == sweep::SearchMethod::Optuna)
        clear(tr("Optuna's %1 chooses the points while the sweep runs.")
                  .arg(sampler.isEmpty() ? QString::fromStdString(sweep::SweepSpec().sampler) : sampler));
}

void FirstPointsSection::setLaunched(bool isLaunched)
{
    m_isLaunched = isLaunched;
    followMethod();
}

void FirstPointsSection::followMethod()
{
    setVisible(m_method != sweep::SearchMethod::Grid && !m_isLaunched);
    m_points->setVisible(!asksAnotherProgram(m_method));
}

void FirstPointsSection::showNothing(const QString &reason)
{
    if (!asksAnotherProgram(m_method))
        clear(reason);
}

void FirstPointsSection::clear(const QString &text)
{
    m_head->setText(text);
    m_plot->clear();
    m_model->setPoints({}, {});
}

void FirstPointsSection::showPreview(const PointPreview &preview)
{
    if (asksAnotherProgram(m_method))
        return;
    m_preview = preview;
    m_head->setText(firstPointsText(preview));
    m_model->setPoints(preview.names, preview.first.points);
    m_table->resizeColumnsToContents();
    m_plotSide->setVisible(!preview.parameters.empty());
    const auto [horizontal, vertical] = usualAxes(preview.parameters);
    m_horizontal->offer(preview.parameters, horizontal);
    m_vertical->offer(preview.parameters, vertical);
    plot();
}

void FirstPointsSection::plot()
{
    if (m_model->rowCount() == 0)
        return;
    m_plot->setPoints(axisOf(m_horizontal), axisOf(m_vertical), pointTexts());
}

PointPlot::Axis FirstPointsSection::axisOf(const AxisChooser *chooser) const
{
    if (chooser->parameter() == AxisChooser::trialNumber)
        return trialAxis(m_preview.first.points.size());
    const analysis::Parameter &parameter = m_preview.parameters[static_cast<std::size_t>(chooser->parameter())];
    return parameter.marks.empty() ? PointPlot::Axis{scaleOf(parameter), parameter.values} : stepsAxis(parameter);
}

QStringList FirstPointsSection::pointTexts() const
{
    QStringList texts;
    for (const sweep::ParameterSet &point : m_preview.first.points) {
        QStringList lines{tr("Trial %1").arg(texts.size() + 1)};
        for (const auto &[name, value] : point)
            lines << tr("%1: %2").arg(QString::fromStdString(name), parameterText(value));
        texts << lines.join(u'\n');
    }
    return texts;
}

}  // namespace sweepscope::ui
