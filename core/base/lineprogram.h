#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope {

/// A child process that exchanges lines over its standard input and output. It leads its own process group, which the
/// destructor kills. The kernel kills it if this process, or the thread that started it, dies first.
class LineProgram {
public:
    struct Wanted {
        std::vector<std::string> command;                  ///< argv; the program is found on PATH
        std::filesystem::path folder;                      ///< to run in
        std::map<std::string, std::string> environment{};  ///< in addition to this process's
    };

    static Expected<LineProgram> start(const Wanted &wanted);
    ~LineProgram();
    LineProgram(LineProgram &&other) noexcept;
    LineProgram &operator=(LineProgram &&) = delete;

    /// Both fail if the program has ended, does not go on for `limit`, or `cancelled` becomes true. The error names how it
    /// ended and its last line on standard error.
    Expected<void> write(const std::string &line, std::chrono::milliseconds limit, const std::atomic<bool> &cancelled);
    Expected<std::string> read(std::chrono::milliseconds limit, const std::atomic<bool> &cancelled);

    /// Whether it has written something that was not read.
    bool hasOutput() const;
    /// Its last line on standard error so far; empty if there is none.
    std::string lastWords();

private:
    LineProgram() = default;
    /// Waits until `file` is ready, and takes what comes on standard error meanwhile.
    Expected<void> wait(int file, short events, std::chrono::steady_clock::time_point until,
                        const std::atomic<bool> &cancelled);
    void readErrors();
    Error ended();

    pid_t m_pid = 0;
    FileDescriptor m_input;
    FileDescriptor m_output;
    FileDescriptor m_errors;
    std::string m_unread;      ///< of its output
    std::string m_lastErrors;  ///< its last bytes on standard error
};

}  // namespace sweepscope
