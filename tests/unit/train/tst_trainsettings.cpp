#include "train/trainsettings.h"

#include "sweep/keys.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

std::string failure(const std::string &assignment)
{
    const auto parsed = parseSettings({assignment}, 0);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().code == ErrorCode::BadInput);
    return parsed.error().message;
}

}  // namespace

TEST_CASE("everyBuiltInSettingCanBeSetToItsDefault")
{
    for (const sweep::Key &setting : sweep::builtinSettings()) {
        CAPTURE(setting.name);
        CHECK(parseSettings({setting.name + "=" + sweep::toText(setting.defaultValue)}, 0).has_value());
    }
}

TEST_CASE("valuesReachTheirFields")
{
    const auto settings = parseSettings({"dataset=mnist", "data_folder=/a b=c", "epochs=3", "batch_size=64.0",
                                         "lr=1e-3", "optimizer=adamw", "threads=2"},
                                        77);
    REQUIRE(settings.has_value());
    CHECK(settings->dataset == "mnist");
    CHECK(settings->dataFolder == "/a b=c");
    CHECK(settings->epochs == 3);
    CHECK(settings->batchSize == 64);
    CHECK(settings->learningRate == 1e-3);
    CHECK(settings->optimizer == "adamw");
    CHECK(settings->threads == 2);
    CHECK(settings->seed == 77);
}

TEST_CASE("lastOfTwoAssignmentsWins")
{
    CHECK(parseSettings({"epochs=3", "epochs=4"}, 0)->epochs == 4);
}

TEST_CASE("badValuesNameTheExpectedOnes")
{
    CHECK(failure("speed=1").find("unknown setting speed; known settings are dataset, ") != std::string::npos);
    CHECK(failure("epochs") == "--set epochs: expected KEY=VALUE");
    CHECK(failure("epochs=two").find("epochs must be an integer of at least 1") != std::string::npos);
    CHECK(failure("epochs=1.5").find("epochs must be an integer") != std::string::npos);
    CHECK(failure("epochs=0").find("epochs must be an integer of at least 1") != std::string::npos);
    CHECK(failure("lr=nan").find("lr must be a number") != std::string::npos);
    CHECK(failure("lr=0.1x").find("lr must be a number") != std::string::npos);
    CHECK(failure("model=vit").find("model must be one of linear, mlp, cnn") != std::string::npos);
}
