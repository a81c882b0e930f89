#pragma once

#include "base/error.h"
#include "sweep/trialmark.h"

#include <QCborMap>

/// What a person writes beside trials as CBOR and back. What is decoded is untrusted.
namespace sweepscope::protocol {

QCborMap toCbor(const sweep::TrialMark &mark);
/// Checked as if it were new: an engine keeps nothing that is not so.
Expected<sweep::TrialMark> markFromCbor(const QCborValue &untrusted);

QCborMap toCbor(const sweep::MarkChange &change);
/// Whether its tags and note can be kept is for who carries it out to say.
Expected<sweep::MarkChange> markChangeFromCbor(const QCborValue &untrusted);

}  // namespace sweepscope::protocol
