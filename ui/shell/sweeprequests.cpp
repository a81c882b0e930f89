#include "ui/shell/sweepkeeping.h"

#include "base/workspacelayout.h"
#include "protocol/engineclient.h"
#include "ui/base/openquestion.h"
#include "ui/theme/problemmark.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct SweepKeepingWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::SweepKeeping)
};

void ask(protocol::EngineClient *client, qint64 sweepId, sweep::Control::Action action)
{
    sweep::Control control;
    control.action = action;
    client->control(sweepId, control);
}

QString deletionText(const protocol::EngineClient &client, const sweep::SweepRecord &record)
{
    const WorkspaceLayout workspace{client.workspace().toStdString()};
    const QString folder = QString::fromStdString(workspace.sweepFolder(record.folder).string());
    const QString trials = record.trialsTotal == 1
                               ? SweepKeepingWords::tr("Its trial is deleted too")
                               : SweepKeepingWords::tr("Its %L1 trials are deleted too").arg(record.trialsTotal);
    return SweepKeepingWords::tr("%1, with measurements, logs, checkpoints, notes, and all files in %2. You cannot "
                                 "undo this.\n\nTo hide the sweep from lists but keep its files, archive it.")
        .arg(trials, folder);
}

}  // namespace

void setArchived(protocol::EngineClient *client, qint64 sweepId, bool archived)
{
    ask(client, sweepId, archived ? sweep::Control::Action::Archive : sweep::Control::Action::Unarchive);
}

void askToDelete(protocol::EngineClient *client, qint64 sweepId, QWidget *parent)
{
    const sweep::SweepRecord *record = client->sweep(sweepId);
    if (client->isReadOnly() || !record || !record->ended || hasOpenQuestion(parent))
        return;
    auto *box = new QMessageBox(parent);
    box->setObjectName(u"deleteDialog"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Warning);
    box->setWindowTitle(SweepKeepingWords::tr("Delete sweep"));
    box->setText(SweepKeepingWords::tr("Delete %1 (#%2)?").arg(QString::fromStdString(record->name)).arg(sweepId));
    box->setInformativeText(deletionText(*client, *record));
    QPushButton *deletion = box->addButton(SweepKeepingWords::tr("Delete permanently"), QMessageBox::DestructiveRole);
    deletion->setObjectName(u"confirmDeleteButton"_s);
    markDanger(deletion);
    if (!record->archived) {
        QPushButton *archive = box->addButton(SweepKeepingWords::tr("Archive instead"), QMessageBox::AcceptRole);
        archive->setObjectName(u"archiveInsteadButton"_s);
        QObject::connect(archive, &QPushButton::clicked, client,
                         [client, sweepId] { setArchived(client, sweepId, true); });
    }
    QPushButton *keep = box->addButton(QMessageBox::Cancel);
    keep->setObjectName(u"cancelDeleteButton"_s);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    QObject::connect(client, &protocol::EngineClient::sweepsChanged, box, [client, sweepId, box] {
        const sweep::SweepRecord *now = client->sweep(sweepId);
        if (!now || !now->ended)
            box->reject();  // the question is obsolete
    });
    QObject::connect(deletion, &QPushButton::clicked, client,
                     [client, sweepId] { ask(client, sweepId, sweep::Control::Action::Delete); });
    box->open();
}

}  // namespace sweepscope::ui
