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
    return problem ? reasonText(facts::Fact(facts::Code::InvalidInput).with(facts::Field::Detail, problem->message))
                   : QString();
}

}  // namespace sweepscope::ui
