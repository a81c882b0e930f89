#pragma once

#include "enginepatience.h"

#include "protocol/engineclient.h"

#include <QObject>

#include <ostream>
#include <set>

namespace sweepscope::ctl {

/// Waits for one sweep and prints a line for each trial as it ends.
class SweepWatch : public QObject {
    Q_OBJECT

public:
    SweepWatch(protocol::EngineClient &client, std::int64_t sweepId, int concurrent, std::ostream &out);

    /// Prints earlier results, too.
    void begin();

Q_SIGNALS:
    void ended();
    /// The connection was lost and could not be restored.
    void gaveUp(const QString &reason);

private:
    void reportTrials(int firstNumber, int lastNumber);
    void reportEnd(const sweep::TrialRecord &trial);
    void print(const sweep::TrialRecord &trial);
    std::string timeLeft();
    void reportSweep();
    void printWarnings();
    void checkEnd();

    protocol::EngineClient &m_client;
    std::int64_t m_sweepId;
    int m_concurrent;
    std::ostream &m_out;
    facts::Facts m_warnings;  ///< printed and still valid
    std::set<int> m_seen;     ///< numbers of the trials that have ended
    int m_notStarted = 0;
    bool m_hasEnded = false;
    EnginePatience m_patience;
    WallNs m_estimatedAt = 0;
    std::optional<double> m_secondsLeft;
};

}  // namespace sweepscope::ctl
