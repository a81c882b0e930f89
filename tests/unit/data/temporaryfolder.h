#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope {

/// A folder of this test only, removed with its content at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    const std::filesystem::path &path() const { return m_path; }
    std::filesystem::path write(const std::string &name, const std::vector<std::uint8_t> &bytes) const;
    std::filesystem::path writeText(const std::string &name, const std::string &text) const;
    /// Writes a gzipped file; with `keepBytes` > 0 keeps only that part of the compressed file, like a broken download.
    std::filesystem::path writeGzipped(const std::string &name, const std::vector<std::uint8_t> &bytes,
                                       std::uint64_t keepBytes = 0) const;

private:
    std::filesystem::path m_path;
};

}  // namespace sweepscope
