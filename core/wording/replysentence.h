#pragma once

#include "facts/fact.h"

#include <string>

/// Replies to commands about marks and sweeps.
namespace sweepscope::wording {

/// "starred 3 trials", "tagged digits-mlp with cifar; changed the note of digits-mlp": what the causes of a Marked fact
/// did to `what`.
std::string markReply(const facts::Fact &fact, const std::string &what);

/// "sweep.objective changed from loss to val_loss"; of the name "renamed digits to mnist".
std::string keyChange(const facts::Fact &fact);

/// The same for an edit that was only tried.
std::string conditionalKeyChange(const facts::Fact &fact);

}  // namespace sweepscope::wording
