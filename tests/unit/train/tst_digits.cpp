#include "train/data/digits.h"

#include "parsedsettings.h"
#include "temporaryfolder.h"
#include "train/data/dataset.h"

#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

std::string line(const std::string &pixel, const std::string &label)
{
    std::string text;
    for (int i = 0; i < 64; ++i)
        text += pixel + ",";
    return text + label + "\n";
}

}  // namespace

TEST_CASE("builtInDigitsArePinned")
{
    const auto digits = readDigits(SWEEPSCOPE_SOURCE_DIR "/resources/data/digits.csv.gz");
    REQUIRE(digits.has_value());
    CHECK(digits->inputs.sizes() == std::vector<std::int64_t>{1797, 1, 8, 8});
    const torch::Tensor counts = torch::bincount(digits->targets);
    CHECK(counts.equal(torch::tensor({178, 182, 177, 183, 181, 182, 181, 179, 174, 180}, torch::kInt64)));
    CHECK(digits->inputs.max().item<int>() == 16);
    CHECK(digits->inputs[0][0][0][2].item<int>() == 5);
}

TEST_CASE("badLineIsNamed")
{
    const TemporaryFolder folder;
    const auto failure = [&](const std::string &text) {
        const auto file = folder.writeText("digits.csv", text);
        const auto read = readDigits(file);
        REQUIRE_FALSE(read.has_value());
        return read.error().message.substr(file.string().size());
    };
    CHECK(failure(line("0", "1") + line("17", "1")) == ":2: field 1 of 65 must be a number from 0 to 16");
    CHECK(failure(line("0", "10")) == ":1: field 65 of 65 must be a number from 0 to 9");
    CHECK(failure("1,2,3\n") == ":1: field 3 of 65 must be a number from 0 to 16");
    CHECK(failure(line("0", "1") + "0,0") == ":2: field 2 of 65 must be a number from 0 to 16");
}

TEST_CASE("seedChangesTheSplitButNotTheSizes")
{
    const auto first = loadTrialData(settings({}, 1));
    const auto again = loadTrialData(settings({}, 1));
    const auto other = loadTrialData(settings({}, 2));
    REQUIRE(first.has_value());
    REQUIRE(again.has_value());
    REQUIRE(other.has_value());
    CHECK(first->train.size() + first->validation.size() + first->test.size() == 1797);
    CHECK(first->train.inputs.equal(again->train.inputs));
    CHECK(first->validation.size() == other->validation.size());
    CHECK_FALSE(first->validation.inputs.equal(other->validation.inputs));
}

TEST_CASE("trainSamplesLimitsOnlyTheTrainingSet")
{
    const auto data = loadTrialData(settings({"train_samples=100"}, 1));
    REQUIRE(data.has_value());
    CHECK(data->train.size() == 100);
    CHECK(data->validation.size() == 270);
}

TEST_CASE("fractionsThatLeaveNoSamplesAreAnError")
{
    const auto data = loadTrialData(settings({"validation_fraction=0.6", "test_fraction=0.5"}, 1));
    REQUIRE_FALSE(data.has_value());
    CHECK(data.error().code == ErrorCode::BadInput);
}
