#pragma once

#include "base/error.h"
#include "sweep/problem.h"
#include "sweep/records.h"

#include <QCborArray>
#include <QCborMap>

/// Encodes and decodes the records of core/sweep as CBOR, for the protocol and for parameters in the database, because
/// CBOR distinguishes 1 from 1.0 and keeps NaN. Decoded input is untrusted: ranges and types are checked.
namespace sweepscope::protocol {

/// [name, value, name, value, …]
QCborArray toCbor(const sweep::ParameterSet &parameters);
Expected<sweep::ParameterSet> parametersFromCbor(const QCborValue &untrusted);

QCborMap toCbor(const sweep::TrialRecord &trial);
Expected<sweep::TrialRecord> trialFromCbor(const QCborValue &untrusted);

QCborMap toCbor(const sweep::SweepRecord &sweep);
Expected<sweep::SweepRecord> sweepFromCbor(const QCborValue &untrusted);

QCborMap toCbor(const sweep::Control &control);
Expected<sweep::Control> controlFromCbor(const QCborValue &untrusted);

QCborMap toCbor(const sweep::Problem &problem);
Expected<sweep::Problem> problemFromCbor(const QCborValue &untrusted);

}  // namespace sweepscope::protocol
