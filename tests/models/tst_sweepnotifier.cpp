#include "testprogram.h"

#include "alerts/alertsettings.h"
#include "e2e/workspaceengine.h"
#include "ui/home/sweepnotifier.h"

#include <QDBusConnection>
#include <QFile>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;

namespace {

/// The notifications that a desktop shows.
class FakeDesktop : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    QStringList titles;
    QStringList texts;

public Q_SLOTS:
    uint Notify(const QString &, uint, const QString &, const QString &title, const QString &text, const QStringList &,
                const QVariantMap &, int)
    {
        titles << title;
        texts << text;
        return 1;
    }
};

}  // namespace

class SweepNotifierTest : public QObject {
    Q_OBJECT

    QProcess m_daemon;
    QString m_address;
    FakeDesktop m_desktop;

    void runSweep(WorkspaceEngine &engine, const QString &name,
                  const QStringList &command = {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s})
    {
        const std::size_t before = engine.client().sweeps().size();
        QFile file(engine.writeSweep(name, command, 2));
        QVERIFY(file.open(QIODevice::ReadOnly));
        engine.client().launchSweep(QString::fromUtf8(file.readAll()), engine.path({}));
        QTRY_VERIFY_WITH_TIMEOUT(engine.client().sweeps().size() == before + 1
                                     && !sweep::isActive(engine.client().sweeps().back().state),
                                 patience);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable(u"dbus-daemon"_s).isEmpty())
            QSKIP("needs dbus-daemon");
        m_daemon.start(u"dbus-daemon"_s, {u"--session"_s, u"--nofork"_s, u"--print-address=1"_s});
        QVERIFY(m_daemon.waitForStarted(patience) && m_daemon.waitForReadyRead(patience));
        m_address = QString::fromUtf8(m_daemon.readLine()).trimmed();
        QDBusConnection desktop = QDBusConnection::connectToBus(m_address, u"desktop"_s);
        QVERIFY(
            desktop.registerObject(u"/org/freedesktop/Notifications"_s, &m_desktop, QDBusConnection::ExportAllSlots));
        QVERIFY(desktop.registerService(u"org.freedesktop.Notifications"_s));
    }
    void cleanupTestCase()
    {
        QDBusConnection::disconnectFromBus(u"desktop"_s);
        QDBusConnection::disconnectFromBus(u"window"_s);
        m_daemon.terminate();
        m_daemon.waitForFinished(patience);
    }

    void endOfASweepIsNotifiedOnceIfTheWindowIsInactive()
    {
        WorkspaceEngine engine;
        QWidget window;
        const ui::SweepNotifier notifier(QDBusConnection::connectToBus(m_address, u"window"_s), &engine.client(),
                                         &window);
        QVERIFY2(engine.connect(), qPrintable(engine.client().errorText()));
        runSweep(engine, u"points"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_desktop.titles, QStringList(u"points completed"_s), patience);
        QVERIFY2(m_desktop.texts[0].contains(u"2 completed; best loss"_s), qPrintable(m_desktop.texts[0]));

        // No notification while the window is in front; the next one, with the window away, arrives alone.
        window.show();
        window.activateWindow();
        QTRY_VERIFY(window.isActiveWindow());
        runSweep(engine, u"seen"_s);
        window.hide();
        QTRY_VERIFY(!window.isActiveWindow());
        runSweep(engine, u"away"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_desktop.titles.size(), 2, patience);
        QCOMPARE(m_desktop.titles[1], u"away completed"_s);

        // A sweep in which every trial failed is not reported as completed.
        runSweep(engine, u"bad"_s, {u"/bin/false"_s, u"{n}"_s});
        QTRY_COMPARE_WITH_TIMEOUT(m_desktop.titles.size(), 3, patience);
        QCOMPARE(m_desktop.titles[2], u"bad failed"_s);
    }

    void engineRunsTheCommandOfTheUser()
    {
        const QTemporaryDir config;
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
        const auto restore = qScopeGuard([&before] { qputenv("XDG_CONFIG_HOME", before); });
        const QString told = config.filePath(u"told"_s);
        alerts::AlertSettings settings;
        settings.byCommand = {alerts::AlertKind::SweepEnded, alerts::AlertKind::TrialFailed};
        settings.command = "echo \"$SWEEPSCOPE_ALERT: $SWEEPSCOPE_TITLE\" >> '" + told.toStdString() + "'; echo seen";
        QVERIFY(alerts::writeAlertSettings(alerts::alertSettingsFile(), settings).has_value());
        WorkspaceEngine engine;
        QVERIFY2(engine.connect(), qPrintable(engine.client().errorText()));
        runSweep(engine, u"bad"_s, {u"/bin/false"_s, u"{n}"_s});
        const auto contains = [](const QString &name, const QString &line) {
            QFile file(name);
            return file.open(QIODevice::ReadOnly) && QString::fromUtf8(file.readAll()).split(u'\n').contains(line);
        };
        QTRY_VERIFY_WITH_TIMEOUT(contains(told, u"sweep_ended: bad failed"_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(contains(told, u"trial_failed: bad: trial 1 failed"_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(contains(told, u"trial_failed: bad: trial 2 failed"_s), patience);
        QTRY_VERIFY_WITH_TIMEOUT(contains(engine.client().workspace() + u"/alerts.log"_s, u"seen"_s), patience);
    }
};

SWEEPSCOPE_TEST(SweepNotifierTest)
#include "tst_sweepnotifier.moc"
