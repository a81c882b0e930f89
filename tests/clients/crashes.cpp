// crashes SIGNAL: dies by that signal, without a core file.
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const int number = argc > 1 ? std::atoi(argv[1]) : SIGSEGV;
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    ::signal(number, SIG_DFL);  // a sanitizer installs its own handlers
    ::raise(number);
    for (;;)
        ::pause();
}
