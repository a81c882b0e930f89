#pragma once

#include "sweep/parameter.h"
#include "sweep/sweepspec.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The table of all keys of the sweep file. Reader, writer, checks, the window's form, `sweepctl keys` and
/// docs/sweep-file.md come from it, so that a new key is a member of SweepSpec and one entry in keys.cpp.
namespace sweepscope::sweep {

enum class KeyType {
    Integer,
    Float,  ///< 3 as well as 3.0
    Boolean,
    Choice,    ///< one of Key::choices
    String,    ///< any
    Duration,  ///< "10m", or an integer number of seconds
    Size,      ///< "10 GiB"
    Strings,   ///< a list
    Gpus,      ///< a list of indexes and names
    Table,     ///< has its own reader and writer
};

/// What a sweep says for one key; monostate: nothing. A choice is its index, unless SweepSpec keeps the word. A size is
/// a number of bytes.
using KeyValue = std::variant<std::monostate, std::int64_t, double, bool, std::string, std::chrono::seconds,
                              std::vector<std::string>>;

/// What the key decides in a sweep that is edited after its launch.
enum class Applies {
    Now,          ///< at once, for running trials too
    NextAttempt,  ///< in attempts that start from then on
    NewTrials,    ///< in trials that the edit adds
    NewSweep,     ///< cannot change: an edit of it is refused
};

struct Key {
    std::string section;  ///< "run", "run.metrics"
    std::string name;
    KeyType type = KeyType::String;
    /// Of a setting of the built-in worker; defaultOf() has that of every key.
    ParameterValue defaultValue{};
    std::optional<double> minimum{};  ///< inclusive; of a duration in seconds
    std::optional<double> maximum{};
    std::vector<std::string> choices{};
    std::string description{};  ///< one line, a noun phrase
    std::string details{};      ///< further sentences for the reference; Markdown
    std::string zero{};         ///< what 0 means ("one per core"), allowed whatever the minimum
    std::string zeroWord{};     ///< how a file writes 0: "auto"; empty: as a number
    std::string absent{};       ///< what holds without the key, where that is not a value: "required", "no limit"
    bool isRequired = false;    ///< always, or where `absent` says
    /// The values of the section's `method` with which the key applies; empty: with all.
    std::vector<std::string> methods{};
    std::string example{};                    ///< TOML; empty: the default
    std::string label{};                      ///< in the form, with its mnemonic; empty: made from the name
    std::vector<std::string> choiceLabels{};  ///< in the form, in the order of `choices`; empty: the words
    Applies applies = Applies::NextAttempt;
    bool isAlwaysWritten = false;  ///< into a file written by toToml(), also with its default
    bool isUsual = true;           ///< in sight in the form; others are behind "More"

    KeyValue (*get)(const SweepSpec &) = nullptr;          ///< null: a setting of the built-in worker, or a table
    void (*set)(SweepSpec &, const KeyValue &) = nullptr;  ///< makes its section; ignores what the member cannot hold

    std::string path() const { return section + "." + name; }
    bool isSetting() const { return section == "run" && get == nullptr && type != KeyType::Table; }
};

/// A section whose keys have names that the user chooses.
struct FreeSection {
    std::string name;     ///< "space"
    std::string entry;    ///< what a key of it is, a noun phrase
    std::string details;  ///< further sentences
    std::string example;  ///< a line of TOML
    Applies applies = Applies::NewTrials;
};

/// [objectives], [space], [constraints] and [outcome_constraints].
const std::vector<FreeSection> &freeSections();

/// All, in the order of the sweep file: sections one after the other.
const std::vector<Key> &keys();
const Key *findKey(std::string_view path);
/// Those of one section.
std::span<const Key> keysOf(std::string_view section);
/// Sections in which SweepSpec has simple keys, in their order: "sweep", "search", "run", "run.metrics", …
const std::vector<std::string> &keySections();
bool hasSection(const SweepSpec &spec, std::string_view section);
void addSection(SweepSpec &spec, std::string_view section);

KeyValue getValue(const Key &key, const SweepSpec &spec);
void setValue(const Key &key, SweepSpec &spec, const KeyValue &value);
/// What holds where a sweep says nothing.
KeyValue defaultOf(const Key &key);

/// Settings of the built-in worker: keys of [run], or parameters of [space]. Form and help show them in this order.
std::span<const Key> builtinSettings();
const Key *findBuiltinSetting(std::string_view name);
/// Whether a setting is a path; a relative one starts in the sweep file's folder.
bool isPathSetting(std::string_view name);
/// Whether a training may continue from its checkpoint with another value of a setting.
bool changesInTraining(std::string_view name);
/// Series that the built-in worker reports and that can be an objective.
const std::vector<std::string> &builtinObjectives();

}  // namespace sweepscope::sweep
