#include "base/printable.h"

#include <iterator>
#include <utf8.h>

namespace sweepscope {

namespace {

constexpr char32_t replacement = 0xFFFD;

constexpr bool isWithin(char32_t c, char32_t first, char32_t last)
{
    return c >= first && c <= last;
}

/// Terminals obey U+0080 to U+009F as they obey escape sequences; the others change what a reader sees.
bool misleads(char32_t c)
{
    return isWithin(c, 0x80, 0x9F) || c == 0x061C || isWithin(c, 0x200E, 0x200F) || isWithin(c, 0x2028, 0x202E)
           || isWithin(c, 0x2066, 0x2069) || c == 0xFEFF;
}

}  // namespace

std::string printable(const std::string &text)
{
    std::string valid;
    utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(valid), replacement);
    std::string shown;
    for (auto at = valid.cbegin(); at != valid.cend();) {
        const auto c = static_cast<char32_t>(utf8::unchecked::next(at));
        if (c < ' ' || c == 0x7F)
            shown += '?';
        else
            utf8::unchecked::append(misleads(c) ? replacement : c, std::back_inserter(shown));
    }
    return shown;
}

std::string cutBetweenCharacters(std::string text, std::size_t mostBytes)
{
    if (text.size() > mostBytes) {
        std::size_t end = mostBytes;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
            --end;
        text.resize(end);
    }
    return text;
}

}  // namespace sweepscope
