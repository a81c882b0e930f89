#pragma once

#include "protocol/devicestatus.h"
#include "ui/models/devicereadings.h"

#include <QFrame>

#include <memory>

class QLabel;

namespace sweepscope::ui {

class CoreStrip;
class IconLabel;
class SparkAxis;
class Sparkline;

/// The cores of a CPU: their total and individual utilisation, and the trials that hold cores.
class CoresCard : public QFrame {
    Q_OBJECT

public:
    explicit CoresCard(QWidget *parent = nullptr);

    void showCores(const std::vector<protocol::DeviceStatus> &cores);
    void showReadings(const std::shared_ptr<const DeviceReadings> &readings);

Q_SIGNALS:
    void holderClicked(const sweepscope::protocol::DeviceHolder &holder);

private:
    void showLoads();
    void showHolders();

    std::vector<protocol::DeviceStatus> m_devices;
    std::shared_ptr<const DeviceReadings> m_readings;
    QLabel *m_name;
    IconLabel *m_useIcon;
    QLabel *m_use;
    Sparkline *m_line;
    SparkAxis *m_axis;
    QLabel *m_value;
    CoreStrip *m_cores;
    QLabel *m_holders;
    QLabel *m_cost;
    std::vector<protocol::DeviceHolder> m_holderNames;
};

/// How busy they are together, at the times for which all are known that are known at all.
DeviceReadings::Trace meanOf(const std::vector<const DeviceReadings::Trace *> &traces);

}  // namespace sweepscope::ui
