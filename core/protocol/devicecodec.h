#pragma once

#include "base/error.h"
#include "protocol/devicestatus.h"
#include "protocol/machinestatus.h"

#include <QCborMap>

/// Encodes and decodes the engine's view of devices and machines as CBOR. Decoded input is untrusted.
namespace sweepscope::protocol {

QCborMap toCbor(const DeviceStatus &device);
Expected<DeviceStatus> deviceFromCbor(const QCborValue &untrusted);

QCborMap toCbor(const MachineStatus &machine);
Expected<MachineStatus> machineFromCbor(const QCborValue &untrusted);

}  // namespace sweepscope::protocol
