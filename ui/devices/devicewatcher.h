#pragma once

#include "ui/models/devicereadings.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <filesystem>
#include <memory>

namespace sweepscope::ui {

/// Reads the devices feed on a separate thread, once a second while active.
class DeviceWatcher : public QObject {
    Q_OBJECT

public:
    explicit DeviceWatcher(QObject *parent = nullptr);
    ~DeviceWatcher() override;

    /// Forgets the readings of another file.
    void setFile(const std::filesystem::path &file);
    /// How far the clock with which the readings were taken is ahead of ours.
    void setClockOffset(WallNs offset);
    void setActive(bool active);
    /// The last ones; empty before the first.
    std::shared_ptr<const DeviceReadings> readings() const { return m_readings; }

Q_SIGNALS:
    void readingsReady(const std::shared_ptr<const sweepscope::ui::DeviceReadings> &readings);

private:
    class Reader;
    void tick();

    QThread m_thread;
    Reader *m_reader;  // lives in m_thread, deleted when the thread ends
    QTimer m_timer;
    std::filesystem::path m_file;
    WallNs m_clockOffset = 0;
    std::shared_ptr<const DeviceReadings> m_readings;
    quint64 m_generation = 0;
    bool m_requested = false;
};

}  // namespace sweepscope::ui
