#include "ui/analysis/analysispage.h"

#include "sweep/sweepfile.h"
#include "ui/analysis/importancepanel.h"
#include "ui/analysis/parallelview.h"
#include "ui/analysis/targetchooser.h"
#include "ui/analysis/trialscatter.h"
#include "ui/base/emptyview.h"
#include "ui/base/taborder.h"
#include "ui/live/picturesaver.h"
#include "ui/models/newestjob.h"
#include "ui/models/sweepkey.h"
#include "ui/models/valuetext.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSettings>
#include <QStackedWidget>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto pointsDelay = 40ms;

}  // namespace

AnalysisPage::AnalysisPage(protocol::EngineClient *client, SelectionModel *selection, QSettings *settings,
                           QWidget *parent)
    : EnginePage(client, selection, u"analysis"_s, 300ms, parent), m_settings(settings), m_job(new NewestJob(0ms, this))
{
    setObjectName(u"analysisPage"_s);
    build();
    m_showPoints.setSingleShot(true);
    m_showPoints.setInterval(pointsDelay);
    connect(&m_showPoints, &QTimer::timeout, this, &AnalysisPage::showPoints);
    connectPlots();
    addPictures();
    setFirstForKeys(this, m_parallel);
    refresh();
}

AnalysisPage::~AnalysisPage() = default;

void AnalysisPage::showSweep(qint64 sweepId)
{
    if (sweepId == m_sweepId)
        return;
    if (m_figure && !m_parallel->ranges().empty())
        m_keptRanges[m_sweepId] = {m_figure, m_parallel->ranges()};
    m_sweepId = sweepId;
    m_job->drop();
    m_hasChosen = false;
    m_key.clear();
    take(nullptr);
}

void AnalysisPage::followSelection(bool isOtherSweep)
{
    if (isOtherSweep)
        refresh();
    else
        showSelected();
}

void AnalysisPage::showSelected()
{
    const int trial = selection()->current().trial;
    m_parallel->selectTrial(trial);
    m_slice->selectTrial(trial);
    m_history->selectTrial(trial);
}

bool AnalysisPage::isBusy() const
{
    return m_job->isPending() || !m_parallel->isDrawn() || m_showPoints.isActive();
}

void AnalysisPage::refresh()
{
    if (!isVisible())
        return;
    showSweep(sweepId());
    showSelected();
    const sweep::SweepRecord *record = client()->sweep(m_sweepId);
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_sweepId);
    if (!record || trials.empty()) {
        showEmpty(tr("No sweep has run yet"),
                  tr("Open a sweep or write one, and press Start: which of its parameters matter, and where the good "
                     "values are, appears here."),
                  tr("Define a sweep"));
        return;
    }
    showContent();
    readSpec(*record);
    m_target->fill(*record, trials);
    restore(*record);
    analysis::TrialValues values = analysis::collect(m_spec, *record, trials, m_target->target());
    m_log->setEnabled(std::ranges::all_of(values.values, [](double value) { return value > 0; }));
    if (values.size() == 0) {
        m_job->drop();
        take(nullptr);
        tellNoValues(*record, values);
        return;
    }
    nameSheets(*record);
    m_plots->setCurrentIndex(0);
    m_job->request([this, values = std::make_shared<analysis::TrialValues>(std::move(values)),
                    title = m_target->title(),
                    logarithmic = m_log->isChecked() && m_log->isEnabled()]() -> std::function<void()> {
        const FigurePtr figure = makeFigure(std::move(*values), title, logarithmic);
        return [this, figure] { take(figure); };
    });
}

/// What is shown of each sweep, and how, is kept as columns and filters of its table are.
void AnalysisPage::restore(const sweep::SweepRecord &record)
{
    if (!m_key.isEmpty())
        return;
    const QScopedValueRollback filling(m_filling, true);
    m_key = settingsKey(client()->workspace(), record);
    const auto kept = [this](const QString &name) {
        return m_settings ? m_settings->value(u"analysis/%1/%2"_s.arg(m_key, name)) : QVariant();
    };
    m_target->restore(m_settings, u"analysis/%1"_s.arg(m_key));
    m_log->setChecked(kept(u"log"_s).toBool());
    m_parallel->setWantedOrder(kept(u"order"_s).toStringList());
}

void AnalysisPage::keep() const
{
    if (!m_settings || m_key.isEmpty() || m_filling)
        return;
    m_target->keep(m_settings, u"analysis/%1"_s.arg(m_key));
    m_settings->setValue(u"analysis/%1/log"_s.arg(m_key), m_log->isChecked());
    m_settings->setValue(u"analysis/%1/order"_s.arg(m_key), m_parallel->wantedOrder());
}

void AnalysisPage::readSpec(const sweep::SweepRecord &record)
{
    if (m_toml == record.toml)
        return;
    m_toml = record.toml;
    m_spec = sweep::parseSweep(m_toml).spec;
}

void AnalysisPage::tellNoValues(const sweep::SweepRecord &record, const analysis::TrialValues &values)
{
    const QString name = m_target->isObjective() ? QString::fromStdString(record.objective) : m_target->title();
    if (values.without > 0)
        m_noValues->setMessage(tr("No trial has a value of %1").arg(name),
                               tr("Those that came to their end did not report it. Choose another value above."));
    else if (!sweep::isActive(record.state))
        m_noValues->setMessage(tr("No trial came to its end"),
                               tr("All of them failed or were stopped: there is nothing to be compared. The table of "
                                  "trials tells why."));
    else
        m_noValues->setMessage(tr("No trial has a result yet"),
                               tr("As trials end, their parameters and their %1 appear here. Those that failed "
                                  "or were stopped are left out.")
                                   .arg(name));
    m_plots->setCurrentIndex(1);
    m_summary->clear();
}

/// Nothing of what was shown can be acted on: the trials are another sweep's by now.
void AnalysisPage::takeNothing()
{
    m_showPoints.stop();
    m_clear->hide();
    m_show->setEnabled(false);
    m_show->setText(tr("Show in Trials"));
    m_summary->clear();
    m_summary->setToolTip({});
    m_slice->setContent({});
    m_history->setContent({});
}

void AnalysisPage::take(FigurePtr figure)
{
    m_figure = std::move(figure);
    m_parallel->setFigure(m_figure);
    if (const auto kept = m_figure ? m_keptRanges.extract(m_sweepId) : decltype(m_keptRanges)::node_type())
        m_parallel->setRanges(carriedOver(kept.mapped().second, *kept.mapped().first, *m_figure));
    m_importance->setFigure(m_figure);
    if (!m_figure) {
        takeNothing();
        return;
    }
    const QScopedValueRollback filling(m_filling, true);
    QStringList names;
    for (const analysis::Parameter &parameter : m_figure->values.parameters)
        names << QString::fromStdString(parameter.name);
    QStringList before;
    for (int i = 0; i < m_parameter->count(); ++i)
        before << m_parameter->itemText(i);
    if (names != before) {
        const QString chosen = m_parameter->currentText();
        m_parameter->clear();
        m_parameter->addItems(names);
        m_parameter->setCurrentText(chosen);
    }
    m_parameter->setEnabled(names.size() > 1);
    // As long as nobody has chosen one: the most important.
    const std::vector<double> &shares = m_figure->importance.shares;
    const auto most = std::ranges::max_element(shares);
    if (!m_hasChosen && most != shares.end() && *most > 0)
        m_parameter->setCurrentIndex(static_cast<int>(most - shares.begin()));
    if (!m_parallel->chosenAxis().isEmpty())  // the value's axis stays chosen
        m_parallel->chooseAxis(m_parameter->currentText());
    m_importance->chooseParameter(m_parameter->currentText());
    showRanges();
    showPoints();
    showSelected();
}

/// The person chose it, in any of the plots.
void AnalysisPage::chooseParameter(const QString &id)
{
    const int index = m_parameter->findText(id);
    if (m_filling || !m_figure || index < 0)
        return;
    const QScopedValueRollback filling(m_filling, true);
    m_hasChosen = true;
    m_parameter->setCurrentIndex(index);
    m_parallel->chooseAxis(id);
    m_importance->chooseParameter(id);
    showSlice();
}

/// What the ranges leave, everywhere.
void AnalysisPage::showRanges()
{
    if (!m_figure)
        return;
    const auto all = static_cast<int>(m_figure->values.size());
    const auto within = static_cast<int>(std::ranges::count(m_parallel->within(), 1));
    const bool isLimited = !m_parallel->ranges().empty();
    QString text = isLimited  ? tr("%L1 of %L2 finished trials").arg(within).arg(all)
                   : all == 1 ? tr("1 finished trial")
                              : tr("%L1 finished trials").arg(all);
    const auto best = std::ranges::find_if(m_figure->fromWorst.rbegin(), m_figure->fromWorst.rend(), [this](int row) {
        return m_parallel->within()[static_cast<std::size_t>(row)] != 0;
    });
    if (best != m_figure->fromWorst.rend()) {
        const auto row = static_cast<std::size_t>(*best);
        const QString value = numberText(m_figure->values.values[row]);
        text += tr(" · best %1 in trial %2").arg(value).arg(m_figure->values.trials[row]);
    }
    if (m_figure->values.without > 0)
        text += tr(" · %L1 without a value").arg(m_figure->values.without);
    m_summary->setText(text);
    m_summary->setToolTip(text);
    m_clear->setVisible(isLimited);
    m_show->setEnabled(isLimited && within > 0);
    m_show->setText(isLimited ? tr("Show %L1 in Trials").arg(within) : tr("Show in Trials"));
    // A drag is not held up by the points.
    if (!m_showPoints.isActive())
        m_showPoints.start();
}

void AnalysisPage::showPoints()
{
    m_showPoints.stop();
    if (!m_figure)
        return;
    showSlice();
    showHistory();
}

std::vector<TrialPoint> AnalysisPage::points(const std::vector<int> &rows,
                                             const std::function<double(std::size_t place)> &x) const
{
    std::vector<TrialPoint> points;
    points.reserve(rows.size());
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const auto row = static_cast<std::size_t>(rows[place]);
        const bool isWithin = m_parallel->within()[row] != 0;
        const bool isPruned = m_figure->values.isPruned[row] != 0;
        const PointKind kind = isPruned ? (isWithin ? PointKind::Pruned : PointKind::FaintPruned)
                                        : (isWithin ? PointKind::Completed : PointKind::FaintCompleted);
        points.push_back({x(place), m_figure->target().scale.unitOf(m_figure->values.values[row]),
                          m_figure->values.trials[row], kind});
    }
    return points;
}

void AnalysisPage::showSlice()
{
    const int index = m_parameter->currentIndex();
    TrialScatter::Content content;
    content.y = m_figure->target().scale;
    content.yTitle = m_figure->target().title;
    content.best = m_figure->values.trials[static_cast<std::size_t>(m_figure->best)];
    if (index >= 0) {
        const FigureAxis &axis = m_figure->axes[static_cast<std::size_t>(index)];
        const std::vector<double> &values = m_figure->values.parameters[static_cast<std::size_t>(index)].values;
        content.x = axis.scale;
        content.xTitle = axis.title;
        content.points = points(m_figure->fromWorst, [&](std::size_t place) {
            return axis.scale.unitOf(values[static_cast<std::size_t>(m_figure->fromWorst[place])]);
        });
    }
    m_slice->setContent(std::move(content));
}

void AnalysisPage::showHistory()
{
    TrialScatter::Content content;
    content.y = m_figure->target().scale;
    content.yTitle = m_figure->target().title;
    content.x.isWhole = true;
    content.x.low = 1;
    content.x.high = std::max<double>(2, static_cast<double>(m_figure->byEnd.size()));
    content.xTitle = tr("trials by finish time");
    content.best = m_figure->values.trials[static_cast<std::size_t>(m_figure->best)];
    content.points = points(m_figure->byEnd, [](std::size_t place) { return static_cast<double>(place + 1); });
    for (std::size_t place = 0; place < m_figure->bestSoFar.size(); ++place)
        content.line.emplace_back(static_cast<double>(place + 1),
                                  m_figure->target().scale.unitOf(m_figure->bestSoFar[place]));
    m_history->setContent(std::move(content));
}

QString AnalysisPage::trialText(int trial) const
{
    const int row = m_figure ? m_figure->rowOf(trial) : -1;
    if (row < 0)
        return {};
    const auto at = static_cast<std::size_t>(row);
    const sweep::TrialState state =
        m_figure->values.isPruned[at] ? sweep::TrialState::Pruned : sweep::TrialState::Completed;
    QString text = tr("Trial %1, %2").arg(trial).arg(stateText(state));
    text += u"\n%1: %2"_s.arg(m_figure->target().title, numberText(m_figure->values.values[at]));
    for (std::size_t i = 0; i < m_figure->values.parameters.size(); ++i)
        text += u"\n%1: %2"_s.arg(m_figure->axes[i].title, m_figure->valueText(row, static_cast<int>(i)));
    return text;
}

}  // namespace sweepscope::ui
