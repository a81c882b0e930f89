#include "node/messages.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::node;

namespace {

Expected<Parcel> travelled(const Parcel &parcel)
{
    FrameParser parser(FrameParser::Begins::AtOnce);
    parser.append(bytesOf(parcel));
    auto frame = parser.next();
    REQUIRE((frame && *frame));
    return parcelIn(std::move(**frame));
}

std::string errorOf(const nlohmann::json &header)
{
    const auto parcel = parcelIn(Frame{header});
    return parcel ? "accepted" : parcel.error().message;
}

}  // namespace

TEST_CASE("every message travels, with its payload")
{
    const Message messages[] = {Welcome{},  Ping{7},    Pong{1, 2, 3}, Start{},   Signal{}, Recover{},
                                Withdraw{}, Write{},    Listen{},      Dial{},    Done{},   Failed{},
                                Follow{},   Unfollow{}, Prefer{},      Credit{5}, Chunk{},  Gone{},
                                Life{},     Level{},    Sample{true},  Machine{}};
    static_assert(std::size(messages) == std::variant_size_v<Message>);
    for (std::size_t i = 0; i < std::size(messages); ++i) {
        CHECK(messages[i].index() == i);
        const auto read = travelled({messages[i], "pay\nload"});
        REQUIRE(read);
        CHECK(read->message.index() == i);
        CHECK(read->payload == "pay\nload");
        CHECK(bytesOf(*read) == bytesOf(Parcel{messages[i], "pay\nload"}));
    }
}

TEST_CASE("fields travel")
{
    const Start start{
        3, "sweeps/a/trials/0001/1", "id", {{"launch.json", "{}"}}, {"a", 1, {"GPU-1"}, {"GPU-1"}, {0}, {{0, 1}}}};
    const auto read = travelled({start});
    REQUIRE(read);
    const auto &other = std::get<Start>(read->message);
    CHECK(other.files == start.files);
    CHECK(other.taken.gpus == start.taken.gpus);
    CHECK(other.taken.cpus == start.taken.cpus);
    const auto follow = travelled({Follow{"f", {{"rank-0.log", {3, "616263"}}}, Process{7, 8}}});
    REQUIRE(follow);
    CHECK(std::get<Follow>(follow->message).held.at("rank-0.log").tail == "616263");
    CHECK(std::get<Follow>(follow->message).agent == Process{7, 8});
    CHECK_FALSE(std::get<Follow>(travelled({Follow{"f", {}, {}}})->message).agent);
}

TEST_CASE("what is no message is refused")
{
    CHECK(errorOf({{"type", "dance"}}) == "received a message of unknown type");
    CHECK(errorOf({{"type", 3}}).starts_with("a message has a wrong field"));
    CHECK(errorOf({{"type", "ping"}, {"sent", "soon"}}).starts_with("a message has a wrong field"));
    CHECK(errorOf({{"type", "start"}, {"files", {1, 2}}}).starts_with("a message has a wrong field"));
    CHECK(errorOf({{"type", "credit"}, {"bytes", 1e300}}) == "a message has a number with a fraction");
    CHECK(errorOf({{"type", "ping"}, {"later", "field"}}) == "accepted");
}
