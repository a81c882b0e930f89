#pragma once

#include <QList>

class QWidget;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::sweep {
struct SweepRecord;
}

namespace sweepscope::ui {

/// True also for a sweep whose running trials were to finish: the user may not want to wait for them.
bool mayBeStopped(const sweep::SweepRecord &sweep);
/// Why the sweep or its trials cannot be stopped; empty if they can.
QString whyNotStopped(const sweep::SweepRecord &sweep, bool readOnly);

/// Stops those of the sweeps that may be stopped. Asks first while trials run, because their unfinished work is lost.
void askToStop(protocol::EngineClient *client, const QList<qint64> &sweeps, QWidget *parent);

}  // namespace sweepscope::ui
