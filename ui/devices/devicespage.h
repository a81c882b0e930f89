#pragma once

#include "client/engineclient.h"
#include "ui/devices/devicewatcher.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QStackedWidget;

namespace sweepscope::ui {

class DeviceCards;
class EmptyView;
class NoticeBanner;

/// The GPUs and cores of the machine: what they do now, or did when they were last read, and who is on them.
class DevicesPage : public QWidget {
    Q_OBJECT

public:
    explicit DevicesPage(client::EngineClient *client, QWidget *parent = nullptr);

Q_SIGNALS:
    void trialRequested(qint64 sweepId, int trialNumber);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void refresh();
    void showState(WallNs now, bool live);
    void goTo(const QString &holder);

    client::EngineClient *m_client;
    DeviceWatcher *m_watcher;
    std::shared_ptr<const DeviceReadings> m_readings;
    QLabel *m_stateIcon;
    QLabel *m_state;
    QLabel *m_copied;
    NoticeBanner *m_note;
    DeviceCards *m_cards;
    EmptyView *m_empty;
    QStackedWidget *m_stack;
    QTimer m_refresh;  // many messages, one refresh
};

}  // namespace sweepscope::ui
