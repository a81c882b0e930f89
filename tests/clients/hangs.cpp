// Prints a line, then waits forever. SIGTERM ends it.
#include <cstdio>
#include <unistd.h>

int main()
{
    std::puts("hanging");
    std::fflush(stdout);
    for (;;)
        ::pause();
}
