#pragma once

#include <muParser.h>

namespace sweepscope::sweep {

/// Gives a muParser our own meaning of every operator and function: its own ones know nothing of unknown values (NaN),
/// and its `=` assigns.
void defineLanguage(mu::Parser &parser);

}  // namespace sweepscope::sweep
