#include "launch/agentmessage.h"

#include "base/log.h"

namespace sweepscope::launch {

void logWarning(const std::string &sentence)
{
    log(LogLevel::Warning, "agent", sentence);
}

}  // namespace sweepscope::launch
