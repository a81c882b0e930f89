#include "train/worker.h"

int main(int argc, char **argv)
{
    return sweepscope::train::runWorker(argc, argv);
}
