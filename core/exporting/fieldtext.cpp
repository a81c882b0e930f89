#include "exporting/fieldtext.h"

#include <iterator>
#include <utf8.h>

namespace sweepscope::exporting {

std::string_view asUtf8(std::string_view text, std::string &repaired)
{
    if (utf8::is_valid(text.begin(), text.end()))
        return text;
    constexpr char32_t replacement = 0xFFFD;
    repaired.clear();
    utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(repaired), replacement);
    return repaired;
}

}  // namespace sweepscope::exporting
