#include "launch/loadedprogram.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace sweepscope::launch {

namespace {

bool isOwnProgram(const std::string &path)
{
    struct stat own {};
    struct stat other {};
    // The link refers to the file that was started, even if that was replaced since.
    return ::stat("/proc/self/exe", &own) == 0 && ::stat(path.c_str(), &other) == 0 && own.st_dev == other.st_dev
           && own.st_ino == other.st_ino;
}

/// A plain number can also be set later; other OpenMP syntax is parsed only at load time.
bool isPlainNumber(const char *text)
{
    const std::string_view digits = text != nullptr ? text : "1";
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool LoadedProgram::hasLoaded(const LaunchSpec &spec) const
{
    const auto isOurs = [](const auto &variable) { return variable.first.starts_with("SWEEPSCOPE_"); };
    return !spec.argv.empty() && isOwnProgram(spec.argv.front())
           && std::all_of(spec.environment.begin(), spec.environment.end(), isOurs)
           && isPlainNumber(std::getenv("OMP_NUM_THREADS"));
}

void LoadedProgram::run(char *const *argv, char *const *environment, const char *const *added) const
{
    const char *slash = std::strrchr(argv[0], '/');
    m_title.show(slash != nullptr ? slash + 1 : argv[0], argv, added);
    environ = const_cast<char **>(environment);
    int argc = 0;
    while (argv[argc] != nullptr)
        ++argc;
    std::exit(m_main(argc, const_cast<char **>(argv)));
}

}  // namespace sweepscope::launch
