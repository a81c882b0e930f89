#include "ui/theme/elidedbutton.h"

#include <QStyle>
#include <QStyleOptionButton>

#include <algorithm>

namespace sweepscope::ui {

ElidedButton::ElidedButton(QWidget *parent) : QPushButton(parent)
{
    setFlat(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize ElidedButton::minimumSizeHint() const
{
    const QSize whole = QPushButton::minimumSizeHint();
    const int others = whole.width() - fontMetrics().horizontalAdvance(text());
    return {std::min(whole.width(), others + fontMetrics().horizontalAdvance(u'…')), whole.height()};
}

void ElidedButton::initStyleOption(QStyleOptionButton *option) const
{
    QPushButton::initStyleOption(option);
    const int room = style()->subElementRect(QStyle::SE_PushButtonContents, option, this).width();
    option->text = fontMetrics().elidedText(text(), Qt::ElideRight, std::max(0, room));
}

}  // namespace sweepscope::ui
