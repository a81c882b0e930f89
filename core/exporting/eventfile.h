#pragma once

#include "base/clock.h"
#include "sweep/parameter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// TensorBoard's event files, written without protobuf: a dozen messages do not justify its generator.
///
///     file      record*
///     record    length (8 bytes, little endian) | masked CRC of the length | data | masked CRC of the data
///     data      an Event of tensorflow/core/util/event.proto; the first one has only the version
///
/// The CRC is CRC-32C, rotated right by 15 bits, plus 0xa282ead8.
namespace sweepscope::exporting {

/// The bytes of one message of protobuf. Fields that have the default value are written too.
class ProtoMessage {
public:
    ProtoMessage &integer(int field, std::int64_t value);
    ProtoMessage &real(int field, double value);
    ProtoMessage &real32(int field, float value);
    /// A string, bytes or a message. Strings must be UTF-8.
    ProtoMessage &bytes(int field, std::string_view value);
    ProtoMessage &message(int field, const ProtoMessage &value) { return bytes(field, value.m_bytes); }

    const std::string &text() const { return m_bytes; }

private:
    void tag(int field, int wireType);
    void varint(std::uint64_t value);

    std::string m_bytes;
};

enum class SessionStatus { Unknown = 0, Success = 1, Failure = 2, Running = 3 };

/// Returns the bytes of a record.
std::string recordOf(std::string_view data);
/// Returns the data of the first event of a file.
std::string versionEvent(WallNs time);
/// Values become 32-bit floats: TensorBoard stores no others.
std::string scalarEvent(std::string_view tag, std::int64_t step, WallNs time, double value);
/// What HParams shows of a run: its parameters, and how it ended.
std::string sessionStartEvent(const sweep::ParameterSet &parameters, const std::string &group, WallNs time);
/// `time`: nullopt if it has not ended.
std::string sessionEndEvent(SessionStatus status, std::optional<WallNs> time);
/// A column of HParams.
struct HyperParameter {
    std::string name;
    sweep::ParameterValue example;  ///< tells its type
    bool differs = false;           ///< not all trials have the same value; the page hides the others
};
/// What HParams has columns for. Without it, parameters that the first run does not have are never shown.
std::string experimentEvent(const std::vector<HyperParameter> &parameters, const std::vector<std::string> &metrics,
                            WallNs time);

}  // namespace sweepscope::exporting
