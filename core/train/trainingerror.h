#pragma once

#include <stdexcept>

namespace sweepscope::train {

/// Training cannot go on; the sentence says why and at which step.
class TrainingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A training error due to invalid input, such as a model file that cannot be trained.
class InputError : public TrainingError {
public:
    using TrainingError::TrainingError;
};

}  // namespace sweepscope::train
