// Returns the indexes of sweepscope's samplers and splits for tst_samplers.py: a JSON list of cases on standard input,
// a JSON list of index lists on standard output.
#include "train/data/randomsplit.h"
#include "train/data/sampleorder.h"
#include "train/parallel/distributedsampler.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <torch/torch.h>

using nlohmann::json;
using namespace sweepscope::train;

namespace {

json listOf(const torch::Tensor &tensor)
{
    const torch::Tensor flat = tensor.contiguous();
    return std::vector<std::int64_t>(flat.data_ptr<std::int64_t>(), flat.data_ptr<std::int64_t>() + flat.numel());
}

json listsOf(const std::vector<torch::Tensor> &tensors)
{
    json lists = json::array();
    for (const torch::Tensor &tensor : tensors)
        lists.push_back(listOf(tensor));
    return lists;
}

json answer(const json &question)
{
    const std::string kind = question.at("kind");
    const auto seed = question.value("seed", std::uint64_t{0});
    if (kind == "distributed") {
        const DistributedSampler sampler(
            question.at("count"), question.at("ranks"), question.at("rank"),
            {.shuffle = question.at("shuffle"), .seed = seed, .dropLast = question.at("drop_last")});
        return listOf(sampler.epoch(question.at("epoch")));
    }
    if (kind == "lengths")
        return listsOf(randomSplit(question.at("lengths").get<std::vector<std::int64_t>>(), seed));
    if (kind == "fractions")
        return listsOf(randomSplit(question.at("count").get<std::int64_t>(),
                                   question.at("fractions").get<std::vector<double>>(), seed));
    if (kind == "weighted")
        return listOf(weightedIndices(torch::tensor(question.at("weights").get<std::vector<double>>(), torch::kFloat64),
                                      question.at("draws"), seed));
    if (kind == "contiguous") {
        const Partition part = contiguousPartition(question.at("count"), question.at("ranks"), question.at("rank"));
        return {part.start, part.size};
    }
    throw std::runtime_error("unknown kind " + kind);
}

}  // namespace

int main()
{
    json answers = json::array();
    for (const json &question : json::parse(std::cin))
        answers.push_back(answer(question));
    std::cout << answers << '\n';
    return 0;
}
