#include "ui/home/sweepmenu.h"

#include "ui/theme/icons.h"

#include <QCoreApplication>
#include <QMenu>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct SweepMenuWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::SweepMenu)
};

}  // namespace

void addSweepActions(QMenu *menu, sweep::SweepState state, bool archived, bool readOnly,
                     const SweepMenuActions &actions)
{
    const auto add = [menu](const QString &name, const QString &icon, const QString &text,
                            const std::function<void()> &action) {
        QAction *added = menu->addAction(symbolIcon(icon), text, menu, action);
        added->setObjectName(name);
        return added;
    };
    const bool hasEnded = !sweep::isActive(state);
    add(u"cloneSweep"_s, u"duplicate"_s, SweepMenuWords::tr("Clone"), actions.copy);
    add(u"stopSweep"_s, u"stop"_s, SweepMenuWords::tr("Stop"), actions.stop)
        ->setEnabled(sweep::canBeStopped(state) && !readOnly);
    menu->addSeparator();
    add(u"archiveSweep"_s, archived ? u"undo"_s : u"folder"_s,
        archived ? SweepMenuWords::tr("Bring back from the archive") : SweepMenuWords::tr("Archive"),
        [archive = actions.archive, archived] { archive(!archived); })
        ->setEnabled(hasEnded && !readOnly);
    add(u"deleteSweep"_s, u"delete"_s, SweepMenuWords::tr("Delete…"), actions.deletion)
        ->setEnabled(hasEnded && !readOnly);
}

}  // namespace sweepscope::ui
