#include "askpass.h"

#include "remote/ssh.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <cstdio>

namespace sweepscope {
using namespace Qt::StringLiterals;

namespace {

constexpr int dialogWidth = 420;

/// The question about a host key, which ssh ends like this; all others are for secrets.
bool isAboutHostKey(const QString &question)
{
    return question.contains("continue connecting"_L1);
}

/// Dialogs belong to no window: they must not open behind one.
void keepOnTop(QDialog &dialog)
{
    dialog.setWindowFlag(Qt::WindowStaysOnTopHint);
}

int confirmHostKey(const QString &question)
{
    const QString facts = question.first(std::max<qsizetype>(question.lastIndexOf(u'\n'), 0));  // without "(yes/no)?"
    QMessageBox box(QMessageBox::Question, QApplication::tr("Unknown machine"), facts.isEmpty() ? question : facts);
    keepOnTop(box);
    box.setInformativeText(
        QApplication::tr("Compare the fingerprint with the one that the machine's administrator gave you."));
    const QPushButton *trust = box.addButton(QApplication::tr("Trust and connect"), QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    if (box.clickedButton() != trust)
        return 1;
    std::puts("yes");
    return 0;
}

}  // namespace

bool isAskpass()
{
    return qEnvironmentVariableIsSet(remote::askpassVariable);
}

int answerSsh(int argc, char **argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"Sweepscope"_s);
    const ui::Theme theme(&application);
    const QString question = QString::fromLocal8Bit(argc > 1 ? argv[1] : "").trimmed();
    if (isAboutHostKey(question))
        return confirmHostKey(question);
    QInputDialog dialog;
    keepOnTop(dialog);
    dialog.setWindowTitle(QApplication::tr("Connect to machine"));
    dialog.setLabelText(question);
    dialog.setTextEchoMode(QLineEdit::Password);
    dialog.resize(dialogWidth, dialog.sizeHint().height());
    if (dialog.exec() != QDialog::Accepted)
        return 1;
    std::puts(qPrintable(dialog.textValue()));
    return 0;
}

}  // namespace sweepscope
