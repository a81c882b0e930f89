#include "base/printable.h"

#include <algorithm>
#include <cctype>

namespace sweepscope {

std::string printable(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, '?');
    return text;
}

}  // namespace sweepscope
