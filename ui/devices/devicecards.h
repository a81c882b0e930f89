#pragma once

#include "client/devicestatus.h"
#include "ui/devices/gpulistedit.h"
#include "ui/devices/recentreadings.h"

#include <QScrollArea>

#include <vector>

class QGridLayout;

namespace sweepscope::ui {

class ConnectionsCard;
class CoresCard;
class DeviceCard;

/// The cards of all devices, in as many columns as there is room for.
class DeviceCards : public QScrollArea {
    Q_OBJECT

public:
    explicit DeviceCards(QWidget *parent = nullptr);

    void showDevices(const std::vector<client::DeviceStatus> &devices, const DeviceReadings &readings, bool live);
    /// For the cards that are there.
    void showSweep(const SweepGpus &shown);
    bool hasConnections() const;
    /// Brings the card of how GPUs are connected into view.
    void goToConnections();

Q_SIGNALS:
    void changeRequested(const QString &gpuId, sweepscope::sweep::GpuListChange change);
    void choiceRequested();
    void holderClicked(const QString &holder);
    void copied(const QString &text);

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange();

    QWidget *m_inside;
    QGridLayout *m_grid;
    std::vector<DeviceCard *> m_gpus;
    ConnectionsCard *m_connections;
    CoresCard *m_cores;
    int m_columns = 0;
};

}  // namespace sweepscope::ui
