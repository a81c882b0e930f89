/* Preloaded into the engine and all that it starts: shifts the wall clock by the seconds in the file CLOCK_SHIM_FILE, as if
   the machine's clock had been set. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const long result = syscall(SYS_clock_gettime, clock, time);
    const char *name = getenv("CLOCK_SHIM_FILE");
    if (result != 0 || clock != CLOCK_REALTIME || name == NULL)
        return (int)result;
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    char text[32] = {0};
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) > 0)
            time->tv_sec += atol(text);
        close(file);
    }
    return 0;
}
