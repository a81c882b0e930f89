#include "ui/plot/trialplots.h"

#include "ui/plot/axistickers.h"
#include "ui/plot/chart.h"
#include "ui/plot/chartlayout.h"
#include "ui/plot/chartsmenu.h"
#include "ui/plot/columns.h"
#include "ui/plot/curveemphasis.h"
#include "ui/plot/curvelegend.h"
#include "ui/plot/curvenames.h"
#include "ui/plot/livedata.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/livetoolbar.h"
#include "ui/plot/panelview.h"
#include "ui/plot/picturesaver.h"
#include "ui/plot/plotcursor.h"
#include "ui/plot/plotgestures.h"
#include "ui/plot/plotkeys.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSettings>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int belowMessage = 72;

/// The settings of the last sweep, used for a new one, except for charts and series.
QString lastKey()
{
    return QStringLiteral("last");
}

}  // namespace

TrialPlots::TrialPlots(QWidget *parent)
    : QWidget(parent),
      m_data(new LiveData(this)),
      m_charts(new ChartLayout(this)),
      m_chartsMenu(new ChartsMenu(m_charts, this)),
      m_toolBar(new LiveToolBar),
      m_plot(new LivePlot),
      m_cursor(new PlotCursor(m_plot)),
      m_legend(new CurveLegend),
      m_emphasis(nullptr),
      m_pictures(new PictureSaver(m_plot)),
      m_showHidden(new QToolButton(m_plot))
{
    m_pictures->addActions(m_toolBar->pictureMenu());
    new PlotGestures(m_plot);
    new PlotKeys(m_plot, m_cursor);
    m_emphasis = new CurveEmphasis(m_plot, m_legend);
    auto *row = new QHBoxLayout;
    row->setSpacing(0);
    // For more charts than fit.
    auto *scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("chartsScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_plot);
    connect(m_plot, &LivePlot::currentChanged, scroll, [scroll](const QRect &place) {
        scroll->ensureVisible(place.center().x(), place.center().y(), place.width() / 2, place.height() / 2);
    });
    connect(m_plot, &LivePlot::currentChanged, this, &TrialPlots::updateLegend);
    // Below the message.
    m_showHidden->setObjectName(u"showHiddenCurves"_s);
    m_showHidden->setText(tr("Show all"));
    m_showHidden->hide();
    connect(m_showHidden, &QToolButton::clicked, this, &TrialPlots::showHidden);
    connect(m_plot, &LivePlot::hiddenChanged, this, &TrialPlots::updateMessage);
    auto *over = new QVBoxLayout(m_plot);
    over->setSizeConstraint(QLayout::SetNoConstraint);
    over->setContentsMargins(0, textScaled(belowMessage), 0, 0);
    over->addWidget(m_showHidden, 0, Qt::AlignCenter);
    row->addWidget(scroll, 1);
    row->addWidget(m_legend);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addWidget(m_toolBar);
    layout->addLayout(row, 1);

    connect(m_data, &LiveData::frameReady, this, &TrialPlots::showFrame);
    connect(m_toolBar, &LiveToolBar::changed, this, &TrialPlots::updateRequest);
    connect(m_toolBar, &LiveToolBar::xScaleChanged, m_plot, &LivePlot::setXScale);
    connect(m_toolBar, &LiveToolBar::logarithmicChanged, m_plot, &LivePlot::setLogarithmic);
    connect(m_toolBar, &LiveToolBar::followClicked, m_plot, &LivePlot::follow);
    connect(m_plot, &LivePlot::viewChanged, this, &TrialPlots::updateRequest);
    connect(m_plot, &LivePlot::followingChanged, m_toolBar, &LiveToolBar::setFollowing);
    connect(m_plot, &LivePlot::updated, this, &TrialPlots::updateLegend);
    connect(m_cursor, &PlotCursor::moved, this, &TrialPlots::updateLegend);
    connect(m_legend, &CurveLegend::hiddenChosen, m_plot, &LivePlot::setHidden);
    connectCharts();
    const auto key = [this](const QKeySequence &sequence, auto action) {
        auto *shortcut = new QShortcut(sequence, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    key(Qt::Key_R, [this] { m_toolBar->cycleRankView(); });
    key(Qt::Key_L, [this] { m_toolBar->toggleLogarithmic(); });
    key(Qt::Key_F, [this] { m_plot->follow(); });
    key(Qt::Key_O, [this] { ignoreOutliers(!m_plot->ignoresOutliers()); });
    key(Qt::Key_C, [this] { m_toolBar->openChartsMenu(); });
    key(Qt::CTRL | Qt::Key_Z, [this] { m_charts->undo(); });
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_Z, [this] { m_charts->redo(); });
    updateRequest();
}

void TrialPlots::addBelowToolBar(QWidget *widget)
{
    auto *column = static_cast<QBoxLayout *>(layout());
    column->insertWidget(column->count() - 1, widget);
}

void TrialPlots::connectCharts()
{
    m_toolBar->setChartsMenu(m_chartsMenu);
    connect(m_charts, &ChartLayout::changed, this, &TrialPlots::chartsChanged);
    connect(m_toolBar, &LiveToolBar::changed, this, &TrialPlots::save);
    connect(m_toolBar, &LiveToolBar::changed, this, [this] {
        const bool isOther = std::exchange(m_series, m_toolBar->series()) != m_toolBar->series();
        if (!isOther || m_restoring)
            return;
        if (!m_plot->alone().isEmpty())
            m_plot->setAlone(chosenChart());
        exchangeCharts(m_series, m_plot->frame().main.id);
    });
    connect(m_toolBar, &LiveToolBar::xScaleChanged, this, &TrialPlots::save);
    connect(m_toolBar, &LiveToolBar::logarithmicChanged, this, &TrialPlots::save);
    connect(m_plot, &LivePlot::hiddenChanged, this, &TrialPlots::save);
    connect(m_plot, &LivePlot::chartMoved, m_charts, &ChartLayout::move);
    connect(m_plot, &LivePlot::chartRemoved, m_charts, &ChartLayout::remove);
    connect(m_plot, &LivePlot::aloneChanged, m_toolBar, &LiveToolBar::setChartAlone);
    connect(m_toolBar, &LiveToolBar::allChartsClicked, m_plot, [this] { m_plot->setAlone({}); });
    connect(m_pictures, &PictureSaver::menuOpens, this, &TrialPlots::fillMenu);
}

/// If the user arranged the charts, one of the metric chosen above them takes the place of the one that was: otherwise
/// one would be shown twice and the other one not at all.
void TrialPlots::exchangeCharts(const QString &chosen, const QString &before)
{
    const auto idOf = [](const QString &series) {
        Chart chart;
        chart.kind = Chart::Kind::Series;
        chart.series = QStringList(series);
        return chart.id();
    };
    const QStringList present = m_charts->present();
    if (!m_charts->isUsual() && !before.isEmpty() && present.contains(chosenChart()) && present.contains(idOf(chosen))
        && !present.contains(idOf(before)))
        m_charts->replace(idOf(chosen), idOf(before));
}

void TrialPlots::ignoreOutliers(bool ignoring)
{
    m_plot->setIgnoringOutliers(ignoring);
    save();
}

void TrialPlots::setForTrials()
{
    m_isForTrials = true;
    m_hasOneChart = true;
    m_plot->setArrangeable(false);
    m_data->setComparing();
    m_toolBar->setForTrials();
    m_plot->setXScale(m_toolBar->xScale());
    connect(m_emphasis, &CurveEmphasis::pointedAt, this, &TrialPlots::pointAt);
    m_plot->setSelectable(true);
    connect(m_plot, &LivePlot::curvesSelected, this, [this](const QStringList &keys) { selectTrials(keys, false); });
    connect(m_emphasis, &CurveEmphasis::clicked, this, [this](const QString &key, Qt::KeyboardModifiers modifiers) {
        const PlotCurve *curve = curveOfTrial(key);
        if (curve && modifiers.testFlag(Qt::ControlModifier))
            selectTrials({key}, true);
        else if (curve)
            Q_EMIT trialClicked({curve->sweep, curve->trial});
    });
}

void TrialPlots::setChosenTrial(int trial)
{
    PlotCurve curve;
    curve.name = trialCurveName(trial);
    m_emphasis->setChosen(trial == 0 ? QString() : hidingKey(PanelKind::Curves, PlotPanel(), curve));
}

void TrialPlots::setColorKey(const ColorKey &key)
{
    m_plot->setColorKey(key);
}

void TrialPlots::selectTrials(const QStringList &keys, bool toggles)
{
    const QSet<QString> chosen(keys.begin(), keys.end());
    const PlotPanel &panel = m_plot->frame().main;
    std::vector<TrialChoice> trials;
    for (const PlotCurve &curve : panel.curves) {
        if (curve.trial > 0 && chosen.contains(hidingKey(PanelKind::Curves, panel, curve)))
            trials.push_back({curve.sweep, curve.trial});
    }
    if (!trials.empty())
        Q_EMIT trialsSelected(trials, toggles);
}

/// Null if there is no such curve, or it is not that of a trial.
const PlotCurve *TrialPlots::curveOfTrial(const QString &key) const
{
    const PlotPanel &panel = m_plot->frame().main;
    const auto found = std::ranges::find_if(panel.curves, [&](const PlotCurve &curve) {
        return curve.trial > 0 && hidingKey(PanelKind::Curves, panel, curve) == key;
    });
    return key.isEmpty() || found == panel.curves.end() ? nullptr : &*found;
}

void TrialPlots::pointAt(const QString &key, const QPoint &place)
{
    const PlotCurve *curve = curveOfTrial(key);
    if (!curve) {
        Q_EMIT trialPointedAt({}, {}, place, false);
        return;
    }
    constexpr int toTheRight = 120;  // pixels
    const QCPAxis *axis = m_plot->panes()[0]->xAxis();
    const int pixel = m_plot->mapFromGlobal(place).x();
    const double x = axis->pixelToCoord(pixel);
    const series::Column *next = columnAt(curve->columns, axis->pixelToCoord(pixel + textScaled(toTheRight)));
    const series::Column *column = columnAt(curve->columns, x);
    const PlotPanel &panel = m_plot->frame().main;
    const QString value =
        column ? panel.id + u' ' + valueText(column->last, displayUnit(panel.unit, std::abs(column->last))) : QString();
    Q_EMIT trialPointedAt({curve->sweep, curve->trial}, value, place, column && next && next->last > column->last);
}

void TrialPlots::setForOneChart()
{
    m_hasOneChart = true;
    m_plot->setArrangeable(false);
    m_charts->restore({{chosenChart()}});
    m_toolBar->setForOneChart();
    m_plot->setXScale(m_toolBar->xScale());
}

void TrialPlots::showSources(std::vector<TrialSource> sources)
{
    if (m_isForTrials) {
        // Trials come and go, and the view stays; but not in another sweep.
        const qint64 sweepId = sources.empty() ? m_sweepId : sources.front().sweepId;
        const bool isOther = std::exchange(m_sweepId, sweepId) != sweepId;
        m_shown = std::move(sources);
        keepSources();
        if (!isOther)
            return;
        showValues(m_plot->ignoresOutliers(), {});
        m_plot->setFrame(PlotFrame());
        m_plot->follow();
        updateMessage();
        return;
    }
    const std::vector<TrialSource> &shown = m_shown;
    const auto isSame = [](const TrialSource &a, const TrialSource &b) { return a.sameFiles(b); };
    const auto isOfSameTrial = [](const TrialSource &a, const TrialSource &b) {
        return a.sweepId == b.sweepId && a.trial == b.trial;
    };
    const bool other = !std::ranges::equal(sources, shown, isSame);
    // The next attempt continues the previous one, and so does the view.
    const auto continues = [&](const TrialSource &next, const TrialSource &before) {
        return isOfSameTrial(next, before) && next.continuesOthers() && next.firstAttempt <= before.attempt
               && next.attempt > before.attempt;
    };
    if (other && std::ranges::equal(sources, shown, continues)) {
        m_shown = sources;
        keepSources();
        return;
    }
    const bool isNextAttempt = other && std::ranges::equal(sources, shown, isOfSameTrial);
    if (isNextAttempt && !m_plot->isFollowing())
        return;  // the user is viewing something of the previous one
    m_shown = sources;
    const qint64 sweepId = sources.empty() ? m_sweepId : sources.front().sweepId;
    if (std::exchange(m_sweepId, sweepId) != sweepId && !m_settings)
        showValues(false, {});  // values left out in another sweep
    m_chartsMenu->setTrial(sources.empty() ? TrialChoice()
                                           : TrialChoice{sources.front().sweepId, sources.front().trial});
    keepSources();
    if (!other)
        return;
    m_plot->setFrame(PlotFrame());
    m_plot->follow();
    updateMessage();
}

void TrialPlots::clear()
{
    if (m_shown.empty())
        return;
    m_shown.clear();
    m_data->clearSource();
    m_plot->setFrame(PlotFrame());
    m_plot->follow();
    updateMessage();
}

void TrialPlots::keepSources()
{
    m_toolBar->setSeveralRanks(
        std::ranges::any_of(m_shown, [](const TrialSource &source) { return source.ranks > 1; })
        || std::ranges::any_of(m_pinned, [](const TrialSource &source) { return source.ranks > 1; }));
    if (m_isForTrials || m_pinned.empty() || m_shown.empty()) {
        m_data->setSources(m_shown);
        m_areApart = false;
        return;
    }
    alignApart();
    std::vector<TrialSource> all = m_shown;
    all.insert(all.end(), m_pinned.begin(), m_pinned.end());
    m_data->setSources(all);
}

/// On a clock, days between short trials would leave lines of their curves. The user may still choose it.
void TrialPlots::alignApart()
{
    const bool areApart = !std::ranges::all_of(
        m_pinned, [this](const TrialSource &pinned) { return ranTogether(pinned, m_shown.front()); });
    if (!std::exchange(m_areApart, areApart) && areApart && m_toolBar->xScale() == XScale::WallTime) {
        const QScopedValueRollback restoring(m_restoring, true);  // not a choice to be stored
        m_toolBar->setXScale(XScale::Relative);
    }
}

void TrialPlots::setPinned(const std::vector<TrialSource> &pinned)
{
    if (pinned == m_pinned)
        return;
    m_pinned = pinned;
    if (!m_shown.empty())
        keepSources();
}

std::vector<TrialChoice> TrialPlots::pinnedTrials() const
{
    std::vector<TrialChoice> trials;
    for (const QString &id : m_charts->present()) {
        const Chart chart = Chart::fromId(id);
        if (chart.isPinned() && std::ranges::find(trials, chart.pinned) == trials.end())
            trials.push_back(chart.pinned);
    }
    return trials;
}

void TrialPlots::chartsChanged()
{
    Q_EMIT pinnedChanged();
    save();
    updateRequest();
}

void TrialPlots::save()
{
    if (!m_settings || m_key.isEmpty() || m_restoring)
        return;
    for (const QString &key : {m_key, lastKey()}) {
        m_settings->beginGroup(QStringLiteral("live/%1").arg(key));
        if (key != lastKey()) {
            m_settings->setValue("rows", toLines(m_charts->rows()));
            m_settings->setValue("series", m_toolBar->series());
            m_settings->setValue("logarithmic", m_toolBar->isLogarithmic());
            m_settings->setValue("ignoreOutliers", m_plot->ignoresOutliers());
            m_settings->setValue("hidden", QStringList(m_plot->hidden().values()));
        }
        m_settings->setValue("ranks", static_cast<int>(m_toolBar->rankView()));
        m_settings->setValue("x", static_cast<int>(m_toolBar->xScale()));
        m_settings->setValue("smoothing", m_toolBar->smoothing());
        m_settings->endGroup();
    }
}

void TrialPlots::showValues(bool ignoresOutliers, const QSet<QString> &hidden)
{
    m_plot->setIgnoringOutliers(ignoresOutliers);
    if (hidden != m_plot->hidden())
        m_plot->setHidden(hidden);
}

void TrialPlots::restore(QSettings *settings, const QString &key)
{
    if (!settings || key.isEmpty() || key == m_key)
        return;
    m_settings = settings;
    m_key = key;
    m_plot->setAlone({});
    const QScopedValueRollback restoring(m_restoring, true);
    const bool isKept = settings->contains(QStringLiteral("live/%1/rows").arg(key));
    settings->beginGroup(QStringLiteral("live/%1").arg(isKept ? key : lastKey()));
    const auto own = [&](const QString &name) { return isKept ? settings->value(name) : QVariant(); };
    m_toolBar->setSeries(own(QStringLiteral("series")).toString());
    m_toolBar->setRankView(static_cast<RankView>(settings->value("ranks", 0).toInt()));
    m_toolBar->setXScale(static_cast<XScale>(settings->value("x", 0).toInt()));
    m_toolBar->setLogarithmic(own(QStringLiteral("logarithmic")).toBool());
    m_toolBar->setSmoothing(settings->value("smoothing", 0).toDouble());
    const QStringList hidden = own(QStringLiteral("hidden")).toStringList();
    showValues(own(QStringLiteral("ignoreOutliers")).toBool(), {hidden.begin(), hidden.end()});
    m_charts->restore(fromLines(own(QStringLiteral("rows")).toStringList()));
    settings->endGroup();
}

void TrialPlots::setEmptyText(const QString &text)
{
    m_emptyText = text;
    updateMessage();
}

void TrialPlots::updateRequest()
{
    PlotRequest request;
    m_plot->fillRequest(request);
    request.series = m_toolBar->series();
    request.smoothing = m_toolBar->smoothing();
    request.rankView = m_toolBar->rankView();
    request.charts = m_charts->rows();
    m_data->setRequest(request);
}

void TrialPlots::showFrame(const std::shared_ptr<const PlotFrame> &frame)
{
    m_toolBar->setChoices(*frame);
    m_chartsMenu->setChoices(*frame);
    m_charts->setUsual(m_hasOneChart ? ChartRows{{chosenChart()}}
                                     : usualCharts(frame->seriesNames, frame->main.id, frame->stripIds));
    const bool otherSeries = frame->main.id != m_plot->frame().main.id;
    m_plot->setFrame(frame);
    if (otherSeries)
        Q_EMIT seriesChanged(frame->main.id);
    updateMessage();
    updateRequest();  // labels of a different width change the width of the curves
    const QString lost =
        frame->droppedRecords > 0
            ? tr("Lost records: %Ln. The reporting rate was too high, or there was no space left.", nullptr,
                 static_cast<int>(std::min<qint64>(frame->droppedRecords, std::numeric_limits<int>::max())))
            : QString();
    const QString problem =
        frame->problem.isEmpty() || lost.isEmpty() ? frame->problem + lost : frame->problem + QLatin1Char('\n') + lost;
    if (problem != m_problem) {
        m_problem = problem;
        Q_EMIT problemChanged(m_problem);
    }
    m_legend->setVisible(frame->main.curves.size() <= mostCurveItems);
    if (std::exchange(m_missingCurves, frame->missingCurves) != m_missingCurves)
        Q_EMIT missingCurvesChanged(m_missingCurves);
    if (std::exchange(m_missingBytes, frame->missingBytes) != m_missingBytes)
        Q_EMIT missingBytesChanged(m_missingBytes);
}

void TrialPlots::updateLegend()
{
    m_legend->legendModel()->setFrame(m_plot->frame(), m_cursor->position(), m_plot->hidden());
    m_plot->setCursorText(m_cursor->isPut() && m_cursor->position() ? valuesUnderCursor() : QString());
}

/// "12:30:05, loss: rank 0 0.52, rank 1 0.53".
QString TrialPlots::valuesUnderCursor() const
{
    const QString chart = panelTitle(m_plot->currentPane().panel());
    QStringList values;
    bool isOfChart = false;
    for (int row = 0; row < m_legend->legendModel()->rowCount(); ++row) {
        const QModelIndex index = m_legend->legendModel()->index(row);
        const QString text = index.data(Qt::AccessibleTextRole).toString();
        if (index.data(LegendModel::HeadingRole).toBool())
            isOfChart = text == chart;
        else if (isOfChart && !index.data(LegendModel::NoteRole).toBool()
                 && !index.data(LegendModel::HiddenRole).toBool())
            values << text;
    }
    return QStringLiteral("%1, %2: %3").arg(m_cursor->text(), chart, values.join(QStringLiteral(", ")));
}

void TrialPlots::updateMessage()
{
    const PlotFrame &frame = m_plot->frame();
    const bool isReading = m_isForTrials && !m_shown.empty() && (frame.generation == 0 || frame.missingCurves > 0);
    const bool isHidden = areAllHidden();
    m_plot->setMessage(isHidden                   ? tr("All curves are hidden.")
                       : !frame.main.id.isEmpty() ? QString()
                       : isReading                ? tr("Reading curves…")
                                                  : m_emptyText);
    m_showHidden->setVisible(isHidden);
}

/// Whether the user has hidden each curve of the only chart. Curves that appear later may be among those hidden before.
bool TrialPlots::areAllHidden() const
{
    const PlotPanel &panel = m_plot->frame().main;
    return m_plot->panes().size() == 1 && !panel.curves.empty()
           && std::ranges::none_of(panel.curves, [&](const PlotCurve &curve) {
                  return isShown(PanelKind::Curves, panel, curve, m_plot->hidden());
              });
}

void TrialPlots::showHidden()
{
    const PlotPanel &panel = m_plot->frame().main;
    QSet<QString> hidden = m_plot->hidden();
    for (const PlotCurve &curve : panel.curves)
        hidden.remove(hidingKey(PanelKind::Curves, panel, curve));
    m_plot->setHidden(hidden);
    m_plot->setFocus();
}

void TrialPlots::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_data->setActive(true);
    updateRequest();
}

void TrialPlots::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_data->setActive(false);
}

/// Puts the actions of the chart first. If it is shown alone (M), those for all charts apply to it.
void TrialPlots::addPictureActions(QMenu *menu, const PictureSaver::Actions &pictures, const PlotPane *pane)
{
    if (m_plot->panes().size() < 2)
        return;
    pictures.save->setText(tr("Export all plots…"));
    pictures.copy->setText(tr("Copy picture of all plots"));
    if (!pane)
        return;
    const QString id = m_plot->chartOf(*pane);
    const auto add = [&](const QString &name, const QString &icon, const QString &text) {
        auto *action = new QAction(symbolIcon(icon), text, menu);
        action->setObjectName(name);
        menu->insertAction(pictures.save, action);
        return action;
    };
    connect(add(u"saveChart"_s, u"image"_s, tr("Export plot…")), &QAction::triggered, m_pictures,
            [this, id] { m_pictures->askForChart(id); });
    connect(add(u"copyChart"_s, u"copy"_s, tr("Copy picture")), &QAction::triggered, m_pictures,
            [this, id] { m_pictures->copyChart(id); });
}

void TrialPlots::fillMenu(QMenu *menu, const PictureSaver::Actions &pictures, const QPoint &place)
{
    const PlotPane *titled = m_plot->titleAt(place);
    const PlotPane *pane = titled ? titled : m_plot->paneAt(place);
    addPictureActions(menu, pictures, pane);
    QAction *outliers = menu->addAction(tr("Ignore outliers\tO"), this, &TrialPlots::ignoreOutliers);
    outliers->setCheckable(true);
    outliers->setChecked(m_plot->ignoresOutliers());
    outliers->setToolTip(tr("Fit vertical axes without outliers"));
    outliers->setObjectName(u"ignoreOutliers"_s);
    if (m_hasOneChart)
        return;
    menu->addSeparator();
    if (!pane) {
        m_chartsMenu->addAdditions(menu, {});
        return;
    }
    const QString id = m_plot->chartOf(*pane);
    const bool isAlone = m_plot->alone() == id;
    QAction *alone = menu->addAction(isAlone ? tr("Show all charts\tM") : tr("Maximize chart\tM"), m_plot,
                                     [this, id, isAlone] { m_plot->setAlone(isAlone ? QString() : id); });
    alone->setObjectName(u"chartAlone"_s);
    alone->setEnabled(isAlone || m_plot->panes().size() > 1);
    m_chartsMenu->addActionsOf(id, menu);
    menu->addSeparator();
    m_chartsMenu->addAdditionsAround(id, menu);
}

}  // namespace sweepscope::ui
