#pragma once

namespace sweepscope::protocol {

/// Redirects Qt's messages to the log (base/log.h), with Qt's category. A fatal one still ends the program.
void logQtMessages();

}  // namespace sweepscope::protocol
