// Writes its environment, folder, arguments and open descriptors as one JSON object to stdout.
#include "surroundings.h"

int main(int argc, char **argv)
{
    std::puts(surroundings::asJson(argc, argv).c_str());
    return 0;
}
