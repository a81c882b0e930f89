#include "ui/home/sweepmenu.h"

#include "ui/base/stopquestion.h"
#include "ui/models/editability.h"
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

void addSweepActions(QMenu *menu, const sweep::SweepRecord &sweep, bool readOnly, const SweepMenuActions &actions)
{
    menu->setToolTipsVisible(true);  // says why an action is disabled
    const auto add = [menu](const QString &name, const QString &icon, const QString &text,
                            const std::function<void()> &action) {
        QAction *added = menu->addAction(symbolIcon(icon), text, menu, action);
        added->setObjectName(name);
        return added;
    };
    const bool archived = sweep.archived;
    const QString whyNotKept = readOnly                       ? SweepMenuWords::tr("This window is read-only")
                               : sweep::isActive(sweep.state) ? SweepMenuWords::tr("Stop the sweep first")
                                                              : QString();
    const auto disableIf = [](QAction *action, const QString &why) {
        action->setEnabled(why.isEmpty());
        action->setToolTip(why);
    };
    disableIf(add(u"editSweep"_s, u"sweep"_s, SweepMenuWords::tr("Edit sweep"), actions.edit),
              whyNotEdited(sweep, readOnly));
    add(u"cloneSweep"_s, u"duplicate"_s, SweepMenuWords::tr("Clone"), actions.copy)->setToolTip({});
    disableIf(add(u"stopSweep"_s, u"stop"_s, SweepMenuWords::tr("Stop"), actions.stop), whyNotStopped(sweep, readOnly));
    menu->addSeparator();
    disableIf(add(u"archiveSweep"_s, archived ? u"undo"_s : u"folder"_s,
                  archived ? SweepMenuWords::tr("Restore from archive") : SweepMenuWords::tr("Archive"),
                  [archive = actions.archive, archived] { archive(!archived); }),
              whyNotKept);
    QAction *deletion = add(u"deleteSweep"_s, u"delete"_s, SweepMenuWords::tr("Delete…"), actions.deletion);
    deletion->setShortcut(QKeySequence::Delete);
    disableIf(deletion, whyNotKept);
}

}  // namespace sweepscope::ui
