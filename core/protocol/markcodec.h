#pragma once

#include "base/error.h"
#include "sweep/mark.h"

#include <QCborMap>

/// Encodes and decodes trial marks as CBOR. Decoded input is untrusted.
namespace sweepscope::protocol {

QCborMap toCbor(const sweep::Mark &mark);
/// Validated like a new mark: an engine stores no invalid one.
Expected<sweep::Mark> markFromCbor(const QCborValue &untrusted);

QCborMap toCbor(const sweep::MarkChange &change);
/// Does not check whether the tags and note are acceptable: the engine does so when it applies the change.
Expected<sweep::MarkChange> markChangeFromCbor(const QCborValue &untrusted);

}  // namespace sweepscope::protocol
