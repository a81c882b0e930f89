#pragma once

#include "ui/devices/devicewatcher.h"
#include "ui/home/enginepage.h"

class QLabel;

namespace sweepscope::ui {

class DeviceCards;
class NoticeBanner;

/// The GPUs and cores of the machine: what they do now, or did when they were last read, and who is on them.
class DevicesPage : public EnginePage {
    Q_OBJECT

public:
    explicit DevicesPage(client::EngineClient *client, QWidget *parent = nullptr);

Q_SIGNALS:
    void trialRequested(qint64 sweepId, int trialNumber);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void refresh() override;
    QString whyNone() const;
    void showState(WallNs now, bool live);
    void goTo(const QString &holder);

    DeviceWatcher *m_watcher;
    std::shared_ptr<const DeviceReadings> m_readings;
    QLabel *m_stateIcon;
    QLabel *m_state;
    QLabel *m_copied;
    NoticeBanner *m_note;
    DeviceCards *m_cards;
};

}  // namespace sweepscope::ui
