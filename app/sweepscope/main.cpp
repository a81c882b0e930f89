#include "askpass.h"
#include "commandline.h"
#include "protocol/engineclient.h"
#include "protocol/qtlog.h"
#include "ui/home/sweepnotifier.h"
#include "ui/shell/machinemenu.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/windowscreenshot.h"
#include "ui/shell/windowsettings.h"
#include "ui/theme/desktopcolors.h"
#include "ui/theme/theme.h"
#include "version.h"

#include <QApplication>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>

#include <cstdio>
#include <memory>
#include <optional>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace sweepscope;

namespace {

constexpr int failure = 1;
constexpr int badInput = 2;

void complain(const QString &message)
{
    std::fprintf(stderr, "sweepscope: error: %s\n", qUtf8Printable(message));
}

/// Returns whether the workspace exists but is read-only for this user.
bool cannotBeWritten(const QString &workspace)
{
    return QFileInfo(workspace).isDir() && ::access(workspace.toLocal8Bit().constData(), W_OK) != 0;
}

int takeScreenshot(const CommandLine &line, ui::Theme &theme)
{
    // A screenshot for the documentation must not depend on the user's window settings, nor change them.
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(u"window.ini"_s), QSettings::IniFormat);
    protocol::EngineClient client;
    ui::MainWindow window(&client, &theme, &settings);
    theme.setScheme(line.theme.value_or(ui::ColorScheme::Light));
    if (!window.pageNames().contains(line.screenshot->page)) {
        complain(
            QApplication::tr("--page %1: there are %2").arg(line.screenshot->page, window.pageNames().join(u", "_s)));
        return badInput;
    }
    window.begin(line.sweepFile);
    window.show();
    ui::WindowScreenshot screenshot(&window, &client, *line.screenshot);
    QObject::connect(&screenshot, &ui::WindowScreenshot::saved, qApp, [] { QApplication::exit(0); });
    QObject::connect(&screenshot, &ui::WindowScreenshot::failed, qApp, [](const QString &reason) {
        complain(reason);
        QApplication::exit(failure);
    });
    client.connectToWorkspace(line.workspace, true);
    return QApplication::exec();
}

int showWindow(const CommandLine &line, ui::Theme &theme)
{
    // Without a session bus, Qt would start one.
    std::optional<ui::DesktopColors> desktopColors;
    if (qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")) {
        desktopColors.emplace(QDBusConnection::sessionBus());
        QObject::connect(&*desktopColors, &ui::DesktopColors::darkWanted, &theme, &ui::Theme::setSystemIsDark);
    }
    QSettings settings;
    ui::WindowSettings::restoreTextSize(&theme, settings);
    if (!line.address.isEmpty())
        ui::MachineMenu::remember(settings, line.address);
    protocol::EngineClient client;
    client.setReadOnly(line.readOnly || cannotBeWritten(line.workspace));
    ui::MainWindow window(&client, &theme, &settings);
    if (line.theme)
        theme.setScheme(*line.theme);
    std::optional<ui::SweepNotifier> notifier;
    if (desktopColors)
        notifier.emplace(QDBusConnection::sessionBus(), &client, &window);
    window.begin(line.sweepFile);
    window.show();
    client.connectToWorkspace(line.workspace, true, line.address);
    if (!line.machineToAdd.isEmpty())
        window.addMachine(line.machineToAdd);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char **argv)
{
    if (isAskpass())
        return answerSsh(argc, argv);
    prepareForNoDisplay(argc, argv);
    protocol::logQtMessages();
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"Sweepscope"_s);
    QApplication::setOrganizationName(u"Sweepscope"_s);
    QApplication::setApplicationVersion(QString::fromLatin1(version));
    QApplication::setDesktopFileName(u"sweepscope"_s);
    const CommandLine line = readCommandLine(QApplication::arguments());
    if (!line.problem.isEmpty()) {
        complain(line.problem);
        return badInput;
    }
    ui::Theme theme(&application);
    return line.screenshot ? takeScreenshot(line, theme) : showWindow(line, theme);
}
