#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QObject>
#include <QVariant>

namespace sweepscope::ui {

/// Asks the desktop's portal (org.freedesktop.portal.Settings) whether people want dark windows, and hears when they
/// change their mind. Says nothing where there is no portal: then the palette of the platform decides.
class DesktopColors : public QObject {
    Q_OBJECT

public:
    explicit DesktopColors(const QDBusConnection &bus, QObject *parent = nullptr);

Q_SIGNALS:
    void darkWanted(bool dark);

private Q_SLOTS:
    void settingChanged(const QDBusMessage &message);

private:
    void tell(QVariant value);
};

}  // namespace sweepscope::ui
