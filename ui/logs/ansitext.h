#pragma once

#include <QColor>
#include <QString>

#include <optional>
#include <string_view>
#include <vector>

namespace sweepscope::ui {

/// The style from ANSI escape sequences, as far as a log shows it.
struct TextStyle {
    std::optional<int> ansiColor;  ///< 0 to 15: shown in a shade that suits the palette
    QColor color;                  ///< an exact colour; invalid if there is none
    bool bold = false;
    bool operator==(const TextStyle &) const = default;
    bool isPlain() const { return *this == TextStyle(); }
};

struct StyledSpan {
    int start = 0;
    int length = 0;
    TextStyle style;
};

/// A line as a terminal shows it: text without control characters, and its coloured parts.
struct StyledLine {
    QString text;
    std::vector<StyledSpan> spans;  ///< only the styled parts, in order
};

/// Parses consecutive lines; a style lasts until it is reset, also across lines. Invalid UTF-8 becomes the replacement
/// character; sequences other than colours are dropped.
class AnsiReader {
public:
    StyledLine read(std::string_view bytes);

private:
    void applySgr(QStringView parameters);

    TextStyle m_style;
};

}  // namespace sweepscope::ui
