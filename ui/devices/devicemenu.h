#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/gpulistedit.h"

#include <QMenu>

class QLabel;
class QWidgetAction;

namespace sweepscope::ui {

/// The actions for a GPU: exclude it from the selected sweep, pin it for the sweep, copy its name.
class DeviceMenu : public QMenu {
    Q_OBJECT

public:
    explicit DeviceMenu(QWidget *parent = nullptr);

    void showDevice(const protocol::DeviceStatus &device) { m_device = device; }
    /// Sets how the selected sweep may use this GPU, and which of that can be changed.
    void showSweep(const SweepGpus &shown);

Q_SIGNALS:
    void changeRequested(sweepscope::sweep::GpuListChange change);
    void choiceRequested();  ///< of the GPUs that the sweep may use
    void copied(const QString &text);

private:
    QAction *addChange(const char *name, const sweep::GpuListChange *change);
    void addCopy(const QString &text, const char *name, QString (*line)(const protocol::DeviceStatus &));

    protocol::DeviceStatus m_device;
    QLabel *m_whyLabel;
    QWidgetAction *m_why;  ///< why the sweep's lists cannot be changed
    QAction *m_exclude;
    QAction *m_pin;
    QAction *m_choose;
    sweep::GpuListChange m_excludeChange = sweep::GpuListChange::Exclude;  ///< what the action does at the moment
    sweep::GpuListChange m_pinChange = sweep::GpuListChange::Pin;
};

}  // namespace sweepscope::ui
