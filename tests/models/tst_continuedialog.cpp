#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/actions/continuedialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;

class ContinueDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordThatTheParameterCannotBeIsRefusedBelowItsField();
};

void ContinueDialogTest::wordThatTheParameterCannotBeIsRefusedBelowItsField()
{
    protocol::EngineClient client;
    sweep::SweepRecord sweep = sampleSweep(1, 1);
    sweep.toml =
        "[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nmethod = \"grid\"\n[space]\n"
        "mode = [\"plain\", \"augmented\"]\nlr = [0.1, 0.2]\n[run]\ncommand = [\"train\", \"{mode}\", \"{lr}\"]\n";
    auto *dialog = new ui::ContinueDialog(&client, sweep, {1});
    dialog->show();
    auto *mode = dialog->findChild<QLineEdit *>(u"continue.mode"_s);
    auto *problem = dialog->findChild<QLabel *>(u"continue.mode.problem"_s);
    auto *numbers = dialog->findChild<QLabel *>(u"continue.lr.problem"_s);
    QVERIFY(mode && problem && numbers && !problem->isVisible());
    dialog->findChild<QLineEdit *>(u"continue.lr"_s)->setText(u"0.01"_s);  // numbers outside of the list are allowed
    mode->setText(u"xyz"_s);
    dialog->findChild<QPushButton *>(u"continueAdd"_s)->click();
    QVERIFY(problem->isVisible() && !numbers->isVisible());
    QVERIFY2(problem->text().contains(u"plain, augmented"_s), qPrintable(problem->text()));
    QVERIFY(dialog->isVisible());
    mode->setText(u"plain"_s);
    QVERIFY(!problem->isVisible());
    delete dialog;
}

SWEEPSCOPE_TEST(ContinueDialogTest)
#include "tst_continuedialog.moc"
