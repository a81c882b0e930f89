#include "base/check.h"

#include "base/log.h"

#include <string>

namespace sweepscope {

namespace {

std::string described(std::string_view invariant, const char *file, int line)
{
    const std::string_view path = file;
    return "internal error: \"" + std::string(invariant) + "\" does not hold ("
           + std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(line)
           + "). Please report this with the log";
}

}  // namespace

bool holds(bool condition, std::string_view invariant, const char *file, int line) noexcept
{
    if (condition)
        return true;
    try {
        log(LogLevel::Error, "check", described(invariant, file, line));
    } catch (...) {  // no memory for the line
    }
    return false;
}

Expected<void> require(bool condition, std::string_view invariant, const char *file, int line)
{
    if (holds(condition, invariant, file, line))
        return {};
    return makeError(ErrorCode::Broken, described(invariant, file, line));
}

}  // namespace sweepscope
