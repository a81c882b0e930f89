#include "ui/home/sweepbuttons.h"

#include "ui/theme/icons.h"

#include <QCoreApplication>
#include <QMenu>
#include <QPushButton>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("sweepscope::ui::SweepButtons", text);
}

QPushButton *button(const QString &icon, const QString &text, const QString &toolTip, QWidget *parent)
{
    auto *made = new QPushButton(symbolIcon(icon), text, parent);
    made->setToolTip(toolTip);
    return made;
}

}  // namespace

SweepButtons makeSweepButtons(QMenu *examples, const QString &exampleText, QWidget *parent)
{
    const SweepButtons buttons{
        button(u"new"_s, translated("New sweep"), translated("Define a new sweep (Ctrl+N)"), parent),
        button(u"open"_s, translated("Open…"), translated("Open a sweep file (Ctrl+O)"), parent),
        button(u"example"_s, exampleText, translated("Start from one of the sweeps that come with Sweepscope"),
               parent)};
    buttons.example->setMenu(examples);
    return buttons;
}

}  // namespace sweepscope::ui
