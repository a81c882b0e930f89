#pragma once

#include <string>

namespace sweepscope::train {

/// Leaves this rank's error in the file that TORCHELASTIC_ERROR_FILE names (torchrun's and the agent's convention), as
/// torch.distributed.elastic does: {"message": {"message": …, "extraInfo": {"py_callstack": …, "timestamp": …}}}. The
/// first error of a rank stays: what fails after it is its consequence.
void writeErrorFile(const std::string &message, const std::string &stack);

}  // namespace sweepscope::train
