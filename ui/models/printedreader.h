#pragma once

#include "sweep/records.h"

#include <QObject>
#include <QStringList>

#include <chrono>
#include <optional>
#include <string>
#include <tuple>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class NewestJob;

/// Looks for metrics in output that is not read, or was read for other ones: in the log of the newest trial, unless the
/// last one that ended has reported something.
class PrintedReader : public QObject {
    Q_OBJECT

public:
    explicit PrintedReader(const protocol::EngineClient *client, QObject *parent = nullptr);
    ~PrintedReader() override;

    /// Any sweep, or 0. Call it again now and then.
    void setSweep(qint64 sweepId);
    const QStringList &metrics() const { return m_metrics; }

Q_SIGNALS:
    void changed();

private:
    /// Whether the sweep runs a command whose output is not read.
    bool isUnread(const sweep::SweepRecord &sweep);
    void show(const QStringList &metrics);

    const protocol::EngineClient *m_client;
    NewestJob *m_job;
    qint64 m_sweepId = 0;
    std::string m_toml;
    bool m_isUnread = false;
    bool m_mayMismatch = false;           ///< its output is read, but perhaps for other metrics than those printed
    std::tuple<int, int, bool> m_read{};  ///< trial, attempt, and whether it had ended
    std::chrono::steady_clock::time_point m_next{};
    QStringList m_metrics;
};

}  // namespace sweepscope::ui
