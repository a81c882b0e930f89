#pragma once

#include "launch/energyfile.h"
#include "protocol/engineclient.h"
#include "sweep/costfactors.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace sweepscope::ui {

/// Reads on a thread what the attempts of a sweep have consumed, and the factors of its cost.
class EnergyReader : public QObject {
    Q_OBJECT

public:
    explicit EnergyReader(protocol::EngineClient *client, QObject *parent = nullptr);

    /// Any sweep, or 0.
    void setSweep(qint64 sweepId);
    /// Empty until it has been read.
    const launch::SweepEnergy &energy() const { return m_energy; }
    /// None if the user's file cannot be read.
    const sweep::CostFactors &factors() const { return m_factors; }

Q_SIGNALS:
    void changed();

private:
    void readLater(qint64 sweepId);
    void read();
    void setEnergy(qint64 sweepId, const launch::SweepEnergy &energy, const sweep::CostFactors &factors);

    protocol::EngineClient *m_client;
    QTimer m_refresh;  ///< many messages, one reading
    QTimer m_again;    ///< the engine writes the energy a moment after the end of an attempt
    qint64 m_sweepId = 0;
    bool m_isReading = false;
    launch::SweepEnergy m_energy;
    sweep::CostFactors m_factors;
    QFileSystemWatcher m_watcher;  ///< of the folder of the factors
};

}  // namespace sweepscope::ui
