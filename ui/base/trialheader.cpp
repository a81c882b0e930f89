#include "ui/base/trialheader.h"

#include "sweep/deviceplace.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "ui/base/trialstepper.h"
#include "ui/models/valuetext.h"
#include "ui/theme/fittingbuttons.h"
#include "ui/theme/iconlabel.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace sweepscope::ui {

namespace {

QString objectiveText(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    if (!trial.objectiveLast)
        return {};
    QString text = QString::fromStdString(sweep.objective) + QLatin1Char(' ') + numberText(trial.objectiveLast->value);
    if (trial.objectiveBest)
        text += TrialHeader::tr(" · best %1 at step %2")
                    .arg(numberText(trial.objectiveBest->value),
                         QLocale().toString(static_cast<qlonglong>(trial.objectiveBest->step)));
    if (trial.pointMean)
        text += TrialHeader::tr(" · mean %1")
                    .arg(meanText(trial.pointMean->value, trial.pointMean->error, trial.pointMean->runs));
    return text;
}

}  // namespace

TrialHeader::TrialHeader(QWidget *parent)
    : QWidget(parent),
      m_stepper(new TrialStepper),
      m_stateIcon(new IconLabel),
      m_state(new QLabel),
      m_progress(new QProgressBar),
      m_step(new QLabel),
      m_details(new QToolButton),
      m_newest(new QToolButton),
      m_parameters(new QLabel),
      m_objective(new QLabel)
{
    setTextRole(m_state, TextRole::Emphasis);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    m_progress->setMinimumWidth(50);  // a narrow window needs the room for text
    m_progress->setMaximumWidth(150);
    m_progress->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_details->setText(tr("Details"));
    m_details->setObjectName(QStringLiteral("trialDetails"));
    m_details->setIcon(symbolIcon(QStringLiteral("about")));
    m_details->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_details->setToolTip(tr("Show the trial's overview (Ctrl+6)"));
    m_newest->setText(tr("Follow newest trial"));
    m_newest->setObjectName(QStringLiteral("followNewest"));
    m_newest->setCheckable(true);
    m_newest->setIcon(symbolIcon(QStringLiteral("live")));
    m_newest->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_newest->setToolTip(tr("When this trial ends, select the newest running trial, unless the charts are zoomed. "
                            "Selecting a trial turns this off."));
    m_parameters->setTextFormat(Qt::PlainText);
    m_step->setTextFormat(Qt::PlainText);
    m_step->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // with large text, the buttons keep theirs
    setTextRole(m_parameters, TextRole::Small);
    m_parameters->setForegroundRole(QPalette::PlaceholderText);
    m_parameters->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_objective->setTextFormat(Qt::PlainText);
    setTextRole(m_objective, TextRole::Small);

    auto *first = new QHBoxLayout;
    first->setSpacing(spacing::tiny);
    first->addWidget(m_stepper);
    first->addSpacing(spacing::medium);
    first->addWidget(m_stateIcon);
    first->addWidget(m_state);
    first->addSpacing(spacing::medium);
    first->addWidget(m_progress, 1);
    first->addSpacing(spacing::tiny);
    first->addWidget(m_step, 3);
    first->addWidget(m_details);
    first->addWidget(m_newest);
    new FittingButtons(this, first, {m_details, m_newest});
    auto *second = new QHBoxLayout;
    second->setSpacing(spacing::large);
    second->addWidget(m_parameters, 1);
    second->addWidget(m_objective);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addLayout(first);
    layout->addLayout(second);

    connect(m_stepper, &TrialStepper::trialChosen, this, &TrialHeader::trialChosen);
    connect(m_newest, &QToolButton::clicked, this, &TrialHeader::followNewestChosen);
    connect(m_details, &QToolButton::clicked, this, &TrialHeader::detailsRequested);
}

void TrialHeader::setTrial(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                           const std::vector<sweep::TrialRecord> &trials)
{
    if (std::exchange(m_definition, sweep.toml) != sweep.toml)
        m_stepper->setHidden(sweep::isRun(sweep::parseSweep(sweep.toml).spec));
    m_stepper->setTrial(trial.number, sweep.trialsTotal, trials);
    m_newest->setEnabled(sweep.trialsTotal > 1 || sweep.trialsToCome != 0);
    m_stateIcon->setIcon(stateIcon(trial));
    m_state->setText(stateText(trial));
    const bool begun = trial.attempts > 0;
    const bool hasReported = trial.step > 0 || trial.objectiveLast || !trial.metrics.empty();
    m_progress->setVisible(begun && (trial.progress > 0 || !sweep::isFinal(trial.state)));
    m_progress->setValue(static_cast<int>(std::lround(trial.progress * 1000)));
    QString step =
        begun && hasReported ? tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(trial.step))) : QString();
    if (!step.isEmpty() && trial.progress > 0)
        step += QStringLiteral(" · %1%").arg(static_cast<int>(std::floor(trial.progress * 100)));
    if (trial.attempts > 1)
        step += (step.isEmpty() ? QString() : QStringLiteral(" · ")) + tr("attempt %1").arg(trial.attempts);
    m_stepText = step;
    m_step->setToolTip(step);
    QStringList machines;
    for (const std::string &device : trial.devices) {
        const std::string machine = sweep::machineOf(device);
        const QString name = QString::fromStdString(machine.empty() ? sweep::thisMachine : machine);
        if (!machines.contains(name))
            machines << name;
    }
    const bool isHere = machines.isEmpty() || machines == QStringList(QString::fromLatin1(sweep::thisMachine));
    m_parametersText = QString::fromStdString(sweep.name)
                       + (isHere ? QString() : tr(" · on %1").arg(machines.join(QStringLiteral(", "))));
    if (!trial.parameters.empty())
        m_parametersText += QStringLiteral(" · ") + parametersText(trial.parameters);
    m_parameters->setToolTip(m_parametersText);
    m_objective->setText(objectiveText(sweep, trial));
    elideTexts();
}

void TrialHeader::setFollowingNewest(bool following)
{
    m_newest->setChecked(following);
}

QWidget *TrialHeader::numberField() const
{
    return m_stepper->numberField();
}

void TrialHeader::hideFollowing()
{
    m_newest->hide();
    m_details->hide();
}

void TrialHeader::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    elideTexts();
}

void TrialHeader::elideTexts()
{
    for (const auto &[label, text] : {std::pair{m_step, m_stepText}, std::pair{m_parameters, m_parametersText}})
        label->setText(label->fontMetrics().elidedText(text, Qt::ElideRight, label->width()));
}

QString parametersText(const sweep::ParameterSet &parameters)
{
    QStringList parts;
    for (const auto &[name, value] : parameters)
        parts.append(QString::fromStdString(name) + QLatin1Char(' ') + parameterText(value));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace sweepscope::ui
