#pragma once

namespace sweepscope::protocol {

/// From here on Qt's messages are lines of the log (base/log.h) too, with Qt's category. A fatal one still ends the program.
void logQtMessages();

}  // namespace sweepscope::protocol
