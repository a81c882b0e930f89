#include "ui/live/trialplots.h"

#include "ui/live/curvelegend.h"
#include "ui/live/livedata.h"
#include "ui/live/liveplot.h"
#include "ui/live/livetoolbar.h"
#include "ui/live/picturesaver.h"
#include "ui/live/plotcursor.h"
#include "ui/live/plotgestures.h"
#include "ui/theme/spacing.h"

#include <QHBoxLayout>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace sweepscope::ui {

TrialPlots::TrialPlots(QWidget *parent)
    : QWidget(parent),
      m_data(new LiveData(this)),
      m_toolBar(new LiveToolBar),
      m_plot(new LivePlot),
      m_cursor(new PlotCursor(m_plot)),
      m_legend(new CurveLegend),
      m_pictures(new PictureSaver(m_plot))
{
    m_pictures->addActions(m_toolBar->pictureMenu());
    new PlotGestures(m_plot);
    auto *row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_plot, 1);
    row->addWidget(m_legend);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_toolBar);
    layout->addLayout(row, 1);

    connect(m_data, &LiveData::frameReady, this, &TrialPlots::takeFrame);
    connect(m_toolBar, &LiveToolBar::changed, this, &TrialPlots::ask);
    connect(m_toolBar, &LiveToolBar::xScaleChanged, m_plot, &LivePlot::setXScale);
    connect(m_toolBar, &LiveToolBar::logarithmicChanged, m_plot, &LivePlot::setLogarithmic);
    connect(m_toolBar, &LiveToolBar::followClicked, m_plot, &LivePlot::follow);
    connect(m_plot, &LivePlot::viewChanged, this, &TrialPlots::ask);
    connect(m_plot, &LivePlot::followingChanged, m_toolBar, &LiveToolBar::setFollowing);
    connect(m_plot, &LivePlot::updated, this, &TrialPlots::updateLegend);
    connect(m_cursor, &PlotCursor::moved, this, &TrialPlots::updateLegend);
    connect(m_legend, &CurveLegend::hiddenChosen, m_plot, &LivePlot::setHidden);
    const auto key = [this](Qt::Key sequence, auto action) {
        auto *shortcut = new QShortcut(QKeySequence(sequence), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    key(Qt::Key_R, [this] { m_toolBar->cycleRankView(); });
    key(Qt::Key_L, [this] { m_toolBar->toggleLogarithmic(); });
    key(Qt::Key_F, [this] { m_plot->follow(); });
    ask();
}

void TrialPlots::setForTrials()
{
    m_data->setComparing();
    m_toolBar->setForTrials();
    m_plot->setXScale(m_toolBar->xScale());
}

void TrialPlots::showSources(const std::vector<TrialSource> &sources)
{
    const std::vector<TrialSource> &shown = m_data->sources();
    const auto isSame = [](const TrialSource &a, const TrialSource &b) { return a.sameFiles(b); };
    const auto isOfSameTrial = [](const TrialSource &a, const TrialSource &b) {
        return a.sweepId == b.sweepId && a.trial == b.trial;
    };
    const bool other = !std::ranges::equal(sources, shown, isSame);
    const bool isNextAttempt = other && std::ranges::equal(sources, shown, isOfSameTrial);
    if (isNextAttempt && !m_plot->isFollowing())
        return;  // the person looks at something of the last one
    m_data->setSources(sources);
    if (!other)
        return;
    m_plot->setFrame(PlotFrame());
    m_plot->follow();
    updateMessage();
}

void TrialPlots::clear()
{
    if (m_data->source() == TrialSource())
        return;
    m_data->clearSource();
    m_plot->setFrame(PlotFrame());
    m_plot->follow();
    updateMessage();
}

void TrialPlots::setEmptyText(const QString &text)
{
    m_emptyText = text;
    updateMessage();
}

void TrialPlots::ask()
{
    PlotRequest request;
    m_plot->fillRequest(request);
    request.series = m_toolBar->series();
    request.smoothing = m_toolBar->smoothing();
    request.rankView = m_toolBar->rankView();
    request.strips = m_toolBar->strips();
    m_data->setRequest(request);
}

void TrialPlots::takeFrame(const std::shared_ptr<const PlotFrame> &frame)
{
    m_toolBar->setChoices(*frame);
    const bool otherSeries = frame->main.id != m_plot->frame().main.id;
    m_plot->setFrame(frame);
    if (otherSeries)
        Q_EMIT seriesChanged(frame->main.id);
    updateMessage();
    ask();  // labels of another width leave the curves another place
    const QString lost =
        frame->droppedRecords > 0
            ? tr("%n record(s) were lost: they came faster than they could be saved, or there was no room.", nullptr,
                 static_cast<int>(std::min<qint64>(frame->droppedRecords, std::numeric_limits<int>::max())))
            : QString();
    const QString problem =
        frame->problem.isEmpty() || lost.isEmpty() ? frame->problem + lost : frame->problem + QLatin1Char('\n') + lost;
    if (problem != m_problem) {
        m_problem = problem;
        Q_EMIT problemChanged(m_problem);
    }
}

void TrialPlots::updateLegend()
{
    m_legend->legendModel()->setFrame(m_plot->frame(), m_cursor->position(), m_plot->hidden());
}

void TrialPlots::updateMessage()
{
    m_plot->setMessage(m_plot->frame().main.id.isEmpty() ? m_emptyText : QString());
}

void TrialPlots::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_data->setActive(true);
    ask();
}

void TrialPlots::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_data->setActive(false);
}

}  // namespace sweepscope::ui
