#include "launch/agentmessage.h"

#include "base/clock.h"
#include "base/files.h"

#include <unistd.h>

namespace sweepscope::launch {

void say(const std::string &sentence)
{
    // There is nowhere to report to when the log itself cannot be written.
    (void)writeAll(STDERR_FILENO, toIso8601(wallNow()) + " sweepscope-agent: " + sentence + "\n", "agent.log");
}

}  // namespace sweepscope::launch
