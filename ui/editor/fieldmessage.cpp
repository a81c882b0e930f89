#include "ui/editor/fieldmessage.h"

#include "ui/theme/palettes.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QPainter>

namespace sweepscope::ui {

FieldMessage::FieldMessage(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setFocusPolicy(Qt::NoFocus);
    setTextRole(this, TextRole::Small);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void FieldMessage::setText(const QString &problem)
{
    QLabel::setText(problem);
    setToolTip(words());
}

void FieldMessage::setNote(const QString &note)
{
    if (note == m_note)
        return;
    m_note = note;
    setToolTip(words());
    update();
}

QSize FieldMessage::sizeHint() const
{
    return {0, fontMetrics().height()};
}

QSize FieldMessage::minimumSizeHint() const
{
    return sizeHint();
}

void FieldMessage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(font());
    const QPalette colors = QApplication::palette();
    painter.setPen(text().isEmpty() ? subtleTextColor(colors) : problemColor(colors));
    const QString line = words().replace(QLatin1Char('\n'), QLatin1Char(' '));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(line, Qt::ElideRight, width()));
}

}  // namespace sweepscope::ui
