#include "ui/models/reasontext.h"

#include "wording/sentence.h"

namespace sweepscope::ui {

QString reasonText(const facts::Fact &reason)
{
    return QString::fromStdString(wording::sentence(reason));
}

QString replyText(const facts::Facts &reply)
{
    return QString::fromStdString(wording::sentences(reply));
}

}  // namespace sweepscope::ui
