#pragma once

#include "base/error.h"
#include "protocol/devicestatus.h"
#include "protocol/machinestatus.h"
#include "sweep/problem.h"
#include "sweep/records.h"
#include "sweep/trialhistory.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// The messages between an engine and its clients. docs/protocol.md describes them in prose, with their order. Each
/// message is one CBOR map with its kind under "type", sent in one frame (framereader.h).
namespace sweepscope::protocol {

/// Incremented if an older peer would misunderstand; a new optional field needs no new version.
inline constexpr int version = 6;

/// Maximum number of records in one Trials message; a receiver refuses more.
inline constexpr std::size_t maxTrialsPerMessage = 512;

/// From both: the first message of each side.
struct Hello {
    int version = protocol::version;
    QString program;  ///< "sweepctl", "sweepscope": for the engine's log
    qint64 pid = 0;
    QString workspace;           ///< from the engine: canonical path
    bool trials = true;          ///< from a client: whether it wants trials too
    bool watch = false;          ///< from an engine: whether it supports `watch`
    bool ping = false;           ///< from an engine: whether it supports `ping`
    bool mirror = false;         ///< from an engine: its files are on another machine, and come when they are looked at
    QString home{};              ///< from a mirror: the user's folder there
    std::uint64_t client = 0;    ///< from a client: a random number that it keeps when it connects again
    std::uint64_t instance = 0;  ///< from an engine that remembers its answers: a random number of this process
};

/// From the engine: it refuses the connection, and why. It then closes the connection.
struct Refusal {
    QString message;
    QString notInstalledOn{};  ///< from a mirror: the address of a machine that has no Sweepscope
};

/// From a client: start this sweep.
struct LaunchRequest {
    std::uint64_t job = 0;
    QString toml;
    QString baseFolder;
};

/// From a client: control a sweep or some of its trials.
struct ControlRequest {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    sweep::Control control;
};

/// From a client: a new definition of the sweep, or the one before its last edit (`undo`).
struct EditRequest {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    QString toml;  ///< empty with `undo`
    bool undo = false;
    bool dryRun = false;  ///< only report what would change
};

/// From a client: add one trial at this point: strings by parameter.
struct EnqueueRequest {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    std::map<std::string, std::string> point;
};

/// From a client: add trials that continue the checkpoints of these: strings by parameter or setting.
struct ContinueRequest {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    std::vector<int> trials;
    std::map<std::string, std::string> changes;
};

/// From a client: add a sweep that has the finished trials of these.
struct JoinRequest {
    std::uint64_t job = 0;
    std::vector<std::int64_t> sweepIds;  ///< each once
    QString name;                        ///< empty: made of theirs
    QString objective;                   ///< empty: the one that they share
};

/// From a client: add the sweep that it has stored in this folder (engine/studyimport.h).
struct ImportRequest {
    std::uint64_t job = 0;
    QString folder;
};

/// From a client: send this trial's history.
struct HistoryRequest {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    int trial = 0;
};
/// From the engine: the history.
struct HistoryAnswer {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    int trial = 0;
    sweep::TrialHistory history;
};

/// From a client: whether to read devices although no sweep runs. Not answered.
struct WatchRequest {
    bool devices = false;
};

/// From a client of a mirror: it shows the files of these attempts. Not answered.
struct LookRequest {
    struct Attempt {
        std::int64_t sweepId = 0;
        int trial = 0;
        int attempt = 0;
        bool whole = false;  ///< all points of long curves, too

        bool operator==(const Attempt &) const = default;
        auto operator<=>(const Attempt &) const = default;
    };
    std::vector<Attempt> attempts;
};
/// From a mirror: files of this trial have arrived or changed.
struct FilesArrived {
    std::int64_t sweepId = 0;
    int trial = 0;
};

/// From a client: a ping. From the engine: the immediate answer.
struct Ping {};
struct Pong {};

/// From the engine: the answer to a launch or a join.
struct Launched {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
};
/// From the engine: the definition of a launch or an edit, or a join, was refused.
struct DefinitionRefused {
    std::uint64_t job = 0;
    std::vector<sweep::Problem> problems;
};

/// From the engine: any other request was carried out, or was not.
struct Done {
    std::uint64_t job = 0;
    facts::Facts reply;  ///< what was done, and what happens to running trials
};
struct Failed {
    std::uint64_t job = 0;  ///< 0: something promised before could not be done
    facts::Fact reason;
};

/// From the engine: these records are new or changed. A sweep is sent before its trials.
struct SweepChanged {
    sweep::SweepRecord sweep;
};
struct TrialsChanged {
    std::int64_t sweepId = 0;
    std::vector<sweep::TrialRecord> trials;
};
/// From the engine: this sweep and its trials were removed.
struct SweepRemoved {
    std::int64_t sweepId = 0;
};
struct DevicesChanged {
    std::vector<DeviceStatus> devices;  ///< of the engine's machine
    QString note;
    std::vector<MachineStatus> machines{};  ///< others of the workspace, by name
};

/// From the engine: the state is complete; changes follow.
struct Ready {};

using Message = std::variant<Hello, Refusal, LaunchRequest, ControlRequest, EditRequest, EnqueueRequest,
                             ContinueRequest, JoinRequest, ImportRequest, HistoryRequest, WatchRequest, LookRequest,
                             Ping, Pong, HistoryAnswer, Launched, DefinitionRefused, Done, Failed, SweepChanged,
                             TrialsChanged, SweepRemoved, DevicesChanged, FilesArrived, Ready>;

/// Returns the payload of one frame.
QByteArray encode(const Message &message);

/// Decodes a payload. Corrupt if it is not exactly one well-formed message of this version.
Expected<Message> decode(const QByteArray &untrusted);

}  // namespace sweepscope::protocol
