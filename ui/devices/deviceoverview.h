#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/gpulistedit.h"
#include "ui/devices/recentreadings.h"

#include <QFrame>

class QLabel;

namespace sweepscope::ui {

class DeviceRowsModel;
class DeviceTable;

/// All GPUs at a glance.
class DeviceOverview : public QFrame {
    Q_OBJECT

public:
    explicit DeviceOverview(QWidget *parent = nullptr);

    /// GPUs alone.
    void showDevices(const std::vector<protocol::DeviceStatus> &gpus, const DeviceReadings &readings, bool live);
    void showSweep(const SweepGpus &shown);

    /// Of the row that is current; -1: there are none.
    int current() const;
    void setCurrent(int row);
    void focusTable();

Q_SIGNALS:
    void currentChanged(int row);
    void rowChosen(int row);
    void menuRequested(int row, const QPoint &place);

private:
    DeviceRowsModel *m_model;
    QLabel *m_name;
    QLabel *m_simulated;
    QLabel *m_use;
    DeviceTable *m_table;
};

}  // namespace sweepscope::ui
