#include "train/parallel/distributeddataparallel.h"

#include "train/parallel/shapecheck.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/utils/lambda_post_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/torch.h>
#include <utility>

namespace sweepscope::train {

namespace {

/// A shared_ptr in LibTorch 1.13, an intrusive_ptr in newer ones.
using Accumulator = decltype(torch::autograd::impl::grad_accumulator(std::declval<torch::autograd::Variable &>()));

struct Bucket {
    torch::Tensor flat;
    std::size_t missing = 0;  ///< gradients that this step has not brought yet
    std::size_t members = 0;
    ProcessGroup::Work work{};
};

struct Parameter {
    torch::Tensor tensor;
    std::string name;
    torch::Tensor view{};  ///< its part of the bucket's flat tensor, in its own shape
    std::size_t bucket = 0;
    bool ready = false;
    // autograd holds the accumulator, and with it the hook, only weakly.
    Accumulator accumulator{};
    std::uintptr_t hook = 0;
};

}  // namespace

struct DistributedDataParallel::State {
    ProcessGroup &group;
    std::vector<Parameter> parameters{};
    std::vector<torch::Tensor> buffers{};
    std::vector<Bucket> buckets{};
    std::size_t nextBucket = 0;  ///< buckets are launched in order, or ranks would mix them up
    bool expecting = false;

    void gradientReady(std::size_t index);
    void watch(std::size_t index);
};

void DistributedDataParallel::State::gradientReady(std::size_t index)
{
    Parameter &parameter = parameters[index];
    TORCH_CHECK(expecting, "parameter ", parameter.name, " got a gradient outside prepareStep() and finishStep()");
    TORCH_CHECK(!parameter.ready, "parameter ", parameter.name, " got two gradients in one step");
    parameter.ready = true;

    torch::Tensor &gradient = parameter.tensor.mutable_grad();
    if (!gradient.is_alias_of(parameter.view)) {  // somebody set the gradient to none or to a tensor of their own
        const torch::NoGradGuard noGrad;
        parameter.view.copy_(gradient);
        gradient = parameter.view;
    }
    --buckets[parameter.bucket].missing;
    while (nextBucket < buckets.size() && buckets[nextBucket].missing == 0) {
        Bucket &bucket = buckets[nextBucket++];
        const torch::NoGradGuard noGrad;
        bucket.flat.div_(group.size());
        bucket.work = group.startSum(bucket.flat);
    }
}

void DistributedDataParallel::State::watch(std::size_t index)
{
    Parameter &parameter = parameters[index];
    parameter.accumulator = torch::autograd::impl::grad_accumulator(parameter.tensor);
    parameter.hook = parameter.accumulator->add_post_hook(std::make_unique<torch::autograd::utils::LambdaPostHook>(
        [this, index](const torch::autograd::variable_list &outputs, const torch::autograd::variable_list &) {
            gradientReady(index);
            return outputs;
        }));
}

DistributedDataParallel::DistributedDataParallel(torch::nn::Module &module, ProcessGroup &group,
                                                 const BucketLimits &limits)
    : m_state(new State{group})
{
    std::vector<NamedTensor> all;
    for (const auto &item : module.named_parameters())
        all.push_back({item.key(), item.value()});
    for (const auto &item : module.named_buffers())
        all.push_back({item.key(), item.value()});
    requireSameShapes(all, group);

    const torch::NoGradGuard noGrad;
    for (NamedTensor &item : all)
        group.broadcast(item.tensor, 0);

    std::vector<torch::Tensor> trained;
    for (const auto &item : module.named_parameters()) {
        if (item.value().requires_grad()) {
            trained.push_back(item.value());
            m_state->parameters.push_back({item.value(), item.key()});
        }
    }
    m_state->buffers = module.buffers();

    for (const std::vector<std::size_t> &members : assignBuckets(trained, limits)) {
        std::int64_t elements = 0;
        for (const std::size_t index : members)
            elements += trained[index].numel();
        Bucket bucket;
        bucket.members = members.size();
        bucket.flat = torch::zeros({elements}, trained[members.front()].options().requires_grad(false));
        std::int64_t start = 0;
        for (const std::size_t index : members) {
            Parameter &parameter = m_state->parameters[index];
            const std::int64_t length = parameter.tensor.numel();
            parameter.view = bucket.flat.narrow(0, start, length).view(parameter.tensor.sizes());
            parameter.bucket = m_state->buckets.size();
            start += length;
        }
        m_state->buckets.push_back(std::move(bucket));
    }
    for (std::size_t i = 0; i < m_state->parameters.size(); ++i)
        m_state->watch(i);
}

DistributedDataParallel::~DistributedDataParallel()
{
    // The accumulators may outlive this object (a graph keeps them); their hooks point into it.
    for (const Parameter &parameter : m_state->parameters) {
        parameter.accumulator->del_post_hook(parameter.hook);
    }
}

void DistributedDataParallel::prepareStep()
{
    const torch::NoGradGuard noGrad;
    for (torch::Tensor &buffer : m_state->buffers)
        m_state->group.broadcast(buffer, 0);
    for (Bucket &bucket : m_state->buckets) {
        bucket.flat.zero_();
        bucket.missing = bucket.members;
        bucket.work.reset();
    }
    for (Parameter &parameter : m_state->parameters) {
        parameter.tensor.mutable_grad() = parameter.view;
        parameter.ready = false;
    }
    m_state->nextBucket = 0;
    m_state->expecting = true;
}

void DistributedDataParallel::finishStep()
{
    m_state->expecting = false;
    for (const Parameter &parameter : m_state->parameters)
        TORCH_CHECK(parameter.ready, "parameter ", parameter.name, " got no gradient in this step");
    for (Bucket &bucket : m_state->buckets)
        m_state->group.wait(bucket.work);
}

std::size_t DistributedDataParallel::bucketCount() const
{
    return m_state->buckets.size();
}

}  // namespace sweepscope::train
