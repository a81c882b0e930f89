#include "exporting/eventfile.h"

#include "exporting/fieldtext.h"
#include "output/eventcrc.h"

#include <bit>

namespace sweepscope::exporting {

namespace {

void appendLittleEndian(std::string &text, std::uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i) & 0xff);
}

std::string utf8(std::string_view text)
{
    std::string repaired;
    return std::string(asUtf8(text, repaired));
}

ProtoMessage eventAt(WallNs time)
{
    constexpr int wallTime = 1;
    return ProtoMessage().real(wallTime, static_cast<double>(time) / 1e9);
}

std::string summaryEvent(WallNs time, std::int64_t step, const ProtoMessage &value)
{
    constexpr int stepField = 2;
    constexpr int summary = 5;
    return eventAt(time).integer(stepField, step).message(summary, ProtoMessage().message(1, value)).text();
}

/// The plugin reads its data from the metadata; the tensor must be there, and is empty.
std::string hparamsEvent(WallNs time, std::string_view tag, int dataField, const ProtoMessage &data)
{
    constexpr int floatType = 1;
    const ProtoMessage emptyShape = ProtoMessage().message(2, {});  // of one dimension without elements
    const ProtoMessage plugin =
        ProtoMessage().bytes(1, "hparams").bytes(2, ProtoMessage().message(dataField, data).text());
    return summaryEvent(time, 0,
                        ProtoMessage()
                            .bytes(1, tag)
                            .message(8, ProtoMessage().integer(1, floatType).message(2, emptyShape))
                            .message(9, ProtoMessage().message(1, plugin)));
}

/// google.protobuf.Value
ProtoMessage valueOf(const sweep::ParameterValue &value)
{
    if (const auto number = sweep::numberOf(value))
        return ProtoMessage().real(2, *number);
    if (const auto *flag = std::get_if<bool>(&value))
        return ProtoMessage().integer(4, *flag ? 1 : 0);
    return ProtoMessage().bytes(3, utf8(sweep::toText(value)));
}

/// DataType of the plugin hparams: string, bool, float.
int typeOf(const sweep::ParameterValue &value)
{
    if (sweep::numberOf(value))
        return 3;
    return std::holds_alternative<bool>(value) ? 2 : 1;
}

}  // namespace

void ProtoMessage::tag(int field, int wireType)
{
    varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(wireType));
}

void ProtoMessage::varint(std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        m_bytes += static_cast<char>((value & 0x7f) | 0x80);
    m_bytes += static_cast<char>(value);
}

ProtoMessage &ProtoMessage::integer(int field, std::int64_t value)
{
    tag(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
}

ProtoMessage &ProtoMessage::real(int field, double value)
{
    tag(field, 1);
    appendLittleEndian(m_bytes, std::bit_cast<std::uint64_t>(value), 8);
    return *this;
}

ProtoMessage &ProtoMessage::real32(int field, float value)
{
    tag(field, 5);
    appendLittleEndian(m_bytes, std::bit_cast<std::uint32_t>(value), 4);
    return *this;
}

ProtoMessage &ProtoMessage::bytes(int field, std::string_view value)
{
    tag(field, 2);
    varint(value.size());
    m_bytes += value;
    return *this;
}

std::string recordOf(std::string_view data)
{
    std::string record;
    record.reserve(data.size() + 16);
    appendLittleEndian(record, data.size(), 8);
    appendLittleEndian(record, output::maskedCrc(output::crc32c(record)), 4);
    record += data;
    appendLittleEndian(record, output::maskedCrc(output::crc32c(data)), 4);
    return record;
}

std::string versionEvent(WallNs time)
{
    return eventAt(time).bytes(3, "brain.Event:2").text();
}

std::string scalarEvent(std::string_view tag, std::int64_t step, WallNs time, double value)
{
    return summaryEvent(time, step, ProtoMessage().bytes(1, utf8(tag)).real32(2, static_cast<float>(value)));
}

std::string sessionStartEvent(const sweep::ParameterSet &parameters, const std::string &group, WallNs time)
{
    ProtoMessage start;
    for (const auto &[name, value] : parameters)
        start.message(1, ProtoMessage().bytes(1, utf8(name)).message(2, valueOf(value)));
    start.bytes(4, group).real(5, static_cast<double>(time) / 1e9);
    return hparamsEvent(time, "_hparams_/session_start_info", 3, start);
}

std::string sessionEndEvent(SessionStatus status, std::optional<WallNs> time)
{
    ProtoMessage end;
    end.integer(1, static_cast<int>(status));
    if (time)
        end.real(2, static_cast<double>(*time) / 1e9);
    return hparamsEvent(time.value_or(0), "_hparams_/session_end_info", 4, end);
}

std::string experimentEvent(const std::vector<HyperParameter> &parameters, const std::vector<std::string> &metrics,
                            WallNs time)
{
    ProtoMessage experiment;
    experiment.real(3, static_cast<double>(time) / 1e9);
    for (const HyperParameter &parameter : parameters)
        experiment.message(4, ProtoMessage()
                                  .bytes(1, utf8(parameter.name))
                                  .integer(4, typeOf(parameter.example))
                                  .integer(7, parameter.differs ? 1 : 0));
    for (const std::string &metric : metrics)
        experiment.message(5, ProtoMessage().message(1, ProtoMessage().bytes(2, utf8(metric))));
    return hparamsEvent(time, "_hparams_/experiment", 2, experiment);
}

}  // namespace sweepscope::exporting
