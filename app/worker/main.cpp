#include "launch/forkserverloop.h"
#include "train/worker.h"

#include <string_view>

int main(int argc, char **argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "fork-server")
        return sweepscope::launch::serveForks(argc, argv, &sweepscope::train::runWorker);
    return sweepscope::train::runWorker(argc, argv);
}
