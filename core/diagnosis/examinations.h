#pragma once

#include "diagnosis/rule.h"

/// What each rule does; rule.cpp has the table.
namespace sweepscope::diagnosis {

// What ranks report.
Outcome examineStraggler(const AttemptEvidence &evidence);
Outcome examineDataWait(const AttemptEvidence &evidence);
Outcome examineLossSpike(const AttemptEvidence &evidence);
Outcome examineDivergence(const AttemptEvidence &evidence);
Outcome examineNotFinite(const AttemptEvidence &evidence);
Outcome examineReplicas(const AttemptEvidence &evidence);
Outcome examineHang(const AttemptEvidence &evidence);
Outcome examineSameSamples(const AttemptEvidence &evidence);
Outcome examineSameOrder(const AttemptEvidence &evidence);
Outcome examineScript(const AttemptEvidence &evidence);
Outcome examineUnreported(const AttemptEvidence &evidence);

// What GPUs show.
Outcome examineThermalThrottle(const AttemptEvidence &evidence);
Outcome examinePowerBrake(const AttemptEvidence &evidence);
Outcome examineClockMismatch(const AttemptEvidence &evidence);
Outcome examineLowUtilization(const AttemptEvidence &evidence);
Outcome examineHollowGpu(const AttemptEvidence &evidence);
Outcome examineMemoryLimit(const AttemptEvidence &evidence);
Outcome examinePcieLink(const AttemptEvidence &evidence);
Outcome examineSlowLink(const AttemptEvidence &evidence);
Outcome examineForeignProcess(const AttemptEvidence &evidence);

// What watching costs.
Outcome examineMonitorCost(const AttemptEvidence &evidence);

}  // namespace sweepscope::diagnosis
