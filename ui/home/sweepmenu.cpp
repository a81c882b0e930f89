#include "ui/home/sweepmenu.h"

#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "ui/base/stopquestion.h"
#include "ui/models/editability.h"
#include "ui/theme/icons.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct SweepMenuWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::SweepMenu)
};

/// Empty if one of them can be stopped.
QString whyNoneStopped(const std::vector<sweep::SweepRecord> &sweeps, bool readOnly)
{
    QString why;
    for (const sweep::SweepRecord &sweep : sweeps) {
        why = whyNotStopped(sweep, readOnly);
        if (why.isEmpty())
            break;
    }
    return why;
}

QString whyNotOffered(SweepRequest request, const std::vector<sweep::SweepRecord> &sweeps, bool readOnly)
{
    switch (request) {
    case SweepRequest::Clone:
        return {};
    case SweepRequest::Edit:
    case SweepRequest::Rename:
        return whyNotEdited(sweeps.front(), readOnly);
    case SweepRequest::Stop:
        return whyNoneStopped(sweeps, readOnly);
    default:
        break;
    }
    if (readOnly)
        return SweepMenuWords::tr("This window is read-only");
    const bool isKeeping =
        request == SweepRequest::Archive || request == SweepRequest::Restore || request == SweepRequest::Delete;
    if (!isKeeping || std::ranges::none_of(sweeps, sweep::isActive, &sweep::SweepRecord::state))
        return {};
    return sweeps.size() == 1 ? SweepMenuWords::tr("Stop the sweep first")
                              : SweepMenuWords::tr("Stop the sweeps first");
}

}  // namespace

void addSweepActions(QMenu *menu, const std::vector<sweep::SweepRecord> &sweeps, bool readOnly,
                     const std::function<void(SweepRequest)> &request)
{
    menu->setToolTipsVisible(true);  // says why an action is disabled
    const auto add = [&](const QString &name, const QString &icon, const QString &text, SweepRequest what) {
        QAction *added = menu->addAction(symbolIcon(icon), text, menu, [request, what] { request(what); });
        added->setObjectName(name);
        const QString whyNot = whyNotOffered(what, sweeps, readOnly);
        added->setEnabled(whyNot.isEmpty());
        added->setToolTip(whyNot);
        return added;
    };
    const auto all = [&sweeps](auto &&has) { return std::ranges::all_of(sweeps, has); };
    if (sweeps.size() == 1) {
        const bool isRun = sweep::isRun(sweep::parseSweep(sweeps.front().toml).spec);
        add(u"editSweep"_s, u"sweep"_s, isRun ? SweepMenuWords::tr("Edit run") : SweepMenuWords::tr("Edit sweep"),
            SweepRequest::Edit);
        add(u"cloneSweep"_s, u"duplicate"_s, SweepMenuWords::tr("Clone"), SweepRequest::Clone);
        add(u"renameSweep"_s, u"rename"_s, SweepMenuWords::tr("Rename…"), SweepRequest::Rename)
            ->setShortcut(Qt::Key_F2);
    }
    const bool areStarred = all([](const sweep::SweepRecord &sweep) { return sweep.mark.starred; });
    add(u"starSweep"_s, areStarred ? u"star"_s : u"starred"_s,
        areStarred ? SweepMenuWords::tr("Remove star") : SweepMenuWords::tr("Star"),
        areStarred ? SweepRequest::Unstar : SweepRequest::Star)
        ->setShortcut(Qt::Key_S);
    add(u"markSweep"_s, u"note"_s, SweepMenuWords::tr("Note and tags…"), SweepRequest::Mark)->setShortcut(Qt::Key_N);
    menu->addSeparator();
    add(u"stopSweep"_s, u"stop"_s, SweepMenuWords::tr("Stop"), SweepRequest::Stop);
    if (sweeps.size() == 1)
        add(u"removeCheckpoints"_s, u"clear"_s, SweepMenuWords::tr("Remove checkpoints…"),
            SweepRequest::RemoveCheckpoints);
    add(u"joinSweeps"_s, u"group"_s, SweepMenuWords::tr("Join sweeps…"), SweepRequest::Join);
    const bool areArchived = all([](const sweep::SweepRecord &sweep) { return sweep.archived; });
    add(u"archiveSweep"_s, areArchived ? u"undo"_s : u"folder"_s,
        areArchived ? SweepMenuWords::tr("Restore from archive") : SweepMenuWords::tr("Archive"),
        areArchived ? SweepRequest::Restore : SweepRequest::Archive);
    add(u"deleteSweep"_s, u"delete"_s, SweepMenuWords::tr("Delete…"), SweepRequest::Delete)
        ->setShortcut(QKeySequence::Delete);
}

bool isOffered(SweepRequest request, const std::vector<sweep::SweepRecord> &sweeps, bool readOnly)
{
    const bool isForOne = request == SweepRequest::Edit || request == SweepRequest::Clone
                          || request == SweepRequest::Rename || request == SweepRequest::RemoveCheckpoints;
    return !sweeps.empty() && (!isForOne || sweeps.size() == 1) && whyNotOffered(request, sweeps, readOnly).isEmpty();
}

}  // namespace sweepscope::ui
