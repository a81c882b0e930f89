#include "ui/theme/fonts.h"

#include "ui/theme/textsize.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QStringList>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double defaultPointSize = 10;

QFont scaled(const QFont &base, double factor, QFont::Weight weight)
{
    QFont font(base);
    if (base.pointSizeF() > 0)
        font.setPointSizeF(base.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(base.pixelSize() * factor));
    font.setWeight(weight);
    return font;
}

}  // namespace

QFont applicationFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    const QString chosen = QFontInfo(font).family();
    // Without desktop settings, fontconfig falls back to its widest family; prefer an installed plainer one.
    if (chosen != "DejaVu Sans"_L1 && chosen != "Bitstream Vera Sans"_L1)
        return font;
    const QStringList installed = QFontDatabase::families();
    for (const QString &family : {u"Inter"_s, u"Cantarell"_s, u"Noto Sans"_s, u"Roboto"_s, u"Open Sans"_s}) {
        if (installed.contains(family)) {
            font.setFamilies({family, chosen});
            font.setPointSizeF(defaultPointSize);
            break;
        }
    }
    return font;
}

QFont headingFont(const QFont &base)
{
    return scaled(base, 1.35, QFont::DemiBold);
}

QFont sectionFont(const QFont &base)
{
    return scaled(base, 1.15, QFont::DemiBold);
}

QFont emphasisFont(const QFont &base)
{
    return scaled(base, 1.0, QFont::DemiBold);
}

QFont smallFont(const QFont &base)
{
    return scaled(base, 0.9, base.weight() > 0 ? QFont::Weight(base.weight()) : QFont::Normal);
}

QFont monospaceFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * textScale());
    return font;
}

}  // namespace sweepscope::ui
