#pragma once

#include "facts/fact.h"

#include <QString>

/// Facts as text (core/wording).
namespace sweepscope::ui {

/// One sentence without a full stop; empty for no fact.
QString reasonText(const facts::Fact &reason);
/// Several sentences.
QString replyText(const facts::Facts &reply);

}  // namespace sweepscope::ui
