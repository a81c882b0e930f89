#include "node/messages.h"

#include <algorithm>
#include <array>
#include <utility>

namespace nlohmann {

template <typename Value>
struct adl_serializer<std::optional<Value>> {
    static void to_json(json &out, const std::optional<Value> &value) { out = value ? json(*value) : json(nullptr); }
    static void from_json(const json &in, std::optional<Value> &value)
    {
        value = in.is_null() ? std::nullopt : std::optional(in.get<Value>());
    }
};

}  // namespace nlohmann

namespace sweepscope::node {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Disk, free, total)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Welcome, version, host, architecture, boot, folder, user, pid, cpus,
                                                memory, disk, address, engine)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Ping, sent)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Pong, sent, received, answered, disk)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Process, pid, began)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Taken, sweep, trial, gpus, shared, slots, cpus)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Start, job, folder, attempt, files, taken, byJob)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Signal, job, process, signal)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Recover, job, folder, attempt, ranks, agent)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Withdraw, job, folder, attempt, byJob)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Write, job, path)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Listen, job)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Dial, job, address, port)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Done, job, process, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Failed, job, message, fact)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Held, size, tail)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Follow, folder, held, agent, thin)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Unfollow, folder)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Prefer, paths)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Credit, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Chunk, path, offset, size, replaces, thins)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Gone, path)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Life, folder, runs, past, stopped, activity)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Level, folder)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Sample, on)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MachineDevice, id, kind, index, name, memory, simulated, bus, parent,
                                                offered, cpus)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MachineLink, a, b, path)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Machine, devices, links, note, unusable, leases)

namespace {

/// In the order of Message.
constexpr std::array names{"welcome", "ping", "pong", "start",  "signal", "recover",  "withdraw", "write",
                           "listen",  "dial", "done", "failed", "follow", "unfollow", "prefer",   "credit",
                           "chunk",   "gone", "life", "level",  "sample", "machine"};
static_assert(names.size() == std::variant_size_v<Message>);

template <std::size_t... Places>
Message messageNamed(std::size_t place, const nlohmann::json &fields, std::index_sequence<Places...> /*all*/)
{
    Message message;
    static_cast<void>(
        ((place == Places && (message = fields.get<std::variant_alternative_t<Places, Message>>(), true)) || ...));
    return message;
}

/// No message has numbers with a fraction, which may not fit into an integer.
bool hasFraction(const nlohmann::json &value)
{
    return value.is_number_float() || (value.is_structured() && std::any_of(value.begin(), value.end(), hasFraction));
}

}  // namespace

std::string bytesOf(const Parcel &parcel)
{
    Frame frame{std::visit([](const auto &message) { return nlohmann::json(message); }, parcel.message),
                parcel.payload};
    frame.header["type"] = names[parcel.message.index()];
    return bytesOf(frame);
}

Expected<Parcel> parcelIn(Frame &&frame)
{
    if (hasFraction(frame.header))
        return makeError(ErrorCode::Corrupt, "a message has a number with a fraction");
    try {
        const auto type = frame.header.value("type", std::string());
        for (std::size_t place = 0; place < names.size(); ++place) {
            if (type == names[place])
                return Parcel{
                    messageNamed(place, frame.header, std::make_index_sequence<std::variant_size_v<Message>>()),
                    std::move(frame.payload)};
        }
        return makeError(ErrorCode::Corrupt, "received a message of unknown type");
    } catch (const nlohmann::json::exception &error) {
        return makeError(ErrorCode::Corrupt, std::string("a message has a wrong field: ") + error.what());
    }
}

}  // namespace sweepscope::node
