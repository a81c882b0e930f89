#include "ui/theme/iconlabel.h"

#include "ui/theme/textsize.h"

namespace sweepscope::ui {

IconLabel::IconLabel(QWidget *parent, int size) : QLabel(parent), m_size(size)
{
    followTextSize(this, [this] { draw(); });
}

void IconLabel::setIcon(const QIcon &icon)
{
    m_icon = icon;
    draw();
}

void IconLabel::draw()
{
    setPixmap(m_icon.pixmap(textScaled(m_size)));
}

}  // namespace sweepscope::ui
