#pragma once

#include <cstddef>

namespace sweepscope::launch {

/// What others read in /proc/PID/cmdline, /proc/PID/environ and /proc/PID/comm of a process that becomes another one
/// without exec. The kernel shows the memory that the first exec laid out, so that one must have brought room:
/// a last argument, and a last variable named `roomVariable`, that are nothing but long.
class ProcessTitle {
public:
    static constexpr const char *roomVariable = "SWEEPSCOPE_TITLE_ROOM";

    /// Of main's own argv, which is overwritten from now on. Takes `roomVariable` out of the environment.
    ProcessTitle(int argc, char **argv);

    /// Async-signal-safe. `variables` (null: none) are seen besides those that the program was started with; those for
    /// which there is no room are left out, and arguments are cut. Lists end with a null pointer.
    void show(const char *name, const char *const *arguments, const char *const *variables) const noexcept;

private:
    struct Room {
        char *begin = nullptr;
        std::size_t size = 0;
    };
    Room m_arguments;
    Room m_variables;
};

}  // namespace sweepscope::launch
