#pragma once

#include "base/clock.h"
#include "base/error.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sweepscope::output {

struct EventScalar {
    std::string tag;
    std::int64_t step = 0;
    WallNs time = 0;  ///< 0: unknown
    double value = 0;
};

/// What the tab HParams of TensorBoard knows of a run when it starts.
struct EventSession {
    std::map<std::string, std::variant<double, bool, std::string>> parameters;
    std::optional<WallNs> started;
};

struct EventSessionEnd {
    bool hasFailed = false;
    std::optional<WallNs> ended;
};

/// Reads the bytes of an event file of TensorBoard (exporting/eventfile.h has its format) as they arrive. The file may still
/// grow and may end within a record: the rest of the record is awaited. Records without scalars or hyperparameters, such
/// as images and graphs, are skipped; large ones are not held in memory.
class EventStream {
public:
    /// Functions may be empty.
    struct Sink {
        std::function<void(const EventScalar &)> scalar;
        std::function<void(const EventSession &)> sessionStart;
        std::function<void(const EventSessionEnd &)> sessionEnd;
        std::function<void(const std::vector<std::string> &)> metrics;  ///< of an experiment of HParams, by tag
    };

    explicit EventStream(Sink sink) : m_sink(std::move(sink)) {}

    /// Corrupt, with the offset, from the first record on whose checksum is wrong: where the next one begins is unknown, so
    /// all later bytes are ignored.
    Expected<void> add(std::string_view untrusted);

    /// Returns the number of bytes in complete records.
    std::uint64_t offset() const { return m_recordBegin; }
    /// Returns whether bytes of an incomplete record were added.
    bool isTorn() const { return m_position > m_recordBegin; }

private:
    enum class Part { Header, Data, SkippedData, SkippedEnd };
    /// Returns true once m_held has `bytes`.
    bool hold(std::string_view &untrusted, std::size_t bytes);
    bool readHeader();
    void endRecord();
    void readEvent(std::string_view data);
    void readSummary(std::string_view data, std::int64_t step, WallNs time);
    void readValue(std::string_view data, std::int64_t step, WallNs time);
    void readHyperParameters(std::string_view data);
    Expected<void> damaged();

    Sink m_sink;
    Part m_part = Part::Header;
    std::string m_held;          ///< of the record
    std::uint64_t m_length = 0;  ///< of the record's data
    std::uint64_t m_left = 0;    ///< of skipped data
    std::uint32_t m_crc = 0;     ///< of skipped data so far
    std::uint64_t m_position = 0;
    std::uint64_t m_recordBegin = 0;
    std::set<std::string, std::less<>>
        m_scalarTags;  ///< of tensors; only their first record says that they are scalars
    bool m_isDamaged = false;
};

}  // namespace sweepscope::output
