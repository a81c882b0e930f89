#include "ui/theme/icons.h"

#include "ui/theme/symboliconengine.h"

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

QIcon symbolIcon(const QString &name, QPalette::ColorRole role)
{
    return QIcon(new SymbolIconEngine(name, role));
}

QIcon applicationIcon()
{
    return QIcon(u":/icons/sweepscope.svg"_s);
}

}  // namespace sweepscope::ui
