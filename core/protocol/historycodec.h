#pragma once

#include "base/error.h"
#include "sweep/trialhistory.h"

#include <QCborMap>

/// Encodes and decodes a trial's history as CBOR. Decoded input is untrusted: ranges and types are checked.
namespace sweepscope::protocol {

QCborMap toCbor(const sweep::HistoryEntry &entry);
Expected<sweep::HistoryEntry> historyEntryFromCbor(const QCborValue &untrusted);

QCborMap toCbor(const sweep::AttemptRecord &attempt);
Expected<sweep::AttemptRecord> attemptFromCbor(const QCborValue &untrusted);

}  // namespace sweepscope::protocol
