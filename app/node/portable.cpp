#include "../agent/agentprogram.h"
#include "nodeprogram.h"

#include <string_view>

/// Both programs in one file, which has two names: most of each is the same libraries.
int main(int argc, char **argv)
{
    const bool isAgent = argc > 0 && std::string_view(argv[0]).ends_with("sweepscope-agent");
    return isAgent ? sweepscope::runAgentProgram(argc, argv) : sweepscope::runNodeProgram(argc, argv);
}
