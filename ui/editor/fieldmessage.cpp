#include "ui/editor/fieldmessage.h"

#include "ui/theme/palettes.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr int wrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

}  // namespace

FieldMessage::FieldMessage(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setFocusPolicy(Qt::NoFocus);
    setTextRole(this, TextRole::Small);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FieldMessage::setText(const QString &problem)
{
    QLabel::setText(problem);
    setToolTip(words());
    updateGeometry();
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

int FieldMessage::heightForWidth(int width) const
{
    const int line = fontMetrics().height();
    return text().isEmpty() ? line
                            : std::max(line, fontMetrics().boundingRect(0, 0, width, 0, wrapped, text()).height());
}

void FieldMessage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(font());
    const QPalette colors = QApplication::palette();
    if (!text().isEmpty()) {
        painter.setPen(problemColor(colors));
        painter.drawText(rect(), wrapped, text());
        return;
    }
    painter.setPen(subtleTextColor(colors));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_note, Qt::ElideRight, width()));
}

}  // namespace sweepscope::ui
