#include "parsedsettings.h"
#include "train/model.h"

#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace sweepscope::train;

namespace {

ModelShape images(std::int64_t side)
{
    return {.height = side, .width = side, .outputs = 10};
}

double total(const torch::Tensor &tensor)
{
    return tensor.to(torch::kFloat64).sum().item<double>();
}

}  // namespace

// The literals are the weights of the same layers in Python after torch.manual_seed(5).
TEST_CASE("mlpStartsWithPythonsWeights")
{
    torch::manual_seed(5);
    const auto model = makeLayers(settings({"model=mlp", "hidden=3"}), images(8));
    const auto weights = model->parameters();
    REQUIRE(weights.size() == 4);
    CHECK(weights[0][0][0].item<float>() == 0.08256296813488007F);
    CHECK(total(weights[0]) == doctest::Approx(-0.42761485278606415));
    CHECK(weights[3][2].item<float>() == 0.0358782596886158F);
    CHECK(total(weights[2]) == doctest::Approx(-0.0569698354229331));
}

TEST_CASE("cnnStartsWithPythonsWeights")
{
    torch::manual_seed(5);
    const auto model = makeLayers(settings({"model=cnn"}), images(28));
    const auto weights = model->parameters();
    REQUIRE(weights.size() == 8);
    CHECK(weights[0][0][0][0][1].item<float>() == -0.24925939738750458F);
    CHECK(total(weights[2]) == doctest::Approx(-8.864142346967128));
    CHECK(total(weights[3]) == doctest::Approx(-0.07672426477074623));
}

TEST_CASE("everyModelScoresTenClassesOnBothImageSizes")
{
    for (const char *name : {"linear", "mlp", "cnn", "resnet"}) {
        for (const std::int64_t side : {8, 28}) {
            CAPTURE(name);
            CAPTURE(side);
            auto model = makeLayers(settings({std::string("model=") + name, "layers=2", "dropout=0.5"}), images(side));
            CHECK(model->forward(torch::zeros({3, 1, side, side})).sizes() == std::vector<std::int64_t>{3, 10});
        }
    }
}

TEST_CASE("layersAndHiddenShapeTheMlp")
{
    const auto model = makeLayers(settings({"model=mlp", "layers=3", "hidden=5"}), images(8));
    const auto weights = model->parameters();
    REQUIRE(weights.size() == 8);
    CHECK(weights[2].sizes() == std::vector<std::int64_t>{5, 5});
    CHECK(weights[6].sizes() == std::vector<std::int64_t>{10, 5});
}
