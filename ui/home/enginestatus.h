#pragma once

#include "protocol/engineclient.h"

#include <QWidget>

class QLabel;

namespace sweepscope::ui {

class IconLabel;

/// The status bar: connection to the engine, last message, workspace, devices.
class EngineStatus : public QWidget {
    Q_OBJECT

public:
    explicit EngineStatus(protocol::EngineClient *client, QWidget *parent = nullptr);

    /// Shows `message` between the others, elided if there is no room; empty for none.
    void setMessage(const QString &message);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void setConnection(bool connected, const QString &reason);
    void updateDevices();
    void updateTexts();

    protocol::EngineClient *m_client;
    IconLabel *m_icon;
    QLabel *m_connection;
    QLabel *m_message;
    QLabel *m_workspace;
    QLabel *m_devices;
    QString m_reason;
    bool m_connected = false;
};

}  // namespace sweepscope::ui
