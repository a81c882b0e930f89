#pragma once

#include <cstddef>

namespace sweepscope::launch {

/// Changes what /proc/PID/cmdline, /proc/PID/environ and /proc/PID/comm show for a process that becomes another one
/// without exec. The kernel shows the memory that the first exec laid out, so exec must have reserved space: a long
/// last argument, and a long last variable named `roomVariable`.
class ProcessTitle {
public:
    static constexpr const char *roomVariable = "SWEEPSCOPE_TITLE_ROOM";

    /// `argv` must be main's own, which is overwritten from now on. Removes `roomVariable` from the environment.
    ProcessTitle(int argc, char **argv);

    /// Async-signal-safe. Shows `variables` (null: none) in addition to the program's original ones; variables that do
    /// not fit are left out, and arguments are cut. Lists end with a null pointer.
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
