#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::data {

struct MnistPart {
    std::filesystem::path images;
    std::filesystem::path labels;
};

/// train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte of one folder,
/// each plain or with .gz.
struct MnistFiles {
    MnistPart train;
    MnistPart test;
};

/// NotFound names all that are missing.
Expected<MnistFiles> findMnist(const std::filesystem::path &folder);

/// As many labels as images, and images of at least 4 x 4 pixels.
Expected<void> checkMnistShapes(const MnistPart &part, const std::vector<std::int64_t> &images,
                                const std::vector<std::int64_t> &labels);

/// What is wrong with the four files, as far as names, headers and sizes tell: sentences; empty = nothing. Cheap enough
/// for a form that checks while a person types.
std::vector<std::string> mnistProblems(const std::filesystem::path &folder);

}  // namespace sweepscope::data
