#pragma once

#include "base/error.h"
#include "protocol/devicestatus.h"

#include <QCborMap>

/// A device as the engine sees it as CBOR and back. What is decoded is untrusted.
namespace sweepscope::protocol {

QCborMap toCbor(const DeviceStatus &device);
Expected<DeviceStatus> deviceFromCbor(const QCborValue &untrusted);

}  // namespace sweepscope::protocol
