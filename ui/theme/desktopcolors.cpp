#include "ui/theme/desktopcolors.h"

#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr auto service = "org.freedesktop.portal.Desktop"_L1;
constexpr auto portalPath = "/org/freedesktop/portal/desktop"_L1;
constexpr auto interface = "org.freedesktop.portal.Settings"_L1;
constexpr auto group = "org.freedesktop.appearance"_L1;
constexpr auto key = "color-scheme"_L1;

enum class Wish : uint { None, Dark, Light };

}  // namespace

DesktopColors::DesktopColors(const QDBusConnection &bus, QObject *parent) : QObject(parent)
{
    if (!bus.isConnected())
        return;
    QDBusConnection connection(bus);
    connection.connect(service, portalPath, interface, u"SettingChanged"_s, this, SLOT(settingChanged(QDBusMessage)));
    QDBusMessage read = QDBusMessage::createMethodCall(service, portalPath, interface, u"Read"_s);
    read.setArguments({QString(group), QString(key)});
    auto *watcher = new QDBusPendingCallWatcher(connection.asyncCall(read), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            applyValue(reply.value().variant());
    });
}

void DesktopColors::settingChanged(const QDBusMessage &message)
{
    const QVariantList arguments = message.arguments();
    if (arguments.size() == 3 && arguments[0] == group && arguments[1] == key)
        applyValue(arguments[2]);
}

void DesktopColors::applyValue(QVariant value)
{
    // Read() wraps the value once more than the signal does.
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    bool isNumber = false;
    const auto wish = static_cast<Wish>(value.toUInt(&isNumber));
    if (isNumber && (wish == Wish::Dark || wish == Wish::Light || wish == Wish::None))
        Q_EMIT darkWanted(wish == Wish::Dark);
}

}  // namespace sweepscope::ui
