#include "train/stoprequest.h"

#include <csignal>

namespace sweepscope::train {

namespace {

volatile std::sig_atomic_t terminated = 0;

void onTerminate(int)
{
    terminated = 1;
}

}  // namespace

void watchForTermination()
{
    struct sigaction action {};
    action.sa_handler = onTerminate;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, nullptr);
}

bool terminationRequested()
{
    return terminated != 0;
}

}  // namespace sweepscope::train
