#include "alerts/alertsettings.h"
#include "testprogram.h"
#include "ui/shell/preferencesdialog.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::PreferencesDialog;

class PreferencesTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_config;
    QByteArray m_before;

    static void save(const PreferencesDialog &dialog)
    {
        QTest::mouseClick(dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save), Qt::LeftButton);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8());
    }
    void cleanupTestCase() { qputenv("XDG_CONFIG_HOME", m_before); }

    void alertsAreStoredForTheEngine()
    {
        const ui::Theme theme(qApp);
        QPointer dialog(new PreferencesDialog(theme, false));
        const QSignalSpy schemes(dialog, &PreferencesDialog::schemeChosen);
        const QSignalSpy sizes(dialog, &PreferencesDialog::textSizeChosen);
        dialog->show();
        QVERIFY(dialog->findChild<QCheckBox *>(u"desktop_sweep_ended"_s)->isChecked());
        QTest::mouseClick(dialog->findChild<QCheckBox *>(u"command_trial_failed"_s), Qt::LeftButton);
        dialog->findChild<QLineEdit *>(u"alertCommand"_s)->setText(u"echo \"$SWEEPSCOPE_TITLE\" '1'"_s);
        auto *size = dialog->findChild<QComboBox *>(u"preferredTextSize"_s);
        size->setCurrentIndex(size->findData(125));
        save(*dialog);
        QTRY_VERIFY(!dialog);
        QCOMPARE(schemes.size(), 1);
        QCOMPARE(sizes.value(0).value(0).toInt(), 125);
        const auto stored = alerts::readAlertSettings(alerts::alertSettingsFile());
        QVERIFY(stored.has_value());
        QCOMPARE(stored->command, "echo \"$SWEEPSCOPE_TITLE\" '1'");
        QVERIFY(stored->byCommand == std::set{alerts::AlertKind::TrialFailed});
        QVERIFY(stored->desktop == std::set{alerts::AlertKind::SweepEnded});

        PreferencesDialog again(theme, false);
        again.setAttribute(Qt::WA_DeleteOnClose, false);
        QVERIFY(again.findChild<QCheckBox *>(u"command_trial_failed"_s)->isChecked());
        QCOMPARE(again.findChild<QLineEdit *>(u"alertCommand"_s)->text(), u"echo \"$SWEEPSCOPE_TITLE\" '1'"_s);
    }

    void fileThatCannotBeReadIsNotReplaced()
    {
        QFile file(QString::fromStdString(alerts::alertSettingsFile().string()));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("by_command = [\"sweep_end\"]\ncommand = \"x\"\n") > 0);
        file.close();
        const ui::Theme theme(qApp);
        QPointer dialog(new PreferencesDialog(theme, false));
        dialog->show();
        QVERIFY(!dialog->findChild<QCheckBox *>(u"desktop_sweep_ended"_s)->isEnabled());
        QVERIFY(dialog->findChild<QLabel *>(u"alertTestResult"_s)->text().contains(u"sweep_end"_s));
        save(*dialog);
        QTRY_VERIFY(!dialog);
        QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("command = \"x\""));
        QVERIFY(file.remove());
    }

    void costFactorsAreStored()
    {
        const ui::Theme theme(qApp);
        QPointer dialog(new PreferencesDialog(theme, false));
        dialog->show();
        auto *price = dialog->findChild<QLineEdit *>(u"energyPrice"_s);
        QVERIFY(price->text().isEmpty());
        price->setText(u"cheap"_s);
        save(*dialog);
        QVERIFY(dialog->findChild<QLabel *>(u"costProblem"_s)->text().contains(u"number of at least 0"_s));
        price->setText(u"0.31"_s);
        dialog->findChild<QLineEdit *>(u"currency"_s)->setText(u"EUR"_s);
        save(*dialog);
        QTRY_VERIFY(!dialog);
        const auto stored = sweep::readCostFactors(sweep::costFactorsFile());
        QVERIFY(stored.has_value());
        QVERIFY(*stored == (sweep::CostFactors{0.31, {}, {}, "EUR"}));

        PreferencesDialog again(theme, false);
        again.setAttribute(Qt::WA_DeleteOnClose, false);
        QCOMPARE(again.findChild<QLineEdit *>(u"energyPrice"_s)->text(), u"0.31"_s);
        QVERIFY(again.findChild<QLineEdit *>(u"devicePrice"_s)->text().isEmpty());
    }

    void testRunsTheCommandWithAnExample()
    {
        const ui::Theme theme(qApp);
        PreferencesDialog dialog(theme, false);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        auto *command = dialog.findChild<QLineEdit *>(u"alertCommand"_s);
        auto *test = dialog.findChild<QPushButton *>(u"testAlertCommand"_s);
        const auto *result = dialog.findChild<QLabel *>(u"alertTestResult"_s);
        command->clear();
        QVERIFY(!test->isEnabled());
        command->setText(u"echo \"$SWEEPSCOPE_ALERT: $SWEEPSCOPE_TITLE\""_s);
        QTest::mouseClick(test, Qt::LeftButton);
        QTRY_COMPARE(result->text(), u"The command succeeded.\nsweep_ended: example completed"_s);
        command->setText(u"nosuchprogram"_s);
        QTest::mouseClick(test, Qt::LeftButton);
        QTRY_VERIFY2(result->text().startsWith(u"The command failed with exit code 127."_s),
                     qPrintable(result->text()));
        QVERIFY(result->text().contains(u"nosuchprogram"_s));
    }
};

SWEEPSCOPE_TEST(PreferencesTest)
#include "tst_preferences.moc"
