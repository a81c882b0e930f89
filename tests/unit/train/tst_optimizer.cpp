#include "train/optimizer.h"

#include "parsedsettings.h"

#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace sweepscope::train;

namespace {

const char *const kinds[] = {"sgd", "adam", "adamw", "rmsprop", "adagrad"};

std::vector<NamedTensor> parametersAt(double value)
{
    return {{"weight", torch::full({2, 3}, value).requires_grad_()},
            {"bias", torch::full({3}, value).requires_grad_()}};
}

/// Gradients that depend on parameter and step alone.
void setGradients(const std::vector<NamedTensor> &parameters, int step)
{
    for (const NamedTensor &item : parameters) {
        torch::Tensor tensor = item.tensor;
        tensor.mutable_grad() = torch::arange(1, tensor.numel() + 1).view(tensor.sizes()).to(torch::kFloat32) / step;
    }
}

TrainSettings optimizing(const std::string &optimizer, std::vector<std::string> more = {})
{
    more.insert(more.end(), {"optimizer=" + optimizer, "weight_decay=0.1"});
    return settings(more);
}

}  // namespace

TEST_CASE("stateOfAnOptimizerGoesOnInAnother")
{
    for (const char *kind : kinds) {
        CAPTURE(kind);
        const TrainSettings chosen = optimizing(kind, {"momentum=0.9"});
        const auto whole = parametersAt(1);
        Optimizer first(chosen, whole);
        for (int step = 1; step <= 3; ++step) {
            setGradients(whole, step);
            first.step(0.1);
        }
        const c10::IValue state = first.stateDict().deepcopy();
        auto copies = parametersAt(1);
        const torch::NoGradGuard noGrad;
        for (std::size_t i = 0; i < copies.size(); ++i)
            copies[i].tensor.copy_(whole[i].tensor);
        std::swap(copies[0], copies[1]);  // their names say what is whose
        Optimizer second(chosen, copies);
        second.loadStateDict(state);
        std::swap(copies[0], copies[1]);
        setGradients(whole, 4);
        setGradients(copies, 4);
        first.step(0.1);
        second.step(0.1);
        for (std::size_t i = 0; i < copies.size(); ++i)
            CHECK(copies[i].tensor.equal(whole[i].tensor));
    }
}

TEST_CASE("parametersWithoutAGradientStayAsTheyAre")
{
    for (const char *kind : kinds) {
        CAPTURE(kind);
        const auto parameters = parametersAt(1);
        Optimizer optimizer(optimizing(kind, {"momentum=0.9"}), parameters);
        setGradients(parameters, 1);
        parameters[1].tensor.mutable_grad().reset();
        optimizer.step(0.1);
        CHECK_FALSE(parameters[0].tensor.equal(torch::ones({2, 3})));
        CHECK(parameters[1].tensor.equal(torch::ones({3})));
    }
}

TEST_CASE("vectorsAreNotDecayedUnlessAsked")
{
    for (const char *kind : {"sgd", "adamw"}) {
        CAPTURE(kind);
        const auto updated = [kind](const char *setting) {
            const auto parameters = parametersAt(1);
            Optimizer optimizer(optimizing(kind, {setting}), parameters);
            for (const NamedTensor &item : parameters) {
                torch::Tensor tensor = item.tensor;
                tensor.mutable_grad() = torch::zeros_like(tensor);
            }
            optimizer.step(0.1);
            return parameters;
        };
        const auto all = updated("decay_norm_and_bias=true");
        CHECK(all[0].tensor[0][0].item<double>() == doctest::Approx(0.99));
        CHECK(all[1].tensor[0].item<double>() == doctest::Approx(0.99));
        const auto matrices = updated("decay_norm_and_bias=false");
        CHECK(matrices[0].tensor[0][0].item<double>() == doctest::Approx(0.99));
        CHECK(matrices[1].tensor[0].item<double>() == 1);
    }
}
