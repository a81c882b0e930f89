#pragma once

#include "launch/energyfile.h"
#include "protocol/engineclient.h"

#include <QObject>
#include <QTimer>

namespace sweepscope::ui {

/// Reads on a thread what the attempts of a sweep have consumed.
class EnergyReader : public QObject {
    Q_OBJECT

public:
    explicit EnergyReader(protocol::EngineClient *client, QObject *parent = nullptr);

    /// Any sweep, or 0.
    void setSweep(qint64 sweepId);
    /// Empty until it has been read.
    const launch::SweepEnergy &energy() const { return m_energy; }

Q_SIGNALS:
    void changed();

private:
    void readLater(qint64 sweepId);
    void read();
    void setEnergy(qint64 sweepId, const launch::SweepEnergy &energy);

    protocol::EngineClient *m_client;
    QTimer m_refresh;  ///< many messages, one reading
    QTimer m_again;    ///< the engine writes the energy a moment after the end of an attempt
    qint64 m_sweepId = 0;
    bool m_isReading = false;
    launch::SweepEnergy m_energy;
};

}  // namespace sweepscope::ui
