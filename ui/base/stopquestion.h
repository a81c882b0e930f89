#pragma once

#include <QtGlobal>

class QWidget;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::sweep {
struct SweepRecord;
}

namespace sweepscope::ui {

/// Also one whose running trials were to finish: a person may have enough of waiting for them.
bool mayBeStopped(const sweep::SweepRecord &sweep);
/// Why a sweep cannot be stopped, or its trials; empty: they can.
QString whyNotStopped(const sweep::SweepRecord &sweep, bool readOnly);

/// Stops the sweep; asks first while trials of it run, because what they have not finished is lost.
void askToStop(protocol::EngineClient *client, qint64 sweepId, QWidget *parent);

}  // namespace sweepscope::ui
