#pragma once

#include "node/frames.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What an engine and the node process of another machine say to each other. Paths are relative to the folder that the
/// node process serves, which has the layout of a workspace. Each `job` is answered by Done or Failed.
namespace sweepscope::node {

/// The file system of the folder that the node process serves.
struct Disk {
    std::int64_t free = 0;   ///< bytes
    std::int64_t total = 0;  ///< bytes; 0 = unknown
};

/// From the node process, first: where it runs.
struct Welcome {
    std::string version;       ///< of Sweepscope
    std::string host;          ///< as the machine calls itself
    std::string architecture;  ///< "x86_64"
    std::string boot;          ///< changes when the machine restarts
    std::string folder;        ///< that it serves, absolute
    std::int64_t user = 0;
    std::int64_t pid = 0;
    std::int64_t cpus = 0;
    std::int64_t memory = 0;  ///< bytes; 0 = unknown
    Disk disk{};
    std::string address;  ///< at which ssh reached it; empty: unknown, like the following
    std::string engine;   ///< address from which ssh came
};

/// From the engine every two seconds. A node process that hears nothing for 15 seconds ends.
struct Ping {
    std::int64_t sent = 0;  ///< by the engine's clock, in ns
};
struct Pong {
    std::int64_t sent = 0;
    std::int64_t received = 0;  ///< these two by the machine's clock, in ns
    std::int64_t answered = 0;
    Disk disk{};
};

/// A process of the machine, as launch::ProcessIdentity.
struct Process {
    std::int64_t pid = 0;
    std::int64_t began = 0;

    bool operator==(const Process &) const = default;
};

/// GPUs and CPUs that a trial takes, for other engines of the machine. See schedule/gpuleases.h.
struct Taken {
    std::string sweep;
    std::int64_t trial = 0;
    std::vector<std::string> gpus;
    std::vector<std::string> shared;  ///< those of `gpus` that other trials of this engine have, too
    std::vector<std::int64_t> slots;
    std::vector<std::vector<int>> cpus;
};

/// Starts the agent of an attempt, or finds it if it was started and the answer was lost with the connection. Done has
/// its process.
struct Start {
    std::int64_t job = 0;
    std::string folder;
    std::string attempt;                       ///< its id
    std::map<std::string, std::string> files;  ///< by name, with launch.json: written before the agent starts
    Taken taken;
    bool byJob =
        false;  ///< a job of Slurm will run the agent: only files are written, and Done has the program as text
};

struct Signal {
    std::int64_t job = 0;
    Process process;
    std::int64_t signal = 0;
};

/// Clean up after an agent that was killed. Done says what could not be done.
struct Recover {
    std::int64_t job = 0;
    std::string folder;
    std::string attempt;
    std::int64_t ranks = 0;
    Process agent;
};

/// Keep the agent of an attempt from starting. Done names its process if it had started before; of an attempt that a job
/// runs, the job is the text.
struct Withdraw {
    std::int64_t job = 0;
    std::string folder;
    std::string attempt;
    bool byJob = false;
};

/// Write the payload to a file of an attempt.
struct Write {
    std::int64_t job = 0;
    std::string path;
};

/// Listen on a free TCP port for a minute. Done has its number as text.
struct Listen {
    std::int64_t job = 0;
};
/// Connect to a port of another machine, and nothing more. Failed says from where and why not.
struct Dial {
    std::int64_t job = 0;
    std::string address;
    std::int64_t port = 0;
};

struct Done {
    std::int64_t job = 0;
    Process process;
    std::string text;
};
struct Failed {
    std::int64_t job = 0;
    std::string message;
    std::string fact;  ///< facts::toJson, if there is one
};

/// What the engine has of a file.
struct Held {
    std::int64_t size = 0;  ///< less than 0: it has to be sent again
    std::string tail;       ///< its last bytes, in hexadecimal
};

/// Send the files of an attempt from where the engine has them, and whatever is appended. Chunks use up credit. Of a
/// folder that is followed, only the agent changes.
struct Follow {
    std::string folder;
    std::map<std::string, Held> held;  ///< by name
    std::optional<Process> agent;      ///< reported by Life
    bool thin = false;                 ///< for long feeds, a thinned copy first, then appended data
};
struct Unfollow {
    std::string folder;
};
/// Send these files first, because a window shows them.
struct Prefer {
    std::vector<std::string> paths;
};
struct Credit {
    std::int64_t bytes = 0;  ///< in addition
};

/// The payload lies at `offset` of the file, which has `size` bytes now.
struct Chunk {
    std::string path;
    std::int64_t offset = 0;
    std::int64_t size = 0;
    bool replaces = false;  ///< the engine's data belongs to an earlier file with this name; this starts a new one
    /// Other than 0: the payload is part of a thinned copy (series::ThinLog) of the first `thins` bytes of the file; `offset` and
    /// `size` refer to that copy.
    std::int64_t thins = 0;
};
/// The file was removed.
struct Gone {
    std::string path;
};

/// The agent of a followed attempt. Its end is reported after everything that events.jsonl and the feed of rank 0 had by
/// then.
struct Life {
    std::string folder;
    bool runs = false;
    bool past = false;  ///< launch::AgentLife::isPastItsRanks
    bool stopped = false;
    std::int64_t activity = 0;  ///< launch::readAgentActivity(); 0 = unknown

    bool operator==(const Life &) const = default;
};

/// The agent of a followed attempt has ended, and all of its files were sent.
struct Level {
    std::string folder;
};

/// Read the devices once a second and write hosts/localhost/devices.feed, or stop it.
struct Sample {
    bool on = false;
};

/// A device of the machine: see device::Device.
struct MachineDevice {
    std::string id;
    std::string kind;  ///< "gpu" or "cpu"
    std::int64_t index = 0;
    std::string name;
    std::int64_t memory = 0;
    bool simulated = false;
    std::string bus;
    std::string parent;
    bool offered = true;
    std::vector<int> cpus;  ///< near a GPU

    bool operator==(const MachineDevice &) const = default;
};
/// Of two GPUs.
struct MachineLink {
    std::string a;
    std::string b;
    std::string path;  ///< device::shortName()

    bool operator==(const MachineLink &) const = default;
};
struct Machine {
    std::vector<MachineDevice> devices;
    std::vector<MachineLink> links;
    std::string note;                             ///< why there are none, or what is wrong with all of them
    std::map<std::string, std::string> unusable;  ///< by device: a fact
    std::map<std::string, std::string> leases;    ///< by GPU: a fact, of all engines

    bool operator==(const Machine &) const = default;
};

using Message = std::variant<Welcome, Ping, Pong, Start, Signal, Recover, Withdraw, Write, Listen, Dial, Done, Failed,
                             Follow, Unfollow, Prefer, Credit, Chunk, Gone, Life, Level, Sample, Machine>;

/// A message with its payload.
struct Parcel {
    Message message;
    std::string payload{};
};

std::string bytesOf(const Parcel &parcel);
/// Corrupt: an unknown message, or a field of another type.
Expected<Parcel> parcelIn(Frame &&untrusted);

}  // namespace sweepscope::node
