#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QObject>
#include <QVariant>

namespace sweepscope::ui {

/// Reads from the desktop's portal (org.freedesktop.portal.Settings) whether the user prefers dark windows, and follows
/// changes. Silent without a portal: then the platform's palette decides.
class DesktopColors : public QObject {
    Q_OBJECT

public:
    explicit DesktopColors(const QDBusConnection &bus, QObject *parent = nullptr);

Q_SIGNALS:
    void darkWanted(bool dark);

private Q_SLOTS:
    void settingChanged(const QDBusMessage &message);

private:
    void applyValue(QVariant value);
};

}  // namespace sweepscope::ui
