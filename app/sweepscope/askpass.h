#pragma once

namespace sweepscope {

/// Whether ssh has started this program to ask a person (SSH_ASKPASS).
bool isAskpass();

/// Shows ssh's question, and prints the answer. Returns the exit code: 1 if the person cancels.
int answerSsh(int argc, char **argv);

}  // namespace sweepscope
