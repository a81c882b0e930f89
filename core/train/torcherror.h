#pragma once

#include <exception>
#include <string>

namespace sweepscope::train {

bool isOutOfMemory(const std::exception &error);

/// What LibTorch says, in one line: without its stack trace, and of TorchScript the innermost error with its place in
/// the source.
std::string torchSentence(const std::string &text);

/// The same of an exception; adds what helps if memory ran out.
std::string sentenceOf(const std::exception &error);

/// All that there is about an exception, for the error file.
std::string stackOf(const std::exception &error);

}  // namespace sweepscope::train
