#pragma once

#include "base/error.h"
#include "protocol/devicestatus.h"
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

/// What an engine and its clients say to each other. docs/protocol.md is the same in prose, with the order of messages.
/// Each message is one CBOR map with its kind under "type", sent in one frame (framereader.h).
namespace sweepscope::protocol {

/// Raised when an older peer would misunderstand; a new optional field needs no new version.
inline constexpr int version = 6;

/// Records in one Trials message at most; a receiver refuses more.
inline constexpr std::size_t maxTrialsPerMessage = 512;

/// Both: the first message of each side.
struct Hello {
    int version = protocol::version;
    QString program;  ///< "sweepctl", "sweepscope": for the engine's log
    qint64 pid = 0;
    QString workspace;   ///< from the engine: canonical path
    bool trials = true;  ///< from a client: whether it wants to be told of trials too
    bool watch = false;  ///< from an engine: whether it understands `watch`
    bool ping = false;   ///< and `ping`
};

/// Engine: I will not talk to you, and why. It closes the line after that.
struct Refusal {
    QString message;
};

/// Client: start this sweep.
struct LaunchRequest {
    std::uint64_t job = 0;
    QString toml;
    QString baseFolder;
};

/// Client: do this with a sweep or with trials of it.
struct ControlRequest {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    sweep::Control control;
};

/// Client: this is the sweep's definition from now on, or the one before its last edit (`undo`).
struct EditRequest {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    QString toml;  ///< empty with `undo`
    bool undo = false;
    bool dryRun = false;  ///< only say what it would do
};

/// Client: one more trial, of this point: texts by parameter.
struct EnqueueRequest {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    std::map<std::string, std::string> point;
};

/// Client: how did this trial get where it is?
struct HistoryRequest {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    int trial = 0;
};
/// Engine: so.
struct HistoryAnswer {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
    int trial = 0;
    sweep::TrialHistory history;
};

/// Client: whether somebody looks at what the devices do, so that they are read although no sweep runs. Not answered.
struct WatchRequest {
    bool devices = false;
};

/// Client: are you there? Engine: yes, at once.
struct Ping {};
struct Pong {};

/// Engine: the answer to a launch.
struct Launched {
    std::uint64_t job = 0;
    std::int64_t sweepId = 0;
};
/// And to an edit.
struct DefinitionRefused {
    std::uint64_t job = 0;
    std::vector<sweep::Problem> problems;
};

/// Engine: any other request was carried out, or was not.
struct Done {
    std::uint64_t job = 0;
    facts::Facts reply;  ///< what was done, and what happens to running trials
};
struct Failed {
    std::uint64_t job = 0;  ///< 0: something that was promised before could not be done
    facts::Fact reason;
};

/// Engine: these records are new or different. A sweep is told before its trials.
struct SweepChanged {
    sweep::SweepRecord sweep;
};
struct TrialsChanged {
    std::int64_t sweepId = 0;
    std::vector<sweep::TrialRecord> trials;
};
/// Engine: this sweep is there no more, nor are its trials.
struct SweepRemoved {
    std::int64_t sweepId = 0;
};
struct DevicesChanged {
    std::vector<DeviceStatus> devices;
    QString note;
};

/// Engine: the whole state was told; what follows are changes.
struct Ready {};

using Message = std::variant<Hello, Refusal, LaunchRequest, ControlRequest, EditRequest, EnqueueRequest, HistoryRequest,
                             WatchRequest, Ping, Pong, HistoryAnswer, Launched, DefinitionRefused, Done, Failed,
                             SweepChanged, TrialsChanged, SweepRemoved, DevicesChanged, Ready>;

/// The payload of one frame.
QByteArray encode(const Message &message);

/// What a payload says. Corrupt when it is not exactly one well-formed message of this version.
Expected<Message> decode(const QByteArray &untrusted);

}  // namespace sweepscope::protocol
