#include "sweep/memoryprofile.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

MemoryProfile example()
{
    MemoryProfile profile;
    profile.layers = {{4000, 0, {16, 256}}, {800, 40, {0, 40.5}}};
    profile.canBeSplit = false;
    profile.gradients = 4812;
    profile.optimizer = 9600;
    profile.update = 123;
    profile.peak = {1000, 640};
    profile.inputPerSample = 256;
    profile.data = 1 << 20;
    profile.samples = 1258;
    profile.process = 100 << 20;
    profile.batchSize = 32;
    profile.measuredSizes = {8, 32};
    return profile;
}

std::string errorOf(const std::string &text)
{
    const Expected<MemoryProfile> profile = parseMemoryProfile(text);
    return profile ? "accepted" : profile.error().message;
}

std::string with(std::string text, const std::string &before, const std::string &after)
{
    const std::size_t place = text.find(before);
    REQUIRE(place != std::string::npos);
    return text.replace(place, before.size(), after);
}

}  // namespace

TEST_CASE("memoryProfileSurvivesItsJson")
{
    const Expected<MemoryProfile> read = parseMemoryProfile(toJson(example()));
    REQUIRE(read);
    CHECK(*read == example());
    CHECK(toJson(example()).find('\n') == std::string::npos);
    CHECK(read->parameters() == 4800);
    CHECK(read->buffers() == 40);
}

TEST_CASE("mistakesInMemoryProfilesAreNamed")
{
    const std::string good = toJson(example());
    CHECK(errorOf("{") == "the memory profile is not a JSON object");
    CHECK(errorOf("[]") == "the memory profile is not a JSON object");
    CHECK(errorOf(with(good, "\"gradients\":4812", "\"gradients\":-1")).find("gradients") != std::string::npos);
    CHECK(errorOf(with(good, "\"optimizer\":9600", "\"optimizer\":\"x\"")).find("optimizer") != std::string::npos);
    CHECK(errorOf(with(good, "\"update\":123", "\"update\":1e300")).find("update") != std::string::npos);
    CHECK(errorOf(with(good, "\"per_sample\":640.0", "\"per_sample\":null")).find("peak.per_sample")
          != std::string::npos);
    CHECK(errorOf(with(good, "\"per_sample\":40.5", "\"per_sample\":[]")).find("layers[1].activations.per_sample")
          != std::string::npos);
    CHECK(errorOf(with(good, "\"layers\":[", "\"layers\":[7,")).find("layers[0].parameters") != std::string::npos);
}
