#include "base/workspacelayout.h"
#include "client/engineclient.h"
#include "ui/mainwindow.h"
#include "ui/theme/desktopcolors.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include <cstdio>
#include <optional>

using namespace Qt::StringLiterals;

namespace {

constexpr int badInput = 2;

int complain(const QString &message)
{
    std::fprintf(stderr, "sweepscope: error: %s\n", qUtf8Printable(message));
    return badInput;
}

}  // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"Sweepscope"_s);
    QApplication::setOrganizationName(u"Sweepscope"_s);
    QApplication::setApplicationVersion(u"" SWEEPSCOPE_VERSION ""_s);
    QApplication::setDesktopFileName(u"sweepscope"_s);

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::tr("Defines, starts and watches sweeps of distributed training runs.\n"
                         "The trials are run by an engine of their own and go on when this window closes."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption workspaceOption(
        u"workspace"_s, QApplication::tr("Folder that holds the sweeps and what they measured."), u"DIR"_s,
        QString::fromStdString(sweepscope::defaultWorkspaceRoot().string()));
    parser.addOption(workspaceOption);
    parser.addPositionalArgument(u"SWEEP_FILE"_s, QApplication::tr("Opened in the editor, ready to start."),
                                 u"[SWEEP_FILE]"_s);
    parser.process(application);
    if (parser.positionalArguments().size() > 1)
        return complain(QApplication::tr("one sweep file at a time, please; got %1")
                            .arg(parser.positionalArguments().join(u", "_s)));
    const QString file = parser.positionalArguments().value(0);
    if (!file.isEmpty() && !QFileInfo(file).isFile())
        return complain(QApplication::tr("%1: there is no such file").arg(file));

    sweepscope::ui::Theme theme(&application);
    // Without a session bus Qt would start one.
    std::optional<sweepscope::ui::DesktopColors> desktopColors;
    if (qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")) {
        desktopColors.emplace(QDBusConnection::sessionBus());
        QObject::connect(&*desktopColors, &sweepscope::ui::DesktopColors::darkWanted, &theme,
                         &sweepscope::ui::Theme::setSystemIsDark);
    }
    QSettings settings;
    sweepscope::client::EngineClient client;
    sweepscope::ui::MainWindow window(&client, &theme, &settings);
    window.begin(file.isEmpty() ? QString() : QFileInfo(file).absoluteFilePath());
    window.show();
    client.connectToWorkspace(QDir(parser.value(workspaceOption)).absolutePath(), true);
    return QApplication::exec();
}
