#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/recentreadings.h"

#include <QFrame>

class QLabel;

namespace sweepscope::ui {

class CoreStrip;
class Sparkline;

/// The cores of a CPU: how busy they are together and each of them, and which trials have some.
class CoresCard : public QFrame {
    Q_OBJECT

public:
    explicit CoresCard(QWidget *parent = nullptr);

    void showCores(const std::vector<protocol::DeviceStatus> &cores, const DeviceReadings &readings, bool live);

Q_SIGNALS:
    void holderClicked(const sweepscope::protocol::DeviceHolder &holder);

private:
    void showHolders(const std::vector<protocol::DeviceStatus> &cores);

    QLabel *m_name;
    QLabel *m_useIcon;
    QLabel *m_use;
    Sparkline *m_line;
    QLabel *m_value;
    CoreStrip *m_cores;
    QLabel *m_holders;
    QLabel *m_cost;
    std::vector<protocol::DeviceHolder> m_holderNames;
};

/// How busy they are together, at the times for which all are known that are known at all.
std::vector<TimedValue> meanOf(const std::vector<const ReadingTrace *> &traces);

}  // namespace sweepscope::ui
