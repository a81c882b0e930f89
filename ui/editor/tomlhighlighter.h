#pragma once

#include <QPalette>
#include <QSyntaxHighlighter>

namespace sweepscope::ui {

/// Highlights sections, keys, strings and numbers of a sweep file in the palette's colours.
class TomlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    TomlHighlighter(QTextDocument *document, const QPalette &palette);

    void setPalette(const QPalette &palette);

protected:
    void highlightBlock(const QString &text) override;

private:
    QPalette m_palette;
};

}  // namespace sweepscope::ui
