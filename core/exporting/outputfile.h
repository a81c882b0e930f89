#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "base/files.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>

namespace sweepscope::exporting {

/// Writes a file completely or not at all: under a temporary name next to it, which commit() renames. Without commit(),
/// nothing remains. A target that is not a regular file (a pipe), and "-" for standard output, are written directly.
class OutputFile {
public:
    /// Errors name the file, and say so when its folder is not there or may not be written.
    static Expected<OutputFile> create(const std::filesystem::path &file);
    OutputFile(OutputFile &&) noexcept;
    OutputFile &operator=(OutputFile &&) = delete;
    ~OutputFile();

    std::ostream &stream();
    /// Flush, sync (if it must survive a loss of power), rename. Any write that failed before (a full disk) is the error.
    Expected<void> commit(Survives survives = Survives::PowerLoss);

private:
    class Buffer;
    struct State;
    explicit OutputFile(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Syncs the file system of a folder, for many files that were committed without a sync of their own.
Expected<void> syncFiles(const std::filesystem::path &folder);

/// The end of an export of feeds: reports that all is done. An error (Corrupt) if `target` was written, but some feeds
/// could not be read to their end: `damage` says which, empty for none.
Expected<void> completed(const std::filesystem::path &target, const std::string &damage,
                         const std::function<bool(double)> &progress);
/// The same for one file, which it commits first.
Expected<void> finish(OutputFile &output, const std::filesystem::path &file, const std::string &damage,
                      const std::function<bool(double)> &progress);

}  // namespace sweepscope::exporting
