#include "ui/theme/fittingbuttons.h"

#include "ui/theme/textsize.h"
#include "ui/theme/wraplayout.h"

#include <QEvent>
#include <QLayout>
#include <QWidget>

namespace sweepscope::ui {

namespace {

constexpr int roomForOthers = 60;  ///< labels next to the buttons, which elide their texts

}  // namespace

FittingButtons::FittingButtons(QWidget *widget, QLayout *row, const QList<QAbstractButton *> &buttons)
    : QObject(widget), m_widget(widget), m_row(row), m_buttons(buttons)
{
    for (QAbstractButton *button : m_buttons)
        button->setAccessibleName(button->text());
    m_widget->installEventFilter(this);
}

void FittingButtons::add(QAbstractButton *button)
{
    showTexts(true);
    button->setAccessibleName(button->text());
    m_buttons << button;
    fit();
}

void FittingButtons::setText(QAbstractButton *button, const QString &text)
{
    if (button->accessibleName() == text)
        return;
    button->setAccessibleName(text);
    showTexts(true);
    fit();
}

bool FittingButtons::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        fit();
    return QObject::eventFilter(watched, event);
}

int FittingButtons::neededWidth() const
{
    const QMargins margins = m_widget->layout()->contentsMargins();
    const auto *wrapping = qobject_cast<const WrapLayout *>(m_row);
    return (wrapping ? wrapping->widthOfOneRow() : m_row->minimumSize().width()) + margins.left() + margins.right()
           + textScaled(roomForOthers);
}

void FittingButtons::showTexts(bool shown)
{
    m_areShown = shown;
    for (QAbstractButton *button : m_buttons)
        button->setText(shown ? button->accessibleName() : QString());
    m_row->invalidate();  // not whenever the width is read: this asks for another layout
}

/// Changes nothing unless it has to: a changed text asks for another layout.
void FittingButtons::fit()
{
    if (m_areShown) {
        const int withTexts = neededWidth();
        if (withTexts <= m_widget->width())
            return;
        showTexts(false);
        m_widthOfTexts = withTexts - neededWidth();
    } else if (neededWidth() + m_widthOfTexts <= m_widget->width()) {
        showTexts(true);
    }
}

}  // namespace sweepscope::ui
