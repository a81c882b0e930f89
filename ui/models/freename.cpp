#include "ui/models/freename.h"

#include <QRegularExpression>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestName = 100;  ///< bytes

}  // namespace

QString freeName(const QString &name, const QStringList &taken)
{
    static const QRegularExpression numbered(u"^(.*\\S) (\\d{1,6})$"_s);
    const QRegularExpressionMatch match = numbered.match(name);
    QString base = match.hasMatch() ? match.captured(1) : name;
    for (int number = match.hasMatch() ? match.captured(2).toInt() + 1 : 2;; ++number) {
        const QString suffix = u" %1"_s.arg(number);
        while ((base + suffix).toUtf8().size() > longestName)
            base.chop(base.back().isLowSurrogate() ? 2 : 1);
        if (!taken.contains(base + suffix))
            return base + suffix;
    }
}

}  // namespace sweepscope::ui
