#pragma once

#include "ui/devices/recentreadings.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <memory>

namespace sweepscope::ui {

/// Reads the devices feed on a thread of its own, once a second while somebody looks, and now and then the leases.
class DeviceWatcher : public QObject {
    Q_OBJECT

public:
    explicit DeviceWatcher(QObject *parent = nullptr);
    ~DeviceWatcher() override;

    void setFile(const std::filesystem::path &file);
    /// The leases of these are looked at too.
    void setGpus(const std::vector<std::string> &gpus) { m_gpus = gpus; }
    void setActive(bool active);

Q_SIGNALS:
    void readingsReady(const std::shared_ptr<const sweepscope::ui::DeviceReadings> &readings);

private:
    class Reader;
    void tick();

    QThread m_thread;
    Reader *m_reader;  // lives in m_thread, deleted when it ends
    QTimer m_timer;
    std::filesystem::path m_file;
    std::vector<std::string> m_gpus;
    quint64 m_generation = 0;
    bool m_asked = false;
};

}  // namespace sweepscope::ui
