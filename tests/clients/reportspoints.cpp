// reportspoints COUNT [nan | crash | until-stop | all-until-stop | until-file]: writes COUNT points of "loss" (value = step) through
// the feed, then exits with 0, kills itself with SIGKILL, or waits until the agent asks it to end through the ring.
// With "until-file" it waits for the file "go" in its working directory instead, and never asks whether to stop.
// With "nan" the last value is NaN. With "all" it waits while the ring is full, and writes the point again.
#include "feed/feedwriter.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

int main(int argc, char **argv)
{
    using namespace sweepscope::feed;
    const long count = argc > 1 ? std::atol(argv[1]) : 0;
    const char *then = argc > 2 ? argv[2] : "";
    auto writer = FeedWriter::openFromEnvironment();
    if (!writer) {
        std::fprintf(stderr, "error: %s\n", writer.error().message.c_str());
        return 1;
    }
    const auto loss = writer->declare("loss");
    const bool endsInNan = std::strcmp(then, "nan") == 0;
    const bool all = std::strcmp(then, "all-until-stop") == 0;
    const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
    for (long step = 0; step < count; ++step) {
        const std::uint64_t dropped = writer->dropped();
        writer->write(loss, step, endsInNan && step == count - 1 ? std::nan("") : static_cast<double>(step));
        if (all && writer->dropped() > dropped) {
            --step;
            pause();
        }
    }
    while (std::strcmp(then, "until-file") == 0 && !std::filesystem::exists("go"))
        pause();
    if (std::strcmp(then, "crash") == 0)
        std::raise(SIGKILL);
    while ((all || std::strcmp(then, "until-stop") == 0) && !writer->stopRequested())
        pause();
    return 0;
}
