#include "ui/base/stopquestion.h"

#include "protocol/engineclient.h"
#include "ui/base/openquestion.h"
#include "ui/models/reasontext.h"
#include "ui/models/sweepsummary.h"
#include "ui/theme/problemmark.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QStringList>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct StopQuestionWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::StopQuestion)
};

/// What stopping ends, of all sweeps.
struct UnderWay {
    int running = 0;
    int paused = 0;
    int queued = 0;
    int unreachable = 0;
};

UnderWay underWay(protocol::EngineClient *client, const QList<qint64> &sweeps)
{
    UnderWay all;
    for (const qint64 sweepId : sweeps) {
        const SweepSummary summary = summarize(*client->sweep(sweepId), client->trials(sweepId), 1, 0);
        all.running += summary.running;
        all.paused += summary.paused;
        all.queued += summary.waiting;
        all.unreachable +=
            static_cast<int>(std::ranges::count_if(client->trials(sweepId), [](const sweep::TrialRecord &trial) {
                return sweep::isUnderWay(trial.state) && isUnreachable(trial.reason);
            }));
    }
    return all;
}

QString consequence(const UnderWay &trials)
{
    QStringList sentences;
    if (trials.running == 1)
        sentences << StopQuestionWords::tr("The running trial ends now and cannot be resumed.");
    else if (trials.running > 1)
        sentences << StopQuestionWords::tr("%L1 running trials end now and cannot be resumed.").arg(trials.running);
    if (trials.paused == 1)
        sentences << StopQuestionWords::tr("The paused trial ends and cannot be resumed.");
    else if (trials.paused > 1)
        sentences << StopQuestionWords::tr("%L1 paused trials end and cannot be resumed.").arg(trials.paused);
    sentences << StopQuestionWords::tr("Reported values are kept.");
    if (trials.queued == 1)
        sentences << StopQuestionWords::tr("One queued trial does not start.");
    else if (trials.queued > 1)
        sentences << StopQuestionWords::tr("%L1 queued trials do not start.").arg(trials.queued);
    if (trials.unreachable == 1)
        sentences << StopQuestionWords::tr(
            "One of them is on an unreachable machine, and ends when the connection is back.");
    else if (trials.unreachable > 1)
        sentences << StopQuestionWords::tr(
                         "%L1 of them are on unreachable machines, and end when the connections are back.")
                         .arg(trials.unreachable);
    return sentences.join(u' ');
}

bool mayBeStoppedNow(protocol::EngineClient *client, qint64 sweepId)
{
    const sweep::SweepRecord *record = client->sweep(sweepId);
    return record && mayBeStopped(*record);
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

void askToStop(protocol::EngineClient *client, const QList<qint64> &sweeps, QWidget *parent)
{
    QList<qint64> stoppable = sweeps;
    stoppable.removeIf([client](qint64 sweepId) { return !mayBeStoppedNow(client, sweepId); });
    if (client->isReadOnly() || stoppable.isEmpty() || hasOpenQuestion(parent))
        return;
    const UnderWay trials = underWay(client, stoppable);
    const auto stopAll = [client, stoppable] {
        for (const qint64 sweepId : stoppable)
            client->stopSweep(sweepId);
    };
    if (trials.running + trials.paused == 0)
        return stopAll();
    const bool isOne = stoppable.size() == 1;
    auto *box = new QMessageBox(parent);
    box->setObjectName(u"stopDialog"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Question);
    box->setWindowTitle(isOne ? StopQuestionWords::tr("Stop sweep") : StopQuestionWords::tr("Stop sweeps"));
    box->setText(isOne ? StopQuestionWords::tr("Stop %1 (#%2)?")
                             .arg(QString::fromStdString(client->sweep(stoppable.front())->name))
                             .arg(stoppable.front())
                       : StopQuestionWords::tr("Stop %L1 sweeps?").arg(stoppable.size()));
    box->setInformativeText(consequence(trials));
    QPushButton *stop =
        box->addButton(isOne ? StopQuestionWords::tr("Stop sweep") : StopQuestionWords::tr("Stop sweeps"),
                       QMessageBox::DestructiveRole);
    stop->setObjectName(u"confirmStopButton"_s);
    markDanger(stop);
    QPushButton *keep = box->addButton(StopQuestionWords::tr("Keep running"), QMessageBox::RejectRole);
    keep->setObjectName(u"cancelStopButton"_s);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    const bool mayFinish = std::ranges::any_of(
        stoppable, [client](qint64 sweepId) { return client->sweep(sweepId)->state != sweep::SweepState::Stopping; });
    if (trials.running > 0 && mayFinish) {
        QPushButton *finish = box->addButton(trials.running == 1 ? StopQuestionWords::tr("Finish running trial")
                                                                 : StopQuestionWords::tr("Finish running trials"),
                                             QMessageBox::ActionRole);
        finish->setObjectName(u"finishRunningButton"_s);
        finish->setToolTip(
            StopQuestionWords::tr("No further trials start. Running trials finish; paused trials are stopped."));
        // Stop the sweeps rather than their waiting trials: one of these may start before the request arrives.
        QObject::connect(finish, &QPushButton::clicked, client, [client, stoppable] {
            sweep::Control control;
            control.action = sweep::Control::Action::Stop;
            control.stopMode = sweep::StopMode::Finish;
            for (const qint64 sweepId : stoppable)
                client->control(sweepId, control);
        });
    }
    QObject::connect(client, &protocol::EngineClient::sweepsChanged, box, [client, stoppable, box] {
        if (std::ranges::none_of(stoppable, [client](qint64 sweepId) { return mayBeStoppedNow(client, sweepId); }))
            box->reject();  // the question is obsolete
    });
    QObject::connect(stop, &QPushButton::clicked, client, stopAll);
    box->open();
}

}  // namespace sweepscope::ui
