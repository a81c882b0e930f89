#include "ui/models/reasontext.h"

#include "sweep/command.h"
#include "sweep/records.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

#include <algorithm>

namespace sweepscope::ui {

QString reasonText(const facts::Fact &reason)
{
    return QString::fromStdString(wording::sentence(reason));
}

bool isUnreachable(const facts::Fact &reason)
{
    return reason.code == facts::Code::TrialUnreachable || std::ranges::any_of(reason.because, isUnreachable);
}

QString replyText(const facts::Facts &reply)
{
    return QString::fromStdString(wording::sentences(reply));
}

QString missingProgramText(const sweep::SweepRecord &sweep)
{
    const auto problem = sweep::missingProgram(sweep::parseSweep(sweep.toml).spec);
    const QString text = problem ? QString::fromStdString(problem->message) : QString();
    return text.left(1).toUpper() + text.mid(1);
}

}  // namespace sweepscope::ui
