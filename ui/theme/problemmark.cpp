#include "ui/theme/problemmark.h"

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace sweepscope::ui {

void markProblem(QWidget *field, bool wrong)
{
    if (field->property("problem").toBool() == wrong)
        return;
    field->setProperty("problem", wrong);
    field->style()->unpolish(field);
    field->style()->polish(field);
}

}  // namespace sweepscope::ui
