#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/gpulistedit.h"
#include "ui/models/devicereadings.h"

#include <QFrame>

#include <functional>
#include <memory>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace sweepscope::ui {

class DeviceMenu;
class IconLabel;
class SparkAxis;
class Sparkline;

/// The state of a GPU: readings, condition, processes, holders.
class DeviceCard : public QFrame {
    Q_OBJECT

public:
    explicit DeviceCard(QWidget *parent = nullptr);

    void showDevice(const protocol::DeviceStatus &device);
    void showReadings(const std::shared_ptr<const DeviceReadings> &readings);
    /// What the sweep that the window shows says of this GPU.
    void showSweep(const SweepGpus &shown);
    QString deviceId() const { return m_device.id; }
    DeviceMenu *menu() const { return m_menu; }
    /// Moves the keyboard focus to the first control.
    void focusMenu();

Q_SIGNALS:
    void changeRequested(sweepscope::sweep::GpuListChange change);
    void choiceRequested();  ///< of the GPUs that the sweep may use
    /// A click on one of the device's holders.
    void holderClicked(const sweepscope::protocol::DeviceHolder &holder);
    void copied(const QString &text);

private:
    struct Row {
        QLabel *name;
        Sparkline *line;
        QLabel *value;
    };
    Row addRow(const QString &title, const char *name, std::function<QString(double)> valueText);
    void buildHead(QGridLayout *grid);
    void buildMenuButton();
    void showHead();
    void showValues();
    void showRow(const Row &row, const char *quantity, std::optional<double> top, const QString &text);
    void showThrottle(std::optional<double> reasons);
    void showHolders();
    void showProcesses();

    protocol::DeviceStatus m_device;
    std::shared_ptr<const DeviceReadings> m_readings;
    QGridLayout *m_grid;
    QLabel *m_title;
    QLabel *m_name;
    QLabel *m_simulated;
    IconLabel *m_useIcon;
    QLabel *m_use;
    QLabel *m_condition;
    QLabel *m_rule;
    DeviceMenu *m_menu;
    QToolButton *m_menuButton;
    std::vector<Row> m_rows;
    SparkAxis *m_axis;
    IconLabel *m_throttleIcon;
    QLabel *m_throttle;
    QLabel *m_holders;
    QLabel *m_processes;
};

}  // namespace sweepscope::ui
