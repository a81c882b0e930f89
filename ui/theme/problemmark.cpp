#include "ui/theme/problemmark.h"

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace sweepscope::ui {

namespace {

/// Style sheets evaluate properties only while polishing.
void mark(QWidget *widget, const char *property, bool on)
{
    if (widget->property(property).toBool() == on)
        return;
    widget->setProperty(property, on);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

}  // namespace

void markProblem(QWidget *field, bool wrong)
{
    mark(field, "problem", wrong);
}

void markPrimary(QWidget *button, bool primary)
{
    mark(button, "primary", primary);
}

void markDanger(QWidget *button)
{
    mark(button, "danger", true);
}

}  // namespace sweepscope::ui
