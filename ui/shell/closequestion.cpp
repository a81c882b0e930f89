#include "ui/shell/closequestion.h"

#include "protocol/engineclient.h"
#include "ui/theme/problemmark.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct CloseQuestionWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::CloseQuestion)
};

constexpr auto choiceProperty = "closeChoice";

template <typename Choice>
QPushButton *add(QMessageBox *box, const QString &text, const QString &name, QMessageBox::ButtonRole role,
                 Choice choice)
{
    QPushButton *button = box->addButton(text, role);
    button->setObjectName(name);
    button->setProperty(choiceProperty, static_cast<int>(choice));
    return button;
}

template <typename Choice>
Choice chosen(const QMessageBox *question)
{
    const QAbstractButton *clicked = question->clickedButton();
    return clicked ? static_cast<Choice>(clicked->property(choiceProperty).toInt()) : Choice::Cancel;
}

QMessageBox *newQuestion(const QString &name, QMessageBox::Icon icon, QWidget *parent)
{
    auto *box = new QMessageBox(parent);
    box->setObjectName(name);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(icon);
    box->setWindowTitle(CloseQuestionWords::tr("Close Sweepscope"));
    return box;
}

QString sentence(const GoingOn &goingOn)
{
    const auto [any, running, waiting] = goingOn;
    if (running == 0)
        return CloseQuestionWords::tr("The sweep continues without this window.");
    const QString first = CloseQuestionWords::tr("Training continues in the background: %L1 running").arg(running);
    if (waiting == 0)
        return first + u'.';
    return first + CloseQuestionWords::tr(", %L1 queued.").arg(waiting);
}

}  // namespace

GoingOn whatGoesOn(const protocol::EngineClient &client)
{
    GoingOn goingOn;
    for (const sweep::SweepRecord &record : client.sweeps()) {
        if (!sweep::isActive(record.state))
            continue;
        goingOn.any = true;
        for (const sweep::TrialRecord &trial : client.trials(record.id)) {
            if (trial.state == sweep::TrialState::Running || trial.state == sweep::TrialState::Starting)
                ++goingOn.running;
            else if (trial.state == sweep::TrialState::Queued)
                ++goingOn.waiting;
        }
    }
    return goingOn;
}

QMessageBox *closeQuestion(const GoingOn &goingOn, QWidget *parent)
{
    QMessageBox *box = newQuestion(u"closeDialog"_s, QMessageBox::Information, parent);
    box->setText(sentence(goingOn));
    box->setInformativeText(CloseQuestionWords::tr("Open Sweepscope again to see the progress. Nothing is lost."));
    QPushButton *close = add(box, CloseQuestionWords::tr("Close window"), u"closeWindowButton"_s,
                             QMessageBox::AcceptRole, CloseChoice::Close);
    add(box, CloseQuestionWords::tr("Stop trials and close"), u"stopAllButton"_s, QMessageBox::DestructiveRole,
        CloseChoice::StopAllAndClose);
    QPushButton *cancel = add(box, CloseQuestionWords::tr("Cancel"), u"cancelCloseButton"_s, QMessageBox::RejectRole,
                              CloseChoice::Cancel);
    markPrimary(close);
    box->setDefaultButton(close);
    box->setEscapeButton(cancel);
    return box;
}

CloseChoice choiceOf(const QMessageBox *question)
{
    return chosen<CloseChoice>(question);
}

QMessageBox *unsavedQuestion(QWidget *parent)
{
    QMessageBox *box = newQuestion(u"unsavedDialog"_s, QMessageBox::Question, parent);
    box->setText(CloseQuestionWords::tr("The sweep in the editor has unsaved changes."));
    QPushButton *save =
        add(box, CloseQuestionWords::tr("Save…"), u"saveUnsavedButton"_s, QMessageBox::AcceptRole, UnsavedChoice::Save);
    add(box, CloseQuestionWords::tr("Close without saving"), u"discardUnsavedButton"_s, QMessageBox::DestructiveRole,
        UnsavedChoice::Discard);
    QPushButton *cancel = add(box, CloseQuestionWords::tr("Cancel"), u"cancelUnsavedButton"_s, QMessageBox::RejectRole,
                              UnsavedChoice::Cancel);
    markPrimary(save);
    box->setDefaultButton(save);
    box->setEscapeButton(cancel);
    return box;
}

QMessageBox *unappliedQuestion(const QString &sweep, const QString &hindrance, QWidget *parent)
{
    QMessageBox *box = newQuestion(u"unappliedDialog"_s, QMessageBox::Question, parent);
    box->setTextFormat(Qt::PlainText);
    box->setText(CloseQuestionWords::tr("The definition of %1 has unapplied changes.").arg(sweep));
    box->setInformativeText(hindrance.isEmpty()
                                ? CloseQuestionWords::tr("You can review their effect on its trials before they apply.")
                                : CloseQuestionWords::tr("They cannot be applied now: %1").arg(hindrance));
    QPushButton *apply = add(box, CloseQuestionWords::tr("Apply…"), u"applyUnappliedButton"_s, QMessageBox::AcceptRole,
                             UnsavedChoice::Apply);
    apply->setEnabled(hindrance.isEmpty());
    add(box, CloseQuestionWords::tr("Close without applying"), u"discardUnappliedButton"_s,
        QMessageBox::DestructiveRole, UnsavedChoice::Discard);
    QPushButton *cancel = add(box, CloseQuestionWords::tr("Cancel"), u"cancelUnappliedButton"_s,
                              QMessageBox::RejectRole, UnsavedChoice::Cancel);
    markPrimary(apply);
    box->setDefaultButton(hindrance.isEmpty() ? apply : cancel);
    box->setEscapeButton(cancel);
    return box;
}

UnsavedChoice unsavedChoiceOf(const QMessageBox *question)
{
    return chosen<UnsavedChoice>(question);
}

}  // namespace sweepscope::ui
