#include "ui/base/openquestion.h"

#include <QMessageBox>

#include <algorithm>

namespace sweepscope::ui {

bool hasOpenQuestion(const QWidget *parent)
{
    return std::ranges::any_of(parent->findChildren<QMessageBox *>(), &QWidget::isVisible);
}

}  // namespace sweepscope::ui
