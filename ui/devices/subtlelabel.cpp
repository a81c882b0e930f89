#include "ui/devices/subtlelabel.h"

#include <QLabel>

namespace sweepscope::ui {

QLabel *subtleLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace sweepscope::ui
