#pragma once

#include "base/error.h"
#include "sweep/metricvalue.h"

#include <QCborArray>
#include <QCborValue>

#include <vector>

/// Encodes and decodes a trial's metrics as CBOR, for the protocol and the database. Decoded input is untrusted.
namespace sweepscope::protocol {

/// [name, last, step, min, max, name, last, …]
QCborArray toCbor(const std::vector<sweep::MetricValue> &metrics);
Expected<std::vector<sweep::MetricValue>> metricsFromCbor(const QCborValue &untrusted);

}  // namespace sweepscope::protocol
