// A rank with a fork server: `forks surroundings` prints its surroundings and whether it was forked or executed, `forks
// exit 3`, `forks abort`, `forks wait` (for SIGTERM).
#include "launch/forkserverloop.h"
#include "surroundings.h"

#include <cstdlib>

namespace {

bool isServer = false;

int rank(int argc, char **argv)
{
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "surroundings") {
        std::puts(surroundings::asJson(argc, argv).c_str());
        std::puts(isServer ? "forked" : "executed");
        return 0;
    }
    if (what == "exit")
        return argc > 2 ? std::atoi(argv[2]) : 0;
    if (what == "abort")
        std::abort();
    std::puts("waiting");
    std::fflush(stdout);
    for (;;)
        ::pause();
}

}  // namespace

int main(int argc, char **argv)
{
    isServer = argc > 1 && std::string_view(argv[1]) == "fork-server";
    return isServer ? sweepscope::launch::serveForks(argc, argv, &rank) : rank(argc, argv);
}
