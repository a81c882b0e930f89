#include "agentprogram.h"

int main(int argc, char **argv)
{
    return sweepscope::runAgentProgram(argc, argv);
}
