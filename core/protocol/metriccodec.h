#pragma once

#include "base/error.h"
#include "sweep/metricvalue.h"

#include <QCborArray>
#include <QCborValue>

#include <vector>

/// Metrics of a trial as CBOR and back, for the protocol and the database. What is decoded is untrusted.
namespace sweepscope::protocol {

/// [name, last, step, lowest, highest, name, last, …]
QCborArray toCbor(const std::vector<sweep::MetricValue> &metrics);
Expected<std::vector<sweep::MetricValue>> metricsFromCbor(const QCborValue &untrusted);

}  // namespace sweepscope::protocol
