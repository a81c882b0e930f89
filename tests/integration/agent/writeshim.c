/* Preloaded into an agent: the first pwrite() of the program that WRITE_SHIM_PROGRAM names fails, as on a full disk that
   has room again a moment later. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static ssize_t failOnce(int file, const void *bytes, size_t size, off_t offset)
{
    static int failed = 0;
    const char *program = getenv("WRITE_SHIM_PROGRAM");
    if (!failed && program != NULL && strcmp(program, program_invocation_short_name) == 0) {
        failed = 1;
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_pwrite64, file, bytes, size, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    return failOnce(file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset)
{
    return failOnce(file, bytes, size, offset);
}
