#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The behaviour of the fake driver, from the JSON file that FAKE_NVML_SCRIPT names (see README.md); read at nvmlInit.
namespace fakenvml {

constexpr int success = 0, uninitialized = 1, invalidArgument = 2, notSupported = 3, noPermission = 4, notFound = 6,
              insufficientSize = 7, timedOut = 10, gpuIsLost = 15, versionMismatch = 25;

/// A number, or a sequence over time or over calls.
class Curve {
public:
    Curve(std::vector<double> values, int everyMs) : m_values(std::move(values)), m_everyMs(everyMs) {}
    double next() const;

private:
    std::vector<double> m_values;
    int m_everyMs;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    mutable std::atomic<std::size_t> m_calls{0};  ///< relaxed: only a count
};

/// Accumulated traffic over links, by quantity.
class Counters {
public:
    /// Adds the time since the last call at this speed per second.
    double rise(const std::string &quantity, double speed) const;

private:
    struct Count {
        double total = 0;
        std::chrono::steady_clock::time_point at = std::chrono::steady_clock::now();
    };
    mutable std::mutex m_mutex;
    mutable std::map<std::string, Count> m_counts;
};

struct Process {
    unsigned pid = 0;
    std::uint64_t memory = 0;
    unsigned instance = 0;
};

struct Gpu {
    std::string uuid, name, bus;
    int open = success;
    bool isMig = false;
    unsigned instance = 0;
    std::uint64_t memory = 0;
    std::map<std::string, std::unique_ptr<Curve>> curves;
    std::map<std::string, int> errors;          ///< symbol -> code
    std::map<std::string, std::string> hangs;   ///< symbol -> the file that makes it hang while it exists
    std::map<std::string, std::string> delays;  ///< symbol -> milliseconds
    std::map<std::string, int> burns;           ///< symbol -> milliseconds of a core
    std::string lostWhile;                      ///< a file
    std::map<std::string, double> heldWhile;    ///< a file -> bytes of memory in use while it exists
    std::vector<int> nvlinks;
    std::vector<std::string> nvlinkPeers;  ///< by link: a UUID, or "switch"
    std::optional<std::vector<int>> cpus;
    std::vector<Process> processes;
    std::string processesFrom;                    ///< a folder
    std::vector<std::unique_ptr<Gpu>> instances;  ///< null: a gap
    bool split = false;
    Counters counters;
    std::vector<std::uint64_t> xids;
    mutable std::atomic<std::size_t> xidsTaken{0};  ///< relaxed: only a count

    std::optional<double> value(const std::string &quantity) const;
    /// Those that live, of `processesFrom`.
    std::vector<Process> livingProcesses() const;
};

struct Script {
    int init = success;
    std::string initHangs;
    int countCode = success;
    std::string driver = "999.1";
    std::size_t processBytes = 24;
    bool clearsBuffer = false;
    std::vector<std::unique_ptr<Gpu>> gpus;
    std::map<std::string, int> errors;
    std::map<std::pair<std::string, std::string>, int> ancestors;  ///< by two UUIDs, in either order
};

/// Returns null before nvmlInit.
const Script *script();
void readScript();

/// Called first by every function. Returns the error code to answer with, or nullopt if the function should work.
std::optional<int> enter(const char *symbol, const Gpu *gpu);
const Gpu *gpuOf(const void *device);

}  // namespace fakenvml
