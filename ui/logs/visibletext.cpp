#include "ui/logs/visibletext.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sweepscope::ui {

namespace {

struct LinePart {
    std::string_view bytes;
    std::size_t width = 0;  ///< in characters, without escape sequences
    bool erases = false;
};

LinePart measuredPart(std::string_view bytes)
{
    LinePart part{bytes};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == '\x1b' && i + 1 < bytes.size() && bytes[i + 1] == '[') {
            i += 2;
            while (i < bytes.size() && (bytes[i] < '@' || bytes[i] > '~'))
                ++i;
            part.erases = part.erases || (i < bytes.size() && bytes[i] == 'K');
        } else if ((static_cast<unsigned char>(bytes[i]) & 0xC0U) != 0x80U) {
            ++part.width;
        }
    }
    return part;
}

}  // namespace

std::string visibleText(std::string_view line)
{
    while (line.ends_with('\r'))
        line.remove_suffix(1);
    if (line.find('\r') == line.npos)
        return std::string(line);
    std::vector<LinePart> visible;
    for (;;) {
        const std::size_t end = std::min(line.find('\r'), line.size());
        const LinePart part = measuredPart(line.substr(0, end));
        while (!visible.empty() && (part.erases || visible.back().width <= part.width))
            visible.pop_back();
        if (part.width > 0)
            visible.push_back(part);
        if (end == line.size())
            break;
        line.remove_prefix(end + 1);
    }
    std::string text;
    for (const LinePart &part : visible) {
        text += text.empty() ? "" : " ";
        text += part.bytes;
    }
    return text;
}

}  // namespace sweepscope::ui
