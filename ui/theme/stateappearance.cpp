#include "ui/theme/stateappearance.h"

#include "sweep/probe.h"
#include "sweep/trialtime.h"
#include "ui/theme/icons.h"

#include <QCoreApplication>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct StateWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::State)
};

/// The file determines the colours, also in selected rows.
QIcon fromFile(QLatin1StringView name)
{
    return symbolIcon(u"state-%1"_s.arg(name));
}

}  // namespace

QIcon stateIcon(sweep::TrialState state)
{
    switch (state) {
    case sweep::TrialState::Queued:
        return fromFile("waiting"_L1);
    case sweep::TrialState::Starting:
        return fromFile("starting"_L1);
    case sweep::TrialState::Running:
        return fromFile("running"_L1);
    case sweep::TrialState::Paused:
        return fromFile("paused"_L1);
    case sweep::TrialState::Completed:
        return fromFile("completed"_L1);
    case sweep::TrialState::Pruned:
        return fromFile("pruned"_L1);
    case sweep::TrialState::Failed:
        return fromFile("failed"_L1);
    case sweep::TrialState::Stopped:
        return fromFile("stopped"_L1);
    case sweep::TrialState::Lost:
        return fromFile("lost"_L1);
    }
    return {};
}

namespace {

sweep::TrialState shownState(const sweep::TrialRecord &trial)
{
    return sweep::waitsAsJob(trial) ? sweep::TrialState::Queued : trial.state;
}

}  // namespace

QIcon stateIcon(const sweep::TrialRecord &trial)
{
    return stateIcon(shownState(trial));
}

QString stateText(const sweep::TrialRecord &trial)
{
    if (sweep::isProbesUpperBound(trial))
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Out of memory"));
    return stateText(shownState(trial));
}

QString stateText(sweep::TrialState state)
{
    switch (state) {
    case sweep::TrialState::Queued:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Queued"));
    case sweep::TrialState::Starting:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Starting"));
    case sweep::TrialState::Running:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Running"));
    case sweep::TrialState::Paused:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Paused"));
    case sweep::TrialState::Completed:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Completed"));
    case sweep::TrialState::Pruned:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Pruned"));
    case sweep::TrialState::Failed:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Failed"));
    case sweep::TrialState::Stopped:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Stopped"));
    case sweep::TrialState::Lost:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Lost"));
    }
    return {};
}

QColor stateColor(sweep::TrialState state)
{
    switch (state) {
    case sweep::TrialState::Queued:
        return QColor(0x8a, 0x94, 0xa6);
    case sweep::TrialState::Starting:
        return QColor(0x5b, 0xb0, 0xf0);
    case sweep::TrialState::Running:
        return QColor(0x2f, 0x7d, 0xe1);
    case sweep::TrialState::Paused:
        return QColor(0xc9, 0x8a, 0x12);
    case sweep::TrialState::Completed:
        return QColor(0x2e, 0x9e, 0x5b);
    case sweep::TrialState::Pruned:
        return QColor(0x2b, 0x8a, 0x8a);
    case sweep::TrialState::Failed:
        return QColor(0xd6, 0x45, 0x45);
    case sweep::TrialState::Stopped:
        return QColor(0x8e, 0x5b, 0xc0);
    case sweep::TrialState::Lost:
        return QColor(0xd6, 0x45, 0x45);
    }
    return {};
}

QIcon stateIcon(sweep::SweepState state)
{
    switch (state) {
    case sweep::SweepState::Running:
        return stateIcon(sweep::TrialState::Running);
    case sweep::SweepState::Paused:
        return stateIcon(sweep::TrialState::Paused);
    case sweep::SweepState::Stopping:
        return fromFile("stopping"_L1);
    case sweep::SweepState::Completed:
        return stateIcon(sweep::TrialState::Completed);
    case sweep::SweepState::Stopped:
        return stateIcon(sweep::TrialState::Stopped);
    case sweep::SweepState::Failed:
        return stateIcon(sweep::TrialState::Failed);
    }
    return {};
}

QString stateText(sweep::SweepState state)
{
    switch (state) {
    case sweep::SweepState::Running:
        return stateText(sweep::TrialState::Running);
    case sweep::SweepState::Paused:
        return stateText(sweep::TrialState::Paused);
    case sweep::SweepState::Stopping:
        return StateWords::tr(QT_TRANSLATE_NOOP("sweepscope::ui::State", "Stopping"));
    case sweep::SweepState::Completed:
        return stateText(sweep::TrialState::Completed);
    case sweep::SweepState::Stopped:
        return stateText(sweep::TrialState::Stopped);
    case sweep::SweepState::Failed:
        return stateText(sweep::TrialState::Failed);
    }
    return {};
}

}  // namespace sweepscope::ui
