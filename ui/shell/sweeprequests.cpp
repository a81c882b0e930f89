#include "ui/shell/sweeprequests.h"

#include "base/installation.h"
#include "base/workspacelayout.h"
#include "protocol/engineclient.h"
#include "sweep/validation.h"
#include "ui/actions/markdialog.h"
#include "ui/actions/sweepundo.h"
#include "ui/base/openquestion.h"
#include "ui/base/stopquestion.h"
#include "ui/shell/checkpointremoval.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/textsize.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using Action = sweep::Control::Action;

constexpr int renameWidth = 360;  // px; the title of the dialog is not cut

struct SweepRequestWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::SweepRequests)
};

void send(SweepUndo *undo, const QList<qint64> &sweeps, Action action)
{
    sweep::Control control;
    control.action = action;
    undo->send(sweeps, control);
}

void setStarred(SweepUndo *undo, const QList<qint64> &sweeps, bool starred)
{
    sweep::Control control;
    control.action = Action::Mark;
    control.mark.starred = starred;
    undo->send(sweeps, control);
}

/// "digits-mlp (#3)", or "4 sweeps"; those that do not exist any more are skipped.
QString nameOf(protocol::EngineClient *client, const QList<qint64> &sweeps)
{
    const sweep::SweepRecord *first = client->sweep(sweeps.front());
    return sweeps.size() == 1 && first ? u"%1 (#%2)"_s.arg(QString::fromStdString(first->name)).arg(first->id)
                                       : SweepRequestWords::tr("%L1 sweeps").arg(sweeps.size());
}

void askForMark(protocol::EngineClient *client, SweepUndo *undo, const QList<qint64> &sweeps, QWidget *parent)
{
    std::vector<sweep::Mark> marks;
    for (const qint64 sweepId : sweeps) {
        if (const sweep::SweepRecord *record = client->sweep(sweepId))
            marks.push_back(record->mark);
    }
    if (marks.empty())
        return;
    auto *dialog =
        new MarkDialog(SweepRequestWords::tr("Note and tags of %1").arg(nameOf(client, sweeps)), marks, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &MarkDialog::marked, undo, [undo, sweeps](const sweep::MarkChange &change) {
        sweep::Control control;
        control.action = Action::Mark;
        control.mark = change;
        undo->send(sweeps, control);
    });
    dialog->open();
}

bool mayBeDeleted(protocol::EngineClient *client, qint64 sweepId)
{
    const sweep::SweepRecord *record = client->sweep(sweepId);
    return record && record->ended;
}

QString deletionText(protocol::EngineClient *client, const QList<qint64> &sweeps)
{
    const WorkspaceLayout workspace{client->workspace().toStdString()};
    int trials = 0;
    for (const qint64 sweepId : sweeps)
        trials += client->sweep(sweepId)->trialsTotal;
    const QString lost = sweeps.size() == 1 && trials == 1 ? SweepRequestWords::tr("Its trial is deleted too")
                         : sweeps.size() == 1 ? SweepRequestWords::tr("Its %L1 trials are deleted too").arg(trials)
                                              : SweepRequestWords::tr("Their %L1 trials are deleted too").arg(trials);
    const QString files =
        sweeps.size() == 1
            ? SweepRequestWords::tr("all files in %1")
                  .arg(QString::fromStdString(workspace.sweepFolder(client->sweep(sweeps.front())->folder).string()))
            : SweepRequestWords::tr("all files in their folders");
    return SweepRequestWords::tr("%1, with measurements, logs, checkpoints, notes, and %2. You cannot undo this.\n\n"
                                 "To hide sweeps from lists but keep their files, archive them.")
        .arg(lost, files);
}

void askToDelete(protocol::EngineClient *client, SweepUndo *undo, const QList<qint64> &sweeps, QWidget *parent)
{
    QList<qint64> ended = sweeps;
    ended.removeIf([client](qint64 sweepId) { return !mayBeDeleted(client, sweepId); });
    if (client->isReadOnly() || ended.isEmpty() || hasOpenQuestion(parent))
        return;
    auto *box = new QMessageBox(parent);
    box->setObjectName(u"deleteDialog"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Warning);
    box->setWindowTitle(ended.size() == 1 ? SweepRequestWords::tr("Delete sweep")
                                          : SweepRequestWords::tr("Delete sweeps"));
    box->setTextFormat(Qt::PlainText);  // a name may contain <
    box->setText(SweepRequestWords::tr("Delete %1?").arg(nameOf(client, ended)));
    box->setInformativeText(deletionText(client, ended));
    QPushButton *deletion = box->addButton(SweepRequestWords::tr("&Delete permanently"), QMessageBox::DestructiveRole);
    deletion->setObjectName(u"confirmDeleteButton"_s);
    markDanger(deletion);
    const bool areArchived =
        std::ranges::all_of(ended, [client](qint64 sweepId) { return client->sweep(sweepId)->archived; });
    if (!areArchived) {
        QPushButton *archive = box->addButton(SweepRequestWords::tr("&Archive instead"), QMessageBox::AcceptRole);
        archive->setObjectName(u"archiveInsteadButton"_s);
        QObject::connect(archive, &QPushButton::clicked, undo, [undo, ended] { send(undo, ended, Action::Archive); });
    }
    QPushButton *keep = box->addButton(QMessageBox::Cancel);
    keep->setObjectName(u"cancelDeleteButton"_s);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    QObject::connect(client, &protocol::EngineClient::sweepsChanged, box, [client, ended, box] {
        if (!std::ranges::all_of(ended, [client](qint64 sweepId) { return mayBeDeleted(client, sweepId); }))
            box->reject();  // the question is obsolete
    });
    QObject::connect(deletion, &QPushButton::clicked, undo, [undo, ended] { send(undo, ended, Action::Delete); });
    box->open();
}

void removeCheckpoints(protocol::EngineClient *client, qint64 sweepId, QWidget *parent)
{
    if (const sweep::SweepRecord *sweep = client->sweep(sweepId); sweep && !hasOpenQuestion(parent))
        (new CheckpointRemoval(*client, *sweep, executableFolder() / "sweepctl", parent))->open();
}

}  // namespace

void carryOut(SweepRequest request, const QList<qint64> &sweeps, protocol::EngineClient *client, SweepUndo *undo,
              QWidget *parent)
{
    switch (request) {
    case SweepRequest::Star:
    case SweepRequest::Unstar:
        return setStarred(undo, sweeps, request == SweepRequest::Star);
    case SweepRequest::Mark:
        return askForMark(client, undo, sweeps, parent);
    case SweepRequest::Stop:
        return askToStop(client, sweeps, parent);
    case SweepRequest::RemoveCheckpoints:
        return removeCheckpoints(client, sweeps.front(), parent);
    case SweepRequest::Archive:
    case SweepRequest::Restore:
        return send(undo, sweeps, request == SweepRequest::Archive ? Action::Archive : Action::Unarchive);
    case SweepRequest::Delete:
        return askToDelete(client, undo, sweeps, parent);
    case SweepRequest::Edit:
    case SweepRequest::Clone:
    case SweepRequest::Rename:
    case SweepRequest::Join:
        break;
    }
}

void askForName(qint64 sweepId, protocol::EngineClient *client, const std::function<void(const QString &)> &rename,
                QWidget *parent)
{
    const sweep::SweepRecord *record = client->sweep(sweepId);
    if (client->isReadOnly() || !record || hasOpenQuestion(parent))
        return;
    const QString before = QString::fromStdString(record->name);
    auto *dialog = new QInputDialog(parent);
    dialog->setObjectName(u"renameDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(SweepRequestWords::tr("Rename sweep"));
    dialog->setLabelText(SweepRequestWords::tr("Name of #%1").arg(sweepId));
    dialog->setOkButtonText(SweepRequestWords::tr("Rename"));
    dialog->setTextValue(before);
    dialog->setMinimumWidth(textScaled(renameWidth));
    // The dialog stays open until the name can be one.
    QObject::connect(dialog, &QInputDialog::textValueChanged, dialog, [dialog, sweepId](const QString &name) {
        const QString problem = QString::fromStdString(sweep::nameProblem(name.trimmed().toStdString()));
        dialog->setLabelText(problem.isEmpty() ? SweepRequestWords::tr("Name of #%1").arg(sweepId)
                                               : SweepRequestWords::tr("The name %1").arg(problem));
        if (auto *buttons = dialog->findChild<QDialogButtonBox *>())
            buttons->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
    });
    QObject::connect(dialog, &QInputDialog::textValueSelected, client, [before, rename](const QString &name) {
        const QString trimmed = name.trimmed();
        if (!trimmed.isEmpty() && trimmed != before)
            rename(trimmed);
    });
    dialog->open();
}

}  // namespace sweepscope::ui
