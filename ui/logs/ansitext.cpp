#include "ui/logs/ansitext.h"

#include <QList>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr ushort escape = 0x1b;
constexpr ushort bell = 0x07;

/// Returns colour 16 to 255 of the xterm palette: a 6x6x6 cube, then greys.
QColor xtermColor(int index)
{
    if (index >= 232) {
        const int grey = 8 + (index - 232) * 10;
        return {grey, grey, grey};
    }
    const auto level = [](int part) { return part == 0 ? 0 : 55 + part * 40; };
    const int cube = index - 16;
    return {level(cube / 36), level(cube / 6 % 6), level(cube % 6)};
}

/// Returns the index of the first character after the escape sequence at `start`.
qsizetype endOfSequence(const QString &text, qsizetype start)
{
    qsizetype i = start + 1;
    if (i >= text.size())
        return i;
    if (text[i] == QLatin1Char(']')) {
        for (++i; i < text.size(); ++i) {
            if (text[i].unicode() == bell)
                return i + 1;
            if (text[i].unicode() == escape)
                return std::min(i + 2, text.size());
        }
        return i;
    }
    if (text[i] != QLatin1Char('['))
        return i + 1;
    for (++i; i < text.size(); ++i) {
        if (text[i].unicode() >= 0x40 && text[i].unicode() <= 0x7e)
            return i + 1;
    }
    return i;
}

}  // namespace

void AnsiReader::applySgr(QStringView parameters)
{
    QList<int> codes;
    for (const QStringView part : parameters.split(QLatin1Char(';')))
        codes.append(part.toInt());
    for (qsizetype i = 0; i < codes.size(); ++i) {
        const int code = codes[i];
        if (code == 0) {
            m_style = {};
        } else if (code == 1) {
            m_style.bold = true;
        } else if (code == 22) {
            m_style.bold = false;
        } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
            m_style.ansiColor = code < 40 ? code - 30 : code - 90 + 8;
            m_style.color = QColor();  // {} would be Qt::color0
        } else if (code == 39) {
            m_style.ansiColor.reset();
            m_style.color = QColor();  // {} would be Qt::color0
        } else if ((code == 38 || code == 48) && i + 2 < codes.size() && codes[i + 1] == 5) {
            const int index = std::clamp(codes[i + 2], 0, 255);
            if (code == 38) {
                m_style.ansiColor = index < 16 ? std::optional(index) : std::nullopt;
                m_style.color = index < 16 ? QColor() : xtermColor(index);
            }
            i += 2;
        } else if ((code == 38 || code == 48) && i + 4 < codes.size() && codes[i + 1] == 2) {
            if (code == 38) {
                m_style.ansiColor.reset();
                m_style.color = QColor(std::clamp(codes[i + 2], 0, 255), std::clamp(codes[i + 3], 0, 255),
                                       std::clamp(codes[i + 4], 0, 255));
            }
            i += 4;
        }
    }
}

StyledLine AnsiReader::read(std::string_view bytes)
{
    const QString raw = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    StyledLine line;
    line.text.reserve(raw.size());
    int spanStart = 0;
    const auto endSpan = [&] {
        const int length = static_cast<int>(line.text.size()) - spanStart;
        if (length > 0 && !m_style.isPlain())
            line.spans.push_back({spanStart, length, m_style});
        spanStart = static_cast<int>(line.text.size());
    };
    for (qsizetype i = 0; i < raw.size();) {
        const ushort c = raw[i].unicode();
        if (c == escape) {
            const qsizetype end = endOfSequence(raw, i);
            if (end - i > 2 && raw[i + 1] == QLatin1Char('[') && raw[end - 1] == QLatin1Char('m')) {
                endSpan();
                applySgr(QStringView(raw).mid(i + 2, end - i - 3));
            }
            i = end;
            continue;
        }
        if (c == '\t' || (c >= 0x20 && c != 0x7f && c != 0x2028 && c != 0x2029))
            line.text.append(raw[i]);
        ++i;
    }
    endSpan();
    return line;
}

}  // namespace sweepscope::ui
