// Says that it is there, then waits for ever. SIGTERM ends it.
#include <cstdio>
#include <unistd.h>

int main()
{
    std::puts("hanging");
    std::fflush(stdout);
    for (;;)
        ::pause();
}
