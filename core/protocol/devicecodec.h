#pragma once

#include "base/error.h"
#include "protocol/devicestatus.h"

#include <QCborMap>

/// Encodes and decodes the engine's view of a device as CBOR. Decoded input is untrusted.
namespace sweepscope::protocol {

QCborMap toCbor(const DeviceStatus &device);
Expected<DeviceStatus> deviceFromCbor(const QCborValue &untrusted);

}  // namespace sweepscope::protocol
