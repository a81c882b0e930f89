#include "base/thincopy.h"

#include "base/files.h"

#include <cstddef>
#include <sstream>

namespace sweepscope {

std::filesystem::path thinCopyNote(const std::filesystem::path &feed)
{
    return feed.string() + ".thin";
}

std::optional<ThinCopy> thinCopyOf(const std::filesystem::path &feed)
{
    constexpr std::size_t most = 100;
    std::istringstream text(readFile(thinCopyNote(feed), most).value_or(std::string()));
    ThinCopy copy;
    if (text >> copy.bytes >> copy.stands && copy.bytes > 0 && copy.stands >= copy.bytes)
        return copy;
    return std::nullopt;
}

std::string toText(const ThinCopy &copy)
{
    return std::to_string(copy.bytes) + " " + std::to_string(copy.stands) + "\n";
}

}  // namespace sweepscope
