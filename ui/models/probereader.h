#pragma once

#include "diagnosis/batchprobe.h"
#include "protocol/engineclient.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>

namespace sweepscope::ui {

/// The value that a batch-size probe suggests for its parameter.
struct ProbeSuggestion {
    QString parameter;
    double value = 0;

    QString text() const;  ///< "batch size 1024"
    bool operator==(const ProbeSuggestion &) const = default;
};

/// Reads on a thread what a sweep with a [probe] section has measured.
class ProbeReader : public QObject {
    Q_OBJECT

public:
    enum class When { WhileRunning, AfterEnd };
    ProbeReader(protocol::EngineClient *client, When when, QObject *parent = nullptr);

    /// Any sweep, or 0.
    void setSweep(qint64 sweepId);
    qint64 sweepId() const { return m_sweepId; }
    /// nullopt until it has been read, and for a sweep without [probe].
    const std::optional<diagnosis::BatchProbe> &probe() const { return m_probe; }
    std::optional<ProbeSuggestion> suggestion() const;

Q_SIGNALS:
    void changed();

private:
    void readLater(qint64 sweepId);
    void read();
    void setProbe(qint64 sweepId, const diagnosis::BatchProbe &probe);

    protocol::EngineClient *m_client;
    When m_when;
    QTimer m_refresh;  ///< many messages, one reading
    qint64 m_sweepId = 0;
    std::optional<sweep::SweepSpec> m_spec;
    bool m_isReading = false;
    bool m_hasEnded = false;  ///< when it was last read
    std::optional<diagnosis::BatchProbe> m_probe;
};

}  // namespace sweepscope::ui
