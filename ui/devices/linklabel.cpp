#include "ui/devices/linklabel.h"

#include <QEvent>

namespace sweepscope::ui {

void LinkLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    const QString links = text();
    clear();
    setText(links);
}

}  // namespace sweepscope::ui
