#include "ui/home/sweepstrip.h"

#include "ui/base/stopquestion.h"
#include "ui/home/sweepbar.h"
#include "ui/models/energytext.h"
#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"
#include "ui/theme/elidedbutton.h"
#include "ui/theme/elidedlabel.h"
#include "ui/theme/fittingbuttons.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"
#include "ui/theme/wraplayout.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <initializer_list>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int stateIconSize = 20;
constexpr double shortestWait = 2;  ///< that is worth showing, in seconds

struct SweepStripWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::SweepStrip)
};

QString timeText(const sweep::SweepRecord &sweep, const SweepSummary &summary, WallNs now)
{
    if (sweep.ended && summary.ranSeconds) {
        const double waited = sweep::activeSeconds(sweep, now) - *summary.ranSeconds;
        const QString ran = SweepStripWords::tr("ran %1").arg(durationText(*summary.ranSeconds));
        return waited < shortestWait ? ran : SweepStripWords::tr("%1, waited %2").arg(ran, durationText(waited));
    }
    if (sweep.ended)
        return SweepStripWords::tr("%1 elapsed").arg(durationText(sweep::activeSeconds(sweep, now)));
    if (std::ranges::find(sweep.warnings, facts::Code::NoEngine, &facts::Fact::code) != sweep.warnings.end())
        return {};  // since when it is so is not known
    const QString elapsed = elapsedText(sweep::activeSeconds(sweep, now));
    if (sweep.state != sweep::SweepState::Running)
        return SweepStripWords::tr("%1 elapsed").arg(elapsed);
    return summary.secondsLeft ? SweepStripWords::tr("%1 elapsed, %2").arg(elapsed, timeLeftText(*summary.secondsLeft))
                               : SweepStripWords::tr("%1 elapsed, time left unknown").arg(elapsed);
}

}  // namespace

SweepStrip::SweepStrip(QWidget *parent)
    : QWidget(parent),
      m_icon(new IconLabel(this, stateIconSize)),
      m_name(new ElidedLabel(this)),
      m_number(new QLabel(this)),
      m_state(new QLabel(this)),
      m_bar(new SweepBar(this)),
      m_counts(new ElidedLabel(this)),
      m_failures(new ElidedButton(this)),
      m_time(new ElidedLabel(this)),
      m_best(new QPushButton(symbolIcon(u"best"_s), {}, this)),
      m_warningIcon(new IconLabel(this)),
      m_warnings(new ElidedLabel(this)),
      m_objective(new QPushButton(this)),
      m_plotPrinted(new QPushButton(this)),
      m_pause(new QPushButton(this)),
      m_stop(new QPushButton(symbolIcon(u"stop"_s), tr("Stop"), this)),
      m_export(new QPushButton(symbolIcon(u"export"_s), tr("Export…"), this))
{
    setObjectName(u"sweepStrip"_s);
    setTextRole(m_name, TextRole::Heading);
    m_name->setObjectName(u"stripName"_s);
    m_name->setTextFormat(Qt::PlainText);
    m_number->setObjectName(u"stripNumber"_s);
    m_number->setForegroundRole(QPalette::PlaceholderText);
    m_state->setObjectName(u"stripState"_s);
    m_state->setForegroundRole(QPalette::PlaceholderText);
    m_bar->setObjectName(u"stripProgress"_s);
    m_bar->setAccessibleName(tr("Sweep progress"));
    m_counts->setObjectName(u"stripCounts"_s);
    m_time->setObjectName(u"stripTime"_s);
    m_time->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel *line : {m_name, m_counts, m_time})
        line->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_failures->setObjectName(u"stripFailures"_s);
    markDanger(m_failures);
    m_failures->setCursor(Qt::PointingHandCursor);
    m_best->setObjectName(u"stripBest"_s);
    m_best->setFlat(true);
    QSizePolicy keepsItsRoom = m_best->sizePolicy();
    keepsItsRoom.setRetainSizeWhenHidden(true);
    m_best->setSizePolicy(keepsItsRoom);
    m_best->setCursor(Qt::PointingHandCursor);
    m_warnings->setObjectName(u"stripWarnings"_s);
    m_warnings->setProperty("problem", true);
    m_objective->setObjectName(u"stripObjective"_s);
    m_objective->setToolTip(tr("Change the objective of this sweep. Trials are not rerun."));
    m_plotPrinted->setObjectName(u"stripPlotPrinted"_s);
    m_plotPrinted->setToolTip(
        tr("Read these metrics from the output of past and future trials. Trials are not rerun."));
    connect(m_plotPrinted, &QPushButton::clicked, this, &SweepStrip::printedRequested);
    m_pause->setObjectName(u"pauseButton"_s);
    m_stop->setObjectName(u"stopButton"_s);
    m_stop->setToolTip(tr("Stop running trials now and start no others (Shift+F5)"));
    m_export->setObjectName(u"stripExportButton"_s);
    m_export->setToolTip(tr("Export trials and curves as CSV or JSON (Ctrl+E)"));
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_pauses)
            Q_EMIT pauseRequested();
        else
            Q_EMIT resumeRequested();
    });
    connect(m_stop, &QPushButton::clicked, this, &SweepStrip::stopRequested);
    connect(m_export, &QPushButton::clicked, this, &SweepStrip::exportRequested);
    connect(m_failures, &QPushButton::clicked, this, &SweepStrip::failuresRequested);
    connect(m_best, &QPushButton::clicked, this, [this] {
        if (m_isProbe)
            Q_EMIT probeRequested();
        else
            Q_EMIT trialRequested(m_bestTrial);
    });

    auto *head = new QHBoxLayout;
    head->setSpacing(spacing::small);
    head->addWidget(m_icon);
    head->addWidget(m_name);
    head->addWidget(m_number, 0, Qt::AlignBaseline);
    head->addSpacing(spacing::tiny);
    head->addWidget(m_state, 0, Qt::AlignBaseline);
    head->addSpacing(spacing::small);
    head->addWidget(m_warningIcon);
    head->addWidget(m_warnings, 1);
    head->addWidget(m_objective);
    head->addWidget(m_plotPrinted);
    head->addStretch();
    head->addWidget(m_export);
    head->addWidget(m_pause);
    head->addWidget(m_stop);
    auto *end = new QWidget(this);
    auto *endLayout = new QHBoxLayout(end);
    endLayout->setContentsMargins(0, 0, 0, 0);
    endLayout->addStretch(1);
    endLayout->addWidget(m_best);
    auto *facts = new WrapLayout;
    facts->setSpacing(spacing::large);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_counts, m_failures, m_time, end})
        facts->addWidget(widget);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::medium, spacing::large, spacing::tiny);
    layout->setSpacing(spacing::small);
    layout->addLayout(head);
    layout->addWidget(m_bar);
    layout->addLayout(facts);
    m_fitting = new FittingButtons(this, head, {m_export, m_pause, m_stop});
    showDraft(false);
}

void SweepStrip::showSweep(const sweep::SweepRecord &sweep, const SweepSummary &summary, WallNs now)
{
    m_icon->setIcon(stateIcon(sweep, summary));
    m_icon->show();
    m_name->setText(QString::fromStdString(sweep.name));
    m_number->setText(u"#%1"_s.arg(sweep.id));
    m_state->setText(stateText(sweep, summary));
    m_bar->setSummary(summary);
    m_counts->setText(countsText(summary));
    m_counts->setVisible(!m_counts->text().isEmpty());
    m_failures->setText(failuresText(summary));
    m_failures->setToolTip(tr("Show the failed trials by cause"));
    m_failures->setVisible(summary.failed > 0);
    showTime(sweep, summary, now);
    showBest(sweep, summary);
    QStringList warnings;
    for (const facts::Fact &warning : sweep.warnings)
        warnings << reasonText(warning);
    const bool isNoProblem = warnings.isEmpty() && !m_printed.isEmpty() && !m_engineSilent;
    if (!m_printed.isEmpty())
        warnings << (m_printed.size() == 1
                         ? tr("Found %1 in the output.").arg(m_printed.front())
                         : tr("Found %1 and %2 in the output.")
                               .arg(m_printed.first(m_printed.size() - 1).join(u", "_s), m_printed.back()));
    else if (summary.lacksObjective && !summary.isRun)
        warnings << (summary.reported.isEmpty()
                         ? tr("No trial reported the objective \"%1\".").arg(QString::fromStdString(sweep.objective))
                         : tr("No trial reported the objective \"%1\". Reported: %2.")
                               .arg(QString::fromStdString(sweep.objective), summary.reported.join(u", "_s)));
    if (m_warnings->property("problem").toBool() == isNoProblem) {
        m_warnings->setProperty("problem", !isNoProblem);
        m_warnings->style()->unpolish(m_warnings);
        m_warnings->style()->polish(m_warnings);
    }
    showWarnings(warnings);
    if (isNoProblem)
        m_warningIcon->hide();
    const bool mayChange = !m_readOnly && !sweep.archived && sweep.state != sweep::SweepState::Stopping;
    offerObjectives(mayChange ? summary.reported : QStringList());
    m_plotPrinted->setVisible(mayChange && !m_printed.isEmpty());
    m_plotPrinted->setText(m_printed.size() == 1 ? tr("Plot it") : tr("Plot them"));
    showPause(sweep.state);
    m_stop->setEnabled(mayBeStopped(sweep) && !m_readOnly);
    m_export->setEnabled(true);
}

/// For a probe, the best objective is meaningless.
void SweepStrip::showBest(const sweep::SweepRecord &sweep, const SweepSummary &summary)
{
    m_bestTrial = summary.bestTrial;
    if (std::exchange(m_isProbe, summary.isProbe) != m_isProbe)
        m_best->setIcon(symbolIcon(m_isProbe ? u"findings"_s : u"best"_s));
    if (m_isProbe) {
        m_best->setVisible(m_suggestion.has_value());
        if (m_suggestion) {
            m_best->setText(tr("Suggested %1").arg(m_suggestion->text()));
            m_best->setToolTip(tr("Show the measurements of the probe"));
        }
        return;
    }
    m_best->setVisible(summary.best.has_value());
    if (summary.bestMean) {
        m_best->setText(tr("Best mean %1 %2 in trial %3")
                            .arg(QString::fromStdString(sweep.objective),
                                 meanText(summary.bestMean->value, summary.bestMean->error, summary.bestMean->runs))
                            .arg(summary.bestTrial));
        m_best->setToolTip(tr("%1. Click to show the trial's curves.").arg(exactText(summary.bestMean->value)));
    } else if (summary.best) {
        const QString objective = QString::fromStdString(sweep.objective);
        m_best->setText(
            summary.isRun
                ? tr("Best %1 %2").arg(objective, numberText(summary.best->value))
                : tr("Best %1 %2 in trial %3").arg(objective, numberText(summary.best->value)).arg(summary.bestTrial));
        m_best->setToolTip(tr("%1 at step %L2. Click to show the trial's curves.")
                               .arg(exactText(summary.best->value))
                               .arg(summary.best->step));
    }
}

void SweepStrip::showPause(sweep::SweepState state)
{
    m_pauses = state != sweep::SweepState::Paused;
    m_pause->setIcon(symbolIcon(m_pauses ? u"pause"_s : u"start"_s));
    m_fitting->setText(m_pause, m_pauses ? tr("Pause") : tr("Resume"));
    m_pause->setToolTip(m_pauses ? tr("Start no further trials. The built-in worker saves a checkpoint and releases "
                                      "its devices. Commands are frozen. (F6)")
                                 : tr("Resume the sweep (F6)"));
    m_pause->setEnabled(sweep::canBeStopped(state) && !m_readOnly);
}

void SweepStrip::showWarnings(const QStringList &warnings)
{
    QStringList sentences;
    if (m_engineSilent)
        sentences << tr("The engine does not respond. Trials keep running. Commands wait for its response.");
    sentences << warnings;
    m_warnings->setText(sentences.join(u" · "_s));
    m_warnings->setToolTip(sentences.join(u'\n'));  // the label may have room for only a part
    m_warnings->setVisible(!sentences.isEmpty());
    m_warningIcon->setVisible(!sentences.isEmpty());
    if (!sentences.isEmpty())
        m_warningIcon->setIcon(symbolIcon(u"warning"_s, QPalette::WindowText));
}

/// One metric is named on the button, several are in its menu.
void SweepStrip::offerObjectives(const QStringList &metrics)
{
    m_objective->setVisible(!metrics.empty());
    if (metrics == m_offered)
        return;
    m_offered = metrics;
    m_objective->disconnect(SIGNAL(clicked()));
    delete m_objective->menu();
    m_objective->setMenu(nullptr);
    if (metrics.size() == 1) {
        m_objective->setText(tr("Use %1").arg(metrics.front()));
        connect(m_objective, &QPushButton::clicked, this,
                [this, metric = metrics.front()] { Q_EMIT objectiveRequested(metric); });
    } else if (!metrics.empty()) {
        m_objective->setText(tr("Change objective"));
        auto *menu = new QMenu(m_objective);
        for (const QString &metric : metrics)
            menu->addAction(metric, this, [this, metric] { Q_EMIT objectiveRequested(metric); });
        m_objective->setMenu(menu);
    }
}

void SweepStrip::showTime(const sweep::SweepRecord &sweep, const SweepSummary &summary, WallNs now)
{
    QStringList parts{timeText(sweep, summary, now)};
    if (m_energy)
        parts << energyText(m_energy->joules);
    if (!m_cost.isEmpty())
        parts << tr("cost %1").arg(m_cost);
    parts.removeAll(QString());
    m_time->setText(parts.join(u" · "_s));
    QString meaning = sweep.ended ? tr("From the launch of the sweep to its end, including waits")
                                  : tr("Since the launch of the sweep, including waits");
    if (m_energy)
        meaning += u'\n' + tr("Energy of the GPUs in attempts that have ended, %1").arg(methodText(m_energy->method));
    if (!m_cost.isEmpty())
        meaning += u'\n' + tr("Cost by the factors in Preferences");
    m_time->setToolTip(meaning);
}

void SweepStrip::showDraft(bool isFirst)
{
    m_icon->hide();
    m_name->setText(tr("New sweep"));
    m_number->clear();
    m_state->clear();
    m_bar->setSummary({});
    m_bar->setToolTip({});
    m_counts->show();
    m_counts->setText(isFirst ? tr("1. Edit the example   2. Start the sweep   3. Watch its curves")
                              : tr("Not started"));
    m_failures->hide();
    m_time->clear();
    m_time->setToolTip({});
    m_best->hide();
    m_bestTrial = 0;
    showWarnings({});
    offerObjectives({});
    m_printed.clear();
    m_plotPrinted->hide();
    showPause(sweep::SweepState::Completed);
    m_stop->setEnabled(false);
    m_export->setEnabled(false);
}

}  // namespace sweepscope::ui
