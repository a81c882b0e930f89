#include "ui/models/reasontext.h"

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

}  // namespace sweepscope::ui
