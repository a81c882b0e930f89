#include "ui/editor/fieldmessage.h"

#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"

#include <QApplication>
#include <QEvent>

namespace sweepscope::ui {

FieldMessage::FieldMessage(QWidget *parent) : QLabel(parent)
{
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setFocusPolicy(Qt::NoFocus);
    setFont(smallFont(font()));
    takeColor();
    hide();
}

void FieldMessage::setText(const QString &text)
{
    if (text == QLabel::text())
        return;
    QLabel::setText(text);
    setVisible(!text.isEmpty());
}

void FieldMessage::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange)
        takeColor();
}

void FieldMessage::takeColor()
{
    QPalette own = palette();
    own.setColor(QPalette::WindowText, problemColor(QApplication::palette()));
    setPalette(own);
}

}  // namespace sweepscope::ui
