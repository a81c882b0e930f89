#include "temporaryfolder.h"
#include "train/batch.h"
#include "train/data/augment.h"
#include "train/loss.h"
#include "train/model.h"
#include "train/models/layerednetwork.h"
#include "train/models/scriptnetwork.h"

#include "parsedsettings.h"
#include "rankthreads.h"
#include "train/autocast.h"
#include "train/models/syncbatchnorm.h"
#include "train/trainingerror.h"

#include <array>
#include <doctest/doctest.h>
#include <torch/script.h>
#include <torch/torch.h>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

const ModelShape digitShape{.height = 8, .width = 8, .outputs = 10};

std::vector<torch::Device> cpus(std::size_t count)
{
    return std::vector<torch::Device>(count, torch::Device(torch::kCPU));
}

/// Returns the gradients of one batch, concatenated.
torch::Tensor gradients(Network &network, const torch::Tensor &inputs)
{
    network.forward(inputs).pow(2).mean().backward();
    network.collectGradients();
    std::vector<torch::Tensor> flat;
    for (const NamedTensor &item : network.parameters())
        flat.push_back(item.tensor.grad().reshape({-1}));
    return torch::cat(flat);
}

}  // namespace

TEST_CASE("stagesAndReplicasComputeTheSameAsOneDevice")
{
    torch::manual_seed(1);
    const torch::Tensor inputs = torch::randn({7, 1, 8, 8});
    for (const char *model : {"mlp", "cnn"}) {
        CAPTURE(model);
        const std::string named = std::string("model=") + model;
        const auto whole = makeNetwork(settings({named}), digitShape, cpus(1));
        const torch::Tensor expected = gradients(*whole, inputs);
        for (const char *parallel : {"parallel=model", "parallel=hybrid", "parallel=data_parallel"}) {
            CAPTURE(parallel);
            const auto network = makeNetwork(settings({named, parallel}), digitShape, cpus(3));
            CHECK(network->forward(inputs).allclose(whole->forward(inputs), 1e-5, 1e-6));
            CHECK(gradients(*network, inputs).allclose(expected, 1e-4, 1e-6));
        }
    }
}

TEST_CASE("replicasFollowTheWeightsOfTheFirst")
{
    const auto network = makeNetwork(settings({"parallel=data_parallel"}), digitShape, cpus(2));
    {
        const torch::NoGradGuard noGrad;
        for (NamedTensor &item : network->parameters())
            item.tensor.fill_(0.5);
    }
    network->weightsChanged();
    const torch::Tensor scores = network->forward(torch::ones({2, 1, 8, 8}));
    CHECK(scores[0].equal(scores[1]));
}

TEST_CASE("resnetHasTheLayersOfThePaper")
{
    const auto network = makeNetwork(settings({"model=resnet", "layers=3"}),
                                     {.channels = 3, .height = 32, .width = 32, .outputs = 10}, cpus(1));
    std::int64_t count = 0;
    for (const NamedTensor &item : network->parameters())
        count += item.tensor.numel();
    CHECK(count == 272474);  // 0.27 million as in table 6 of the paper, with projection shortcuts
    CHECK(network->forward(torch::zeros({2, 3, 32, 32})).sizes() == std::vector<std::int64_t>{2, 10});
}

TEST_CASE("transformerDoesNotSeeLaterTokens")
{
    const auto network =
        makeNetwork(settings({"model=transformer", "layers=2", "hidden=16", "heads=2"}),
                    {.kind = SampleKind::Tokens, .context = 6, .vocabulary = 9, .outputs = 9}, cpus(1));
    network->train(false);
    const torch::Tensor text = torch::tensor({{1, 2, 3, 4, 5, 6}}, torch::kInt64);
    torch::Tensor other = text.clone();
    other[0][4] = 8;
    const torch::Tensor difference = (network->forward(text) - network->forward(other)).abs().sum(2)[0];
    CHECK(difference.narrow(0, 0, 4).max().item<float>() == 0);
    CHECK(difference[4].item<float>() > 0);
    CHECK(difference[5].item<float>() > 0);
}

TEST_CASE("torchScriptFileIsTrainedFromItsOwnWeights")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "model.pt").string();
    torch::jit::Module module("Scaled");
    module.register_parameter("weight", torch::ones({64, 10}, torch::requires_grad()), false);
    module.register_buffer("offset", torch::full({10}, 2.0F));
    module.define("def forward(self, x):\n    return torch.mm(torch.flatten(x, 1), self.weight) + self.offset\n");
    module.save(file);
    for (const char *parallel : {"parallel=ddp", "parallel=data_parallel"}) {
        const auto network =
            makeNetwork(settings({"model=torchscript", "model_file=" + file, parallel}), digitShape, cpus(2));
        REQUIRE(network->parameters().size() == 1);
        CHECK(network->parameters()[0].name == "weight");
        CHECK(network->buffers().size() == 1);
        CHECK(network->forward(torch::ones({2, 1, 8, 8}))[1][3].item<float>() == 66);
        CHECK(gradients(*network, torch::ones({2, 1, 8, 8})).numel() == 640);
    }
    const auto missing = settings({"model=torchscript", "model_file=/nowhere.pt"});
    CHECK_THROWS_WITH_AS(makeNetwork(missing, digitShape, cpus(1)),
                         doctest::Contains("/nowhere.pt is not a TorchScript file"), InputError);
}

TEST_CASE("torchScriptFileIsTriedOnTheData")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "model.pt").string();
    TrialData data;
    data.kind = SampleKind::Features;
    data.outputs = 3;
    data.train = {torch::ones({4, 5}), torch::tensor({0, 1, 2, 0}, torch::kInt64)};
    data.normalisation = {torch::zeros({5}), torch::ones({5})};
    const auto tried = [&](const std::string &expression, Task task = Task::Classification) {
        torch::jit::Module module("Net");
        module.register_parameter("weight", torch::ones({5, 2}, torch::requires_grad()), false);
        module.define("def forward(self, x):\n    return " + expression + "\n");
        module.save(file);
        data.task = task;
        const auto fits = checkScript(settings({"model=torchscript", "model_file=" + file}), data);
        return fits ? std::string() : fits.error().message;
    };
    CHECK(tried("torch.mm(x, self.weight)") == "model_file: " + file + " returns 2 scores, but the data has 3 classes");
    CHECK(tried("torch.mm(x, self.weight).repeat([1, 2])").empty());
    CHECK(tried("torch.mm(x, self.weight).sum(1)")
              .find("returns a tensor of shape [2] for 2 samples; expected N x classes")
          != std::string::npos);
    CHECK(tried("torch.mm(x, x)").find("fails for inputs of shape [2, 5]: ") != std::string::npos);
    CHECK(tried("torch.mm(x, self.weight)", Task::Regression)
              .find("returns 2 numbers for each sample, but the data has 3")
          != std::string::npos);
    data.outputs = 1;
    CHECK(tried("torch.mm(x, self.weight).sum(1)", Task::Regression).empty());
}

TEST_CASE("tiedWeightsOfATorchScriptFileAreOneParameter")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "tied.pt").string();
    const torch::Tensor weight = torch::ones({64, 10}, torch::requires_grad());
    torch::jit::Module module("Tied");
    module.register_parameter("encoder", weight, false);
    module.register_parameter("decoder", weight, false);
    module.define("def forward(self, x):\n    x = torch.flatten(x, 1)\n"
                  "    return torch.mm(x, self.encoder) + torch.mm(2 * x, self.decoder)\n");
    module.save(file);
    const auto network = makeNetwork(settings({"model=torchscript", "model_file=" + file}), digitShape, cpus(1));
    REQUIRE(network->parameters().size() == 1);
    CHECK(network->parameters()[0].name == "encoder");
    // The shared weight has one gradient, the sum of both uses.
    network->forward(torch::ones({1, 1, 8, 8})).sum().backward();
    CHECK(network->parameters()[0].tensor.grad()[0][0].item<float>() == 3);
}

TEST_CASE("scoresAndTargetsOfARegressionAreComparedOneByOne")
{
    const torch::Tensor scores = torch::tensor({1.0F, 2.0F, 4.0F});
    const torch::Tensor targets = torch::tensor({1.0F, 2.0F, 3.0F}).reshape({3, 1});
    const double loss = computeLoss(Task::Regression, scores, targets, 0, Reduction::Mean).item<double>();
    CHECK(loss == doctest::Approx(1.0 / 3));
    CHECK_THROWS_WITH_AS(computeLoss(Task::Regression, torch::ones({3, 2}), targets, 0, Reduction::Mean),
                         doctest::Contains("the targets have"), c10::Error);
}

TEST_CASE("modelsThatDoNotFitTheDataAreRefused")
{
    const auto refusal = [](const std::vector<std::string> &assignments, const ModelShape &shape) {
        const auto checked = checkModel(settings(assignments), shape);
        return checked ? std::string() : checked.error().message;
    };
    const ModelShape table{.kind = SampleKind::Features, .columns = 4, .outputs = 2};
    const ModelShape text{.kind = SampleKind::Tokens, .context = 4, .vocabulary = 9, .outputs = 9};
    CHECK(refusal({"model=cnn"}, table).find("needs images") != std::string::npos);
    CHECK(refusal({"model=mlp"}, table).empty());
    CHECK(refusal({"model=mlp"}, text).find("use transformer") != std::string::npos);
    CHECK(refusal({"model=transformer"}, digitShape).find("needs dataset text") != std::string::npos);
    CHECK(refusal({"model=transformer", "heads=3"}, text).find("heads: 3 does not divide hidden = 64")
          != std::string::npos);
    CHECK(refusal({"model=torchscript"}, table).find("model_file") != std::string::npos);
}

TEST_CASE("imagesAreMirroredAndShifted")
{
    const std::vector<std::uint8_t> image{1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::vector<std::uint8_t> changed(9);
    const ImageSize size{1, 3, 3};
    changeImage(image.data(), changed.data(), size, {.flip = true});
    CHECK(changed == std::vector<std::uint8_t>{3, 2, 1, 6, 5, 4, 9, 8, 7});
    changeImage(image.data(), changed.data(), size, {.down = 1, .right = -1});
    CHECK(changed == std::vector<std::uint8_t>{0, 0, 0, 2, 3, 0, 5, 6, 0});
}

TEST_CASE("augmentationDependsOnlyOnSeedEpochAndImage")
{
    const ImageSize size{1, 32, 32};
    const Augmentation first{.flip = true, .crop = true, .seed = 4, .epoch = 1};
    Augmentation second = first;
    second.epoch = 2;
    int flips = 0;
    int same = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const ImageChange change = drawChange(first, size, i);
        const ImageChange again = drawChange(first, size, i);
        CHECK(change.flip == again.flip);
        CHECK(std::abs(change.down) <= 4);
        CHECK(std::abs(change.right) <= 4);
        flips += change.flip ? 1 : 0;
        const ImageChange other = drawChange(second, size, i);
        same += change.flip == other.flip && change.down == other.down && change.right == other.right ? 1 : 0;
    }
    CHECK(flips > 400);
    CHECK(flips < 600);
    CHECK(same < 50);
}

TEST_CASE("recomputedBlocksHaveTheSameGradients")
{
    const ModelShape text{.kind = SampleKind::Tokens, .context = 8, .vocabulary = 20};
    torch::manual_seed(2);
    const torch::Tensor images = torch::randn({6, 1, 8, 8});
    const torch::Tensor tokens = torch::randint(20, {6, 8}, torch::kInt64);
    for (const char *precision : {"precision=float32", "precision=bf16"}) {
        for (const bool isText : {false, true}) {
            CAPTURE(isText);
            std::vector<std::string> chosen{precision};
            if (isText)
                chosen.insert(chosen.end(), {"model=transformer", "hidden=16", "layers=3", "dropout=0.3"});
            else
                chosen.insert(chosen.end(), {"model=resnet", "layers=2"});
            const auto plain = makeNetwork(settings(chosen), isText ? text : digitShape, cpus(1));
            chosen.emplace_back("activation_checkpointing=true");
            const auto recomputing = makeNetwork(settings(chosen), isText ? text : digitShape, cpus(1));
            const auto run = [&](Network &network) {
                torch::manual_seed(5);  // for dropout
                torch::Tensor scores;
                {
                    const Bf16Autocast autocast(precision == std::string("precision=bf16"), torch::kCPU);
                    scores = network.forward(isText ? tokens : images);
                }
                scores.to(torch::kFloat32).pow(2).mean().backward();
                std::vector<torch::Tensor> flat;
                for (const NamedTensor &item : network.parameters())
                    flat.push_back(item.tensor.grad().reshape({-1}));
                for (const NamedTensor &item : network.buffers())
                    flat.push_back(item.tensor.to(torch::kFloat32).reshape({-1}));
                flat.push_back(torch::rand({4}));  // generators stand where they would
                return torch::cat(flat);
            };
            CHECK(run(*recomputing).equal(run(*plain)));
        }
    }
    CHECK_FALSE(
        checkModel(settings({"model=resnet", "activation_checkpointing=true", "find_unused=true"}), digitShape));
}

TEST_CASE("batchNormOverRanksIsThatOfTheWholeBatch")
{
    torch::manual_seed(3);
    const torch::Tensor inputs = torch::randn({10, 4, 3, 3}) * 2 + 5;
    const torch::Tensor weights = torch::randn({10, 4, 3, 3});
    const auto normed = [&](ProcessGroup *group, std::int64_t begin, std::int64_t rows) {
        SyncBatchNorm2d norm(4, group);
        auto parameters = norm->named_parameters();
        auto buffers = norm->named_buffers();
        parameters["weight"].data().copy_(torch::arange(1, 5));
        torch::Tensor mine = inputs.narrow(0, begin, rows).clone().requires_grad_();
        const torch::Tensor outputs = norm->forward(mine);
        (outputs * weights.narrow(0, begin, rows)).sum().backward();
        std::vector<torch::Tensor> results{outputs.detach(),
                                           mine.grad(),
                                           parameters["weight"].grad(),
                                           parameters["bias"].grad(),
                                           buffers["running_mean"],
                                           buffers["running_var"],
                                           buffers["num_batches_tracked"]};
        norm->eval();
        results.push_back(norm->forward(mine).detach());
        return results;
    };
    const auto whole = normed(nullptr, 0, 10);
    std::array<std::vector<torch::Tensor>, 2> ranks;
    requireRanks(2, [&](int rank, ProcessGroup &group) {
        ranks[static_cast<std::size_t>(rank)] = normed(&group, rank == 0 ? 0 : 7, rank == 0 ? 7 : 3);
    });
    const auto close = [](const torch::Tensor &a, const torch::Tensor &b) { return a.allclose(b, 1e-4, 1e-5); };
    for (const std::size_t part : {std::size_t{0}, std::size_t{1}, std::size_t{7}})
        CHECK(close(torch::cat({ranks[0][part], ranks[1][part]}), whole[part]));
    for (const std::size_t sum : {std::size_t{2}, std::size_t{3}})
        CHECK(close(ranks[0][sum] + ranks[1][sum], whole[sum]));
    for (const std::size_t same : {std::size_t{4}, std::size_t{5}, std::size_t{6}}) {
        CHECK(close(ranks[0][same], whole[same]));
        CHECK(ranks[0][same].equal(ranks[1][same]));
    }
}
