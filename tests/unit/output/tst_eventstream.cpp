#include "output/eventstream.h"

#include "exporting/eventfile.h"
#include "output/eventcrc.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::output;
using exporting::ProtoMessage;
using exporting::recordOf;

namespace {

struct Read {
    std::vector<EventScalar> scalars;
    std::vector<EventSession> sessions;
    std::vector<EventSessionEnd> ends;
    std::vector<std::string> metrics;

    EventStream stream{{[this](const EventScalar &scalar) { scalars.push_back(scalar); },
                        [this](const EventSession &session) { sessions.push_back(session); },
                        [this](const EventSessionEnd &end) { ends.push_back(end); },
                        [this](const std::vector<std::string> &tags) { metrics = tags; }}};

    std::string add(std::string_view bytes)
    {
        const Expected<void> done = stream.add(bytes);
        return done ? std::string() : done.error().message;
    }
};

/// A record with one Summary.Value.
std::string recordWith(const ProtoMessage &value, std::int64_t step = 1)
{
    return recordOf(ProtoMessage().real(1, 2.5).integer(2, step).message(5, ProtoMessage().message(1, value)).text());
}

ProtoMessage metadataOf(std::string_view plugin)
{
    return ProtoMessage().message(1, ProtoMessage().bytes(1, plugin));
}

ProtoMessage tensorValue(const ProtoMessage &tensor, std::string_view plugin = "scalars")
{
    return ProtoMessage().bytes(1, "loss").message(8, tensor).message(9, metadataOf(plugin));
}

std::optional<double> onlyValue(const ProtoMessage &value)
{
    Read read;
    CHECK(read.add(recordWith(value)).empty());
    return read.scalars.size() == 1 ? std::optional(read.scalars.front().value) : std::nullopt;
}

std::string twoScalars()
{
    return recordOf(exporting::versionEvent(0)) + recordOf(exporting::scalarEvent("loss", 7, 1'500'000'000, 0.25))
           + recordOf(exporting::scalarEvent("train/acc", -1, 2'000'000'000, 0.5));
}

}  // namespace

TEST_CASE("scalars have tag, step, time and value")
{
    Read read;
    CHECK(read.add(twoScalars()).empty());
    REQUIRE(read.scalars.size() == 2);
    CHECK(read.scalars[0].tag == "loss");
    CHECK(read.scalars[0].step == 7);
    CHECK(read.scalars[0].time == 1'500'000'000);
    CHECK(read.scalars[0].value == 0.25);
    CHECK(read.scalars[1].tag == "train/acc");
    CHECK(read.scalars[1].step == -1);
    CHECK_FALSE(read.stream.isTorn());
    CHECK(read.stream.offset() == twoScalars().size());
}

TEST_CASE("a file may arrive in any pieces")
{
    const std::string bytes = twoScalars();
    for (std::size_t piece = 1; piece < 40; ++piece) {
        Read read;
        for (std::size_t i = 0; i < bytes.size(); i += piece)
            CHECK(read.add(std::string_view(bytes).substr(i, piece)).empty());
        CHECK(read.scalars.size() == 2);
    }
}

TEST_CASE("a torn record is awaited")
{
    const std::string bytes = twoScalars();
    Read read;
    CHECK(read.add(std::string_view(bytes).substr(0, bytes.size() - 3)).empty());
    CHECK(read.scalars.size() == 1);
    CHECK(read.stream.isTorn());
    CHECK(read.add(std::string_view(bytes).substr(bytes.size() - 3)).empty());
    CHECK(read.scalars.size() == 2);
}

TEST_CASE("a wrong checksum ends the reading, with its offset")
{
    const std::string first = recordOf(exporting::versionEvent(0));
    for (const std::size_t place : {std::size_t{0}, std::size_t{9}, std::size_t{12}, std::size_t{20}}) {
        std::string bytes = twoScalars();
        bytes[first.size() + place] = static_cast<char>(bytes[first.size() + place] ^ 1);
        Read read;
        const std::string error = "the checksum of the record at byte " + std::to_string(first.size())
                                  + " is wrong; the rest of the file was not read";
        CHECK(read.add(bytes) == error);
        CHECK(read.scalars.empty());
        CHECK(read.add(twoScalars()) == error);
        CHECK(read.scalars.empty());
    }
}

TEST_CASE("a length of 2^64 - 1 takes no memory")
{
    std::string header(8, '\xff');
    const std::uint32_t crc = maskedCrc(crc32c(header));
    for (int i = 0; i < 4; ++i)
        header += static_cast<char>(crc >> (8 * i) & 0xff);
    Read read;
    CHECK(read.add(header).empty());
    CHECK(read.add(std::string(3 << 20, 'x')).empty());
    CHECK(read.stream.isTorn());
    CHECK(read.stream.offset() == 0);
}

TEST_CASE("large records are skipped, but their checksum counts")
{
    std::string large = recordOf(std::string(5 << 20, 'x'));
    const std::string after = recordOf(exporting::scalarEvent("loss", 1, 0, 1));
    {
        Read read;
        CHECK(read.add(large + after).empty());
        CHECK(read.scalars.size() == 1);
    }
    large[1000] = 'y';
    Read read;
    CHECK(read.add(large + after).find("at byte 0 is wrong") != std::string::npos);
}

TEST_CASE("tensors of one float or double are scalars")
{
    const std::string_view half("\0\0\0\x3f", 4);         // 0.5
    const std::string_view two("\0\0\0\0\0\0\0\x40", 8);  // 2.0
    CHECK(onlyValue(tensorValue(ProtoMessage().integer(1, 1).bytes(4, half))) == 0.5);
    CHECK(onlyValue(tensorValue(ProtoMessage().integer(1, 2).bytes(4, two))) == 2.0);
    CHECK(onlyValue(tensorValue(ProtoMessage().integer(1, 1).bytes(5, half))) == 0.5);
    CHECK(onlyValue(tensorValue(ProtoMessage().integer(1, 1).real32(5, 0.5F))) == 0.5);
    CHECK(onlyValue(tensorValue(ProtoMessage().integer(1, 2).real(6, 2.0))) == 2.0);
    CHECK_FALSE(onlyValue(tensorValue(ProtoMessage().integer(1, 1).bytes(4, two))));   // two floats
    CHECK_FALSE(onlyValue(tensorValue(ProtoMessage().integer(1, 1).bytes(5, two))));   // two floats
    CHECK_FALSE(onlyValue(tensorValue(ProtoMessage().integer(1, 7).bytes(4, half))));  // a string
    CHECK_FALSE(onlyValue(tensorValue(ProtoMessage().integer(1, 1).bytes(4, half), "images")));
}

TEST_CASE("the plugin of a tag is known from its first record")
{
    const ProtoMessage tensor = ProtoMessage().integer(1, 1).real32(5, 0.5F);
    Read read;
    CHECK(read.add(recordWith(ProtoMessage().bytes(1, "loss").message(8, tensor))).empty());
    CHECK(read.scalars.empty());
    CHECK(read.add(recordWith(tensorValue(tensor))).empty());
    CHECK(read.add(recordWith(ProtoMessage().bytes(1, "loss").message(8, tensor))).empty());
    CHECK(read.scalars.size() == 2);
}

TEST_CASE("values that are no finite numbers stay what they are")
{
    Read read;
    CHECK(read.add(recordOf(exporting::scalarEvent("a", 1, 0, std::nan("")))).empty());
    CHECK(read.add(recordOf(exporting::scalarEvent("a", 2, 0, HUGE_VAL))).empty());
    REQUIRE(read.scalars.size() == 2);
    CHECK(std::isnan(read.scalars[0].value));
    CHECK(read.scalars[1].value == HUGE_VAL);
    CHECK(read.scalars[0].time == 0);
}

TEST_CASE("a session has its hyperparameters, times and end")
{
    Read read;
    CHECK(
        read.add(recordOf(exporting::sessionStartEvent(
                     {{"lr", 0.5}, {"layers", std::int64_t{3}}, {"nesterov", true}, {"optimizer", std::string("sgd")}},
                     "trial", 3'000'000'000)))
            .empty());
    CHECK(read.add(recordOf(exporting::sessionEndEvent(exporting::SessionStatus::Failure, 4'000'000'000))).empty());
    REQUIRE(read.sessions.size() == 1);
    const auto &parameters = read.sessions.front().parameters;
    CHECK(parameters.size() == 4);
    CHECK(std::get<double>(parameters.at("lr")) == 0.5);
    CHECK(std::get<double>(parameters.at("layers")) == 3);
    CHECK(std::get<bool>(parameters.at("nesterov")));
    CHECK(std::get<std::string>(parameters.at("optimizer")) == "sgd");
    CHECK(read.sessions.front().started == 3'000'000'000);
    REQUIRE(read.ends.size() == 1);
    CHECK(read.ends.front().hasFailed);
    CHECK(read.ends.front().ended == 4'000'000'000);
    CHECK(read.scalars.empty());
}

TEST_CASE("an experiment names its metrics")
{
    Read read;
    CHECK(read.add(recordOf(exporting::experimentEvent({}, {"loss", "accuracy"}, 0))).empty());
    CHECK(read.metrics == std::vector<std::string>{"loss", "accuracy"});
}

TEST_CASE("records that are no events are skipped")
{
    Read read;
    for (const char *data : {"", "\xff", "\x2a\x7f", "\x08", "\x0b", "\x2a\x02\x0a\x05"})
        CHECK(read.add(recordOf(data)).empty());
    CHECK(read.add(recordOf(exporting::scalarEvent("loss", 1, 0, 1))).empty());
    CHECK(read.scalars.size() == 1);
}
