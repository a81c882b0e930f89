#include "ui/models/missinglog.h"

#include <QCoreApplication>

#include <algorithm>

namespace sweepscope::ui {

namespace {

struct MissingLogWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::MissingLog)
};

/// Whether the attempt that ended for this reason did not start.
bool isFailedStart(const facts::Fact &reason)
{
    using facts::Code;
    switch (reason.code) {
    case Code::RankNotStarted:
    case Code::AttemptNotStarted:
    case Code::AgentNotStarted:
    case Code::EngineEndedBeforeStart:
        return true;
    default:
        return std::ranges::any_of(reason.because, isFailedStart);
    }
}

}  // namespace

bool hasLog(const sweep::TrialRecord &trial)
{
    return trial.attempts > 0 && !isFailedStart(trial.reason);
}

QString emptyLogText(const sweep::TrialRecord &trial, int attempt)
{
    if (attempt == 0) {
        if (sweep::isFinal(trial.state))
            return MissingLogWords::tr("The trial did not start, so it has no log.");
        if (trial.state == sweep::TrialState::Paused)
            return MissingLogWords::tr("The trial is paused and has not started. Its log appears here when it runs.");
        return MissingLogWords::tr("The trial has not started. Its log appears here when it runs.");
    }
    const bool isLast = attempt == trial.attempts;
    if (isLast && sweep::isUnderWay(trial.state))
        return MissingLogWords::tr("The log is empty. Output appears here as the process writes it.");
    if (isLast && !hasLog(trial))
        return MissingLogWords::tr("The attempt did not start, so its log is empty.");
    return MissingLogWords::tr("The log is empty: the attempt wrote no output.");
}

}  // namespace sweepscope::ui
