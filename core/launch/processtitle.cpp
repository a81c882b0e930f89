#include "launch/processtitle.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>

namespace sweepscope::launch {

ProcessTitle::ProcessTitle(int argc, char **argv)
{
    if (argc > 0) {
        const char *const end = argv[argc - 1] + std::strlen(argv[argc - 1]);
        m_arguments = {argv[0], static_cast<std::size_t>(end - argv[0])};
    }
    // Keep the program's own variables in place: libraries may have kept pointers from getenv().
    if (char *room = std::getenv(roomVariable)) {
        m_variables = {room, std::strlen(room)};
        ::unsetenv(roomVariable);
    }
}

void ProcessTitle::show(const char *name, const char *const *arguments, const char *const *variables) const noexcept
{
    ::prctl(PR_SET_NAME, name);
    std::memset(m_arguments.begin, 0, m_arguments.size);
    std::size_t used = 0;
    for (; *arguments != nullptr && used < m_arguments.size; ++arguments) {
        const std::size_t length = std::min(std::strlen(*arguments), m_arguments.size - used);
        std::memcpy(m_arguments.begin + used, *arguments, length);
        used += length + 1;
    }
    if (m_variables.size == 0)
        return;
    std::memset(m_variables.begin, 0, m_variables.size);
    used = 1;  // the name of the reserve variable comes first
    for (; variables != nullptr && *variables != nullptr; ++variables) {
        const std::size_t size = std::strlen(*variables) + 1;
        if (size > m_variables.size - used)
            continue;
        std::memcpy(m_variables.begin + used, *variables, size);
        used += size;
    }
}

}  // namespace sweepscope::launch
