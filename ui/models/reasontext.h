#pragma once

#include "facts/fact.h"

#include <QString>

namespace sweepscope::sweep {
struct SweepRecord;
}

/// Facts as text (core/wording).
namespace sweepscope::ui {

/// One sentence without a full stop; empty for no fact.
QString reasonText(const facts::Fact &reason);
/// Whether the trial of this reason runs on a machine to which there is no connection.
bool isUnreachable(const facts::Fact &reason);
/// Several sentences.
QString replyText(const facts::Facts &reply);
/// Why no trial of the sweep can run: it was imported or joined. Empty for other sweeps.
QString missingProgramText(const sweep::SweepRecord &sweep);

}  // namespace sweepscope::ui
