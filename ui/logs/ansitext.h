#pragma once

#include <QColor>
#include <QString>

#include <optional>
#include <string_view>
#include <vector>

namespace sweepscope::ui {

/// What an ANSI escape sequence can ask for and a log shows.
struct TextStyle {
    std::optional<int> ansiColor;  ///< 0 to 15: the view's own shade of it
    QColor color;                  ///< an exact one; invalid: none
    bool bold = false;
    bool operator==(const TextStyle &) const = default;
    bool isPlain() const { return *this == TextStyle(); }
};

struct StyledSpan {
    int start = 0;
    int length = 0;
    TextStyle style;
};

/// A line as people see it on a terminal: text without control characters, and its coloured parts.
struct StyledLine {
    QString text;
    std::vector<StyledSpan> spans;  ///< only what is not plain, in order
};

/// Reads lines one after the other; a style lasts until it is reset, over lines too. Bytes that are no UTF-8 become the
/// replacement character; sequences other than colours are left out.
class AnsiReader {
public:
    StyledLine read(std::string_view bytes);

private:
    void applySgr(QStringView parameters);

    TextStyle m_style;
};

}  // namespace sweepscope::ui
