#include "nodeprogram.h"

int main(int argc, char **argv)
{
    return sweepscope::runNodeProgram(argc, argv);
}
