#include "ui/home/sweepbuttons.h"

#include "ui/theme/icons.h"

#include <QCoreApplication>
#include <QMenu>
#include <QPushButton>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct SweepButtonsWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::SweepButtons)
};

QPushButton *button(const QString &icon, const QString &text, const QString &toolTip, QWidget *parent)
{
    auto *made = new QPushButton(symbolIcon(icon), text, parent);
    made->setToolTip(toolTip);
    return made;
}

}  // namespace

void SweepButtons::setReadOnly(bool readOnly) const
{
    create->setEnabled(!readOnly);
    create->setToolTip(readOnly ? SweepButtonsWords::tr("This window is read-only")
                                : SweepButtonsWords::tr("Create a new sweep (Ctrl+N)"));
}

SweepButtons makeSweepButtons(QMenu *examples, const QString &exampleText, QWidget *parent)
{
    const SweepButtons buttons{
        button(u"new"_s, SweepButtonsWords::tr("New sweep"), QString(), parent),
        button(u"open"_s, SweepButtonsWords::tr("Open…"), SweepButtonsWords::tr("Open a sweep file (Ctrl+O)"), parent),
        button(u"example"_s, exampleText, SweepButtonsWords::tr("Start from an example sweep"), parent)};
    buttons.example->setMenu(examples);
    buttons.setReadOnly(false);
    return buttons;
}

}  // namespace sweepscope::ui
