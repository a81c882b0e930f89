#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace sweepscope::launch {

/// Signals for agents that Slurm cannot signal without their ranks: the steps of a job. Its script appends their names
/// ("TERM"), one a line, to a file that all nodes see.
class SignalFile {
public:
    explicit SignalFile(std::filesystem::path file) : m_file(std::move(file)) {}

    /// Returns those that have come since the last call.
    std::vector<int> poll();

private:
    std::filesystem::path m_file;
    std::size_t m_read = 0;
};

}  // namespace sweepscope::launch
