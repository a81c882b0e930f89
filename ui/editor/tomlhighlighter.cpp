#include "ui/editor/tomlhighlighter.h"

#include "ui/theme/palettes.h"

#include <QRegularExpression>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

TomlHighlighter::TomlHighlighter(QTextDocument *document, const QPalette &palette)
    : QSyntaxHighlighter(document), m_palette(palette)
{}

void TomlHighlighter::setPalette(const QPalette &palette)
{
    m_palette = palette;
    rehighlight();
}

void TomlHighlighter::highlightBlock(const QString &text)
{
    static const QRegularExpression section(u"^\\s*\\[.*\\]\\s*$"_s);
    static const QRegularExpression key(u"^\\s*[^=\\[]+(?==)"_s);
    static const QRegularExpression string(u"\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'"_s);
    if (section.match(text).hasMatch()) {
        QTextCharFormat heading;
        heading.setFontWeight(QFont::DemiBold);
        heading.setForeground(m_palette.color(QPalette::Link));
        setFormat(0, static_cast<int>(text.size()), heading);
        return;
    }
    if (const auto match = key.match(text); match.hasMatch())
        setFormat(0, static_cast<int>(match.capturedLength()), subtleTextColor(m_palette));
    for (auto matches = string.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()),
                  goodColor(m_palette));
    }
}

}  // namespace sweepscope::ui
