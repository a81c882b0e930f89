#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/gpulistedit.h"
#include "ui/devices/recentreadings.h"

#include <QFrame>

#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace sweepscope::ui {

class DeviceMenu;
class Sparkline;

/// What a GPU does, how it is, who is on it.
class DeviceCard : public QFrame {
    Q_OBJECT

public:
    explicit DeviceCard(QWidget *parent = nullptr);

    /// `live`: the readings are of now.
    void showDevice(const protocol::DeviceStatus &device, const DeviceReadings &readings, bool live);
    /// What the sweep that the window shows says of this GPU.
    void showSweep(const SweepGpus &shown);
    QString deviceId() const { return m_device.id; }
    DeviceMenu *menu() const { return m_menu; }
    /// The keys go on at the first thing that can be done here.
    void focusMenu();

Q_SIGNALS:
    void changeRequested(sweepscope::sweep::GpuListChange change);
    void choiceRequested();  ///< of all GPUs that the sweep may use
    /// One of the device's holders was clicked.
    void holderClicked(const sweepscope::protocol::DeviceHolder &holder);
    void copied(const QString &text);

private:
    struct Row {
        QLabel *name;
        Sparkline *line;
        QLabel *value;
    };
    Row addRow(const QString &title, const char *name);
    void buildHead(QGridLayout *grid);
    void buildMenuButton();
    void showReadings(const protocol::DeviceStatus &device, const DeviceReadings &readings, bool live);
    void showRow(const Row &row, const ReadingTrace *trace, WallNs end, std::optional<double> top, const QString &text,
                 bool live);
    void showHead(const protocol::DeviceStatus &device);
    void showThrottle(std::optional<double> reasons);
    void showHolders(const protocol::DeviceStatus &device, const QString &lease);
    void showProcesses(const protocol::DeviceStatus &device);

    protocol::DeviceStatus m_device;
    QGridLayout *m_grid;
    QLabel *m_title;
    QLabel *m_name;
    QLabel *m_simulated;
    QLabel *m_useIcon;
    QLabel *m_use;
    QLabel *m_condition;
    QLabel *m_rule;
    DeviceMenu *m_menu;
    QToolButton *m_menuButton;
    std::vector<Row> m_rows;
    QLabel *m_throttleIcon;
    QLabel *m_throttle;
    QLabel *m_holders;
    QLabel *m_processes;
};

}  // namespace sweepscope::ui
