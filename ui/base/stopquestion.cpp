#include "ui/base/stopquestion.h"

#include "protocol/engineclient.h"
#include "ui/base/openquestion.h"
#include "ui/models/reasontext.h"
#include "ui/models/sweepsummary.h"
#include "ui/theme/problemmark.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct StopQuestionWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::StopQuestion)
};

QString consequence(const SweepSummary &summary)
{
    const int underWay = summary.running + summary.paused;
    QString text =
        underWay == 1
            ? StopQuestionWords::tr("The running trial ends now and cannot be resumed. Reported values are kept.")
            : StopQuestionWords::tr("%Ln running trials end now and cannot be resumed. Reported values are kept.",
                                    nullptr, underWay);
    if (summary.waiting == 1)
        text += u' ' + StopQuestionWords::tr("One queued trial does not start.");
    else if (summary.waiting > 1)
        text += u' ' + StopQuestionWords::tr("%Ln queued trials do not start.", nullptr, summary.waiting);
    return text;
}

}  // namespace

bool mayBeStopped(const sweep::SweepRecord &sweep)
{
    return sweep::canBeStopped(sweep.state)
           || (sweep.state == sweep::SweepState::Stopping && sweep.stopMode == sweep::StopMode::Finish);
}

QString whyNotStopped(const sweep::SweepRecord &sweep, bool readOnly)
{
    if (readOnly)
        return StopQuestionWords::tr("This window is read-only");
    if (mayBeStopped(sweep))
        return {};
    return sweep::isActive(sweep.state) ? StopQuestionWords::tr("Already stopping")
                                        : StopQuestionWords::tr("The sweep has ended");
}

void askToStop(protocol::EngineClient *client, qint64 sweepId, QWidget *parent)
{
    const sweep::SweepRecord *record = client->sweep(sweepId);
    if (client->isReadOnly() || !record || !mayBeStopped(*record) || hasOpenQuestion(parent))
        return;
    const SweepSummary summary = summarize(*record, client->trials(sweepId), 1, 0);
    if (summary.running + summary.paused == 0) {
        client->stopSweep(sweepId);
        return;
    }
    auto *box = new QMessageBox(parent);
    box->setObjectName(u"stopDialog"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Question);
    box->setWindowTitle(StopQuestionWords::tr("Stop sweep"));
    box->setText(StopQuestionWords::tr("Stop %1 (#%2)?").arg(QString::fromStdString(record->name)).arg(sweepId));
    const auto away = std::ranges::count_if(client->trials(sweepId), [](const sweep::TrialRecord &trial) {
        return sweep::isUnderWay(trial.state) && isUnreachable(trial.reason);
    });
    box->setInformativeText(
        consequence(summary)
        + (away == 0 ? QString()
                     : u' '
                           + StopQuestionWords::tr("%Ln of them cannot be reached now, and end once there is a "
                                                   "connection to their machines.",
                                                   nullptr, static_cast<int>(away))));
    QPushButton *stop = box->addButton(StopQuestionWords::tr("Stop sweep"), QMessageBox::DestructiveRole);
    stop->setObjectName(u"confirmStopButton"_s);
    markDanger(stop);
    QPushButton *keep = box->addButton(StopQuestionWords::tr("Keep running"), QMessageBox::RejectRole);
    keep->setObjectName(u"cancelStopButton"_s);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    if (summary.running > 0 && record->state != sweep::SweepState::Stopping) {
        QPushButton *finish = box->addButton(summary.running == 1 ? StopQuestionWords::tr("Finish running trial")
                                                                  : StopQuestionWords::tr("Finish running trials"),
                                             QMessageBox::ActionRole);
        finish->setObjectName(u"finishRunningButton"_s);
        finish->setToolTip(StopQuestionWords::tr(
            "No further trials start. Running trials continue to their end, paused trials are stopped."));
        // Stop the sweep rather than its waiting trials: one of these may start before the request arrives.
        QObject::connect(finish, &QPushButton::clicked, client, [client, sweepId] {
            sweep::Control control;
            control.action = sweep::Control::Action::Stop;
            control.stopMode = sweep::StopMode::Finish;
            client->control(sweepId, control);
        });
    }
    QObject::connect(client, &protocol::EngineClient::sweepsChanged, box, [client, sweepId, box] {
        const sweep::SweepRecord *now = client->sweep(sweepId);
        if (!now || !mayBeStopped(*now))
            box->reject();  // the question is obsolete
    });
    QObject::connect(stop, &QPushButton::clicked, client, [client, sweepId] { client->stopSweep(sweepId); });
    box->open();
}

}  // namespace sweepscope::ui
