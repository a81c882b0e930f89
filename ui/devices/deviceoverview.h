#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/gpulistedit.h"
#include "ui/models/devicereadings.h"

#include <QFrame>

#include <memory>
#include <vector>

class QLabel;

namespace sweepscope::ui {

class DeviceRowsModel;
class DeviceTable;

/// Shows all GPUs in a table.
class DeviceOverview : public QFrame {
    Q_OBJECT

public:
    explicit DeviceOverview(QWidget *parent = nullptr);

    /// GPUs alone.
    void showDevices(const std::vector<protocol::DeviceStatus> &gpus);
    void showReadings(const std::shared_ptr<const DeviceReadings> &readings);
    void showSweep(const SweepGpus &shown);

    /// The current row; -1 if there is none.
    int current() const;
    void setCurrent(int row);

Q_SIGNALS:
    void currentChanged(int row);
    void rowChosen(int row);
    void menuRequested(int row, const QPoint &place);

private:
    void showUse();

    DeviceRowsModel *m_model;
    QLabel *m_name;
    QLabel *m_simulated;
    QLabel *m_use;
    DeviceTable *m_table;
    bool m_isRecorded = false;
};

}  // namespace sweepscope::ui
