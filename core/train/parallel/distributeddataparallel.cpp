#include "train/parallel/distributeddataparallel.h"

#include "train/parallel/flattening.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/utils/lambda_post_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/torch.h>
#include <torch/version.h>
#include <unordered_set>
#include <utility>

namespace sweepscope::train {

namespace {

/// A shared_ptr in LibTorch 1.13, an intrusive_ptr in newer ones.
using Accumulator = decltype(torch::autograd::impl::grad_accumulator(std::declval<torch::autograd::Variable &>()));

constexpr std::int64_t questions = 3;

struct Bucket {
    torch::Tensor flat;
    std::size_t missing = 0;  ///< gradients that this step has not brought yet
    std::vector<std::size_t> members{};
    torch::Tensor sent{};  ///< what travels: the flat tensor, or its values in bfloat16
    ProcessGroup::Work work{};
};

struct Parameter {
    torch::Tensor tensor;
    std::string name;
    torch::Tensor view{};  ///< its part of the bucket's flat tensor, in its own shape
    std::size_t bucket = 0;
    bool ready = false;
    bool used = false;  ///< since zeroGradients()
    // autograd holds the accumulator, and with it the hook, only weakly.
    Accumulator accumulator{};
    std::uintptr_t hook = 0;
};

std::vector<torch::Tensor> tensorsIn(const std::vector<NamedTensor> &named)
{
    std::vector<torch::Tensor> tensors;
    for (const NamedTensor &item : named)
        tensors.push_back(item.tensor);
    return tensors;
}

/// The host waits for Gloo, also where gradients lie on a GPU. Moments of several GPUs cannot be compared.
torch::Device clockOf(const std::vector<torch::Tensor> &parameters, const ProcessGroup &group)
{
    for (const torch::Tensor &parameter : parameters) {
        if (group.size() == 1 || group.backend() != Backend::Nccl || parameter.device() != parameters.front().device())
            return torch::kCPU;
    }
    return parameters.empty() ? torch::Device(torch::kCPU) : parameters.front().device();
}

/// Everything that backward from `root` will pass through.
std::unordered_set<const torch::autograd::Node *> reachable(const torch::Tensor &root)
{
    std::unordered_set<const torch::autograd::Node *> seen;
    std::vector<const torch::autograd::Node *> open;
    const auto visit = [&](const torch::autograd::Node *node) {
        if (node != nullptr && seen.insert(node).second)
            open.push_back(node);
    };
    visit(root.grad_fn().get());
    while (!open.empty()) {
        const torch::autograd::Node *node = open.back();
        open.pop_back();
        for (const torch::autograd::Edge &edge : node->next_edges())
            visit(edge.function.get());
    }
    return seen;
}

}  // namespace

struct DistributedDataParallel::State {
    ProcessGroup &group;
    Options options;
    std::vector<Parameter> parameters{};
    std::vector<torch::Tensor> buffers{};  ///< flat, one per type and device
    std::vector<ProcessGroup::Work> buffersUnderWay{};
    std::vector<Bucket> buckets{};
    std::size_t nextBucket = 0;  ///< buckets are launched in order, or ranks would mix them up
    std::vector<std::size_t> readyOrder{};
    bool rebuilt = false;
    bool insideBackward = false;
    Sync sync = Sync::Yes;
    torch::Tensor ballots{};  ///< the end of the last bucket; a separate tensor without buckets
    std::array<torch::Tensor, questions> cast{};
    Exchange exchange{};
    // Gradients of several devices become ready on several threads of autograd.
    std::mutex mutex{};

    void shape(const Buckets &assignment);
    void rebuild();
    void gradientReady(std::size_t index);
    void fill(Parameter &parameter);
    void markReady(std::size_t index);
    void launch(Bucket &bucket);
    static void receive(Bucket &bucket);
    void watch(std::size_t index);
    void prepareBackward(const torch::Tensor &loss);
    void finish();
    void dropUnused();
    torch::Tensor gradientsOf(const Bucket &bucket) const;
};

void DistributedDataParallel::State::shape(const Buckets &assignment)
{
    buckets.clear();
    for (const std::vector<std::size_t> &members : assignment) {
        const bool last = buckets.size() + 1 == assignment.size();
        std::int64_t elements = 0;
        for (const std::size_t index : members)
            elements += parameters[index].tensor.numel();
        Bucket bucket;
        bucket.members = members;
        bucket.flat = torch::zeros({elements + (last ? questions : 0)},
                                   parameters[members.front()].tensor.options().requires_grad(false));
        std::int64_t start = 0;
        for (const std::size_t index : members) {
            Parameter &parameter = parameters[index];
            const std::int64_t length = parameter.tensor.numel();
            // In the parameter's own order of dimensions: optimizers may walk through both at once.
            parameter.view = parameter.tensor.is_non_overlapping_and_dense()
                                 ? bucket.flat.as_strided(parameter.tensor.sizes(), parameter.tensor.strides(), start)
                                 : bucket.flat.narrow(0, start, length).view(parameter.tensor.sizes());
            parameter.bucket = buckets.size();
            start += length;
        }
        if (last)
            ballots = bucket.flat.narrow(0, elements, questions);
        buckets.push_back(std::move(bucket));
    }
    if (buckets.empty())
        ballots = torch::zeros({questions});
}

/// Every rank takes rank 0's order: ranks may differ in theirs, but must not in the buckets.
void DistributedDataParallel::State::rebuild()
{
    rebuilt = true;
    torch::Tensor order = torch::empty({static_cast<std::int64_t>(parameters.size())}, torch::kInt64);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        order.data_ptr<std::int64_t>()[i] = static_cast<std::int64_t>(readyOrder[i]);
    group.broadcast(order, 0);
    readyOrder.clear();
    std::vector<torch::Tensor> tensors;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        readyOrder.push_back(static_cast<std::size_t>(order.data_ptr<std::int64_t>()[i]));
        tensors.push_back(parameters[i].tensor);
    }
    shape(assignBuckets(tensors, readyOrder, options.limits));
}

void DistributedDataParallel::State::gradientReady(std::size_t index)
{
    const std::lock_guard lock(mutex);
    Parameter &parameter = parameters[index];
    TORCH_CHECK(insideBackward, "parameter ", parameter.name,
                " got a gradient outside DistributedDataParallel::backward(): call that instead of loss.backward()");
    parameter.used = true;
    if (sync == Sync::No)
        return;
    TORCH_CHECK(!parameter.ready, "parameter ", parameter.name, " got two gradients in one backward pass");
    fill(parameter);
    markReady(index);
}

/// The gradient moves into the bucket, scaled, in one pass.
void DistributedDataParallel::State::fill(Parameter &parameter)
{
    const torch::NoGradGuard noGrad;
    torch::Tensor &gradient = parameter.tensor.mutable_grad();
    const double scale = 1.0 / group.size();
    if (!gradient.defined()) {
        parameter.view.zero_();
    } else if (gradient.is_alias_of(parameter.view)) {
        parameter.view.mul_(scale);
    } else if (group.size() == 1) {
        parameter.view.copy_(gradient);
    } else {
        at::mul_out(parameter.view, gradient, torch::scalar_tensor(scale, gradient.options().device(torch::kCPU)));
    }
    gradient = parameter.view;
}

void DistributedDataParallel::State::markReady(std::size_t index)
{
    parameters[index].ready = true;
    if (!rebuilt)
        readyOrder.push_back(index);
    --buckets[parameters[index].bucket].missing;
    while (nextBucket < buckets.size() && buckets[nextBucket].missing == 0)
        launch(buckets[nextBucket++]);
}

void DistributedDataParallel::State::launch(Bucket &bucket)
{
    const torch::NoGradGuard noGrad;
    if (&bucket == &buckets.back()) {
        ballots.zero_();
        for (std::size_t i = 0; i < cast.size(); ++i) {
            if (cast[i].defined())
                ballots[static_cast<std::int64_t>(i)].copy_(cast[i], /*non_blocking=*/true);
        }
    }
    const Moment launched = Moment::on(exchange.clock());
    const bool isNarrowed = options.sendsBf16 && group.size() > 1 && bucket.flat.scalar_type() == torch::kFloat32;
    bucket.sent = isNarrowed ? bucket.flat.to(torch::kBFloat16) : bucket.flat;
    bucket.work = group.startSum(bucket.sent);
    if (bucket.work)
        exchange.add(launched, bucket.work);
}

void DistributedDataParallel::State::receive(Bucket &bucket)
{
    const torch::NoGradGuard noGrad;
    if (bucket.sent.defined() && !bucket.sent.is_same(bucket.flat))
        bucket.flat.copy_(bucket.sent);
    bucket.sent.reset();
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

void DistributedDataParallel::State::prepareBackward(const torch::Tensor &loss)
{
    for (Bucket &bucket : buckets) {
        bucket.missing = bucket.members.size();
        bucket.work = {};
    }
    for (Parameter &parameter : parameters)
        parameter.ready = false;
    nextBucket = 0;
    exchange = Exchange(exchange.clock());
    if (!rebuilt)
        readyOrder.clear();
    insideBackward = true;
    if (!options.findUnused || sync == Sync::No)
        return;
    // What this backward will not reach is ready from the start, so that it holds no bucket up. Batches before this one
    // may have left a gradient there.
    const auto nodes = reachable(loss);
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!nodes.contains(parameters[i].accumulator.get())) {
            fill(parameters[i]);
            markReady(i);
        }
    }
}

void DistributedDataParallel::State::finish()
{
    for (const Parameter &parameter : parameters)
        TORCH_CHECK(parameter.ready, "parameter ", parameter.name,
                    " got no gradient in this step; if this is intended, set find_unused");
    if (buckets.empty()) {
        for (std::size_t i = 0; i < cast.size(); ++i)
            ballots[static_cast<std::int64_t>(i)] =
                cast[i].defined() ? cast[i].to(torch::kCPU, torch::kFloat32) : torch::zeros({});
        group.sum(ballots);
    }
    exchange.backwardIsDone();
    for (Bucket &bucket : buckets) {
        group.wait(bucket.work);
        receive(bucket);
    }
    if (options.findUnused)
        dropUnused();
    cast = {};
    exchange.isComplete();
}

/// Gradients that no rank has become undefined again.
void DistributedDataParallel::State::dropUnused()
{
    torch::Tensor used = torch::zeros({static_cast<std::int64_t>(parameters.size())}, torch::kInt32);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        used.data_ptr<std::int32_t>()[i] = parameters[i].used ? 1 : 0;
    group.sum(used);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (used.data_ptr<std::int32_t>()[i] == 0)
            parameters[i].tensor.mutable_grad().reset();
    }
}

DistributedDataParallel::DistributedDataParallel(std::vector<NamedTensor> parameters, std::vector<NamedTensor> buffers,
                                                 ProcessGroup &group, const Options &options)
    : m_state(new State{group, options})
{
    std::vector<NamedTensor> all = parameters;
    all.insert(all.end(), buffers.begin(), buffers.end());
    requireSameShapes(all, group);
#if TORCH_VERSION_MAJOR < 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 2)
    TORCH_CHECK(!options.sendsBf16 || group.size() == 1 || group.backend() == Backend::Nccl,
                "exchange_precision: Gloo sends bf16 with LibTorch 2.2 or newer, and this is ", TORCH_VERSION);
#endif

    takeFromRank0(tensorsIn(all), group);
    m_state->buffers = flattened(tensorsIn(buffers));

    std::vector<torch::Tensor> trained;
    for (NamedTensor &item : parameters) {
        if (item.tensor.requires_grad()) {
            trained.push_back(item.tensor);
            m_state->parameters.push_back({item.tensor, item.name});
        }
    }
    m_state->exchange = Exchange(clockOf(trained, group));
    m_state->shape(assignBuckets(trained, options.limits));
    for (std::size_t i = 0; i < m_state->parameters.size(); ++i)
        m_state->watch(i);
}

DistributedDataParallel::DistributedDataParallel(torch::nn::Module &module, ProcessGroup &group, const Options &options)
    : DistributedDataParallel(namedParameters(module), namedBuffers(module), group, options)
{}

DistributedDataParallel::~DistributedDataParallel()
{
    // The accumulators may outlive this object (a graph keeps them); their hooks point into it.
    for (const Parameter &parameter : m_state->parameters)
        parameter.accumulator->del_post_hook(parameter.hook);
}

void DistributedDataParallel::zeroGradients()
{
    if (!m_state->rebuilt && !m_state->options.findUnused && !m_state->readyOrder.empty())
        m_state->rebuild();
    for (Parameter &parameter : m_state->parameters) {
        parameter.tensor.mutable_grad().reset();
        parameter.used = false;
    }
}

void DistributedDataParallel::prepareForward()
{
    startBuffers();
    awaitBuffers();
}

void DistributedDataParallel::startBuffers()
{
    if (!m_state->options.broadcastBuffers || m_state->group.size() == 1)
        return;
    const torch::NoGradGuard noGrad;
    for (torch::Tensor &buffer : m_state->buffers)
        m_state->buffersUnderWay.push_back(m_state->group.startBroadcast(buffer, 0));
}

void DistributedDataParallel::awaitBuffers()
{
    for (const ProcessGroup::Work &work : m_state->buffersUnderWay)
        m_state->group.wait(work);
    m_state->buffersUnderWay.clear();
}

void DistributedDataParallel::backward(const torch::Tensor &loss, Sync sync)
{
    m_state->sync = sync;
    m_state->prepareBackward(loss);
    try {
        loss.backward();
    } catch (...) {
        m_state->insideBackward = false;
        throw;
    }
    m_state->insideBackward = false;
    if (sync == Sync::Yes)
        m_state->finish();
}

void DistributedDataParallel::vote(Question question, const torch::Tensor &ballot)
{
    m_state->cast[static_cast<std::size_t>(question)] = ballot.detach();
}

void DistributedDataParallel::vote(Question question, double ballot)
{
    // Made where it is needed: a copy to a GPU would wait for it.
    m_state->cast[static_cast<std::size_t>(question)] =
        ballot != 0 ? torch::full({}, ballot, m_state->ballots.options()) : torch::Tensor();
}

const torch::Tensor &DistributedDataParallel::votes() const
{
    return m_state->ballots;
}

/// A bucket without the ballots.
torch::Tensor DistributedDataParallel::State::gradientsOf(const Bucket &bucket) const
{
    const bool isLast = &bucket == &buckets.back();
    return bucket.flat.narrow(0, 0, bucket.flat.numel() - (isLast ? questions : 0));
}

// In float32 whatever the gradients are: squares of halves soon are infinite.
torch::Tensor DistributedDataParallel::gradientNorm() const
{
    const torch::NoGradGuard noGrad;
    torch::Tensor squares;
    for (const Bucket &bucket : m_state->buckets) {
        const torch::Tensor gradients = m_state->gradientsOf(bucket).to(torch::kFloat32);
        const torch::Tensor more =
            torch::dot(gradients, gradients).to(m_state->ballots.device(), /*non_blocking=*/true);
        squares = squares.defined() ? squares + more : more;
    }
    return squares.defined() ? squares.sqrt_() : torch::zeros({}, m_state->ballots.options());
}

torch::Tensor DistributedDataParallel::clipGradients(double largest)
{
    const torch::NoGradGuard noGrad;
    // The norm of norms, as in Python: another order of additions would be another number.
    std::map<std::string, std::vector<torch::Tensor>> byDevice;
    for (const Parameter &parameter : m_state->parameters) {
        if (const torch::Tensor &gradient = parameter.tensor.grad(); gradient.defined())
            byDevice[gradient.device().str()].push_back(gradient.to(torch::kFloat32));
    }
    std::vector<torch::Tensor> norms;
    for (const auto &[device, gradients] : byDevice) {
        for (const torch::Tensor &norm : at::_foreach_norm(gradients, 2))
            norms.push_back(norm.to(m_state->ballots.device(), /*non_blocking=*/true));
    }
    if (norms.empty())
        return torch::zeros({}, m_state->ballots.options());
    const torch::Tensor total = torch::norm(torch::stack(norms), 2);
    const torch::Tensor factor = (largest / (total + 1e-6)).clamp_max(1.0);
    for (const Bucket &bucket : m_state->buckets)
        m_state->gradientsOf(bucket).mul_(factor.to(bucket.flat.device()));
    return total;
}

const std::vector<torch::Tensor> &DistributedDataParallel::flatBuffers() const
{
    return m_state->buffers;
}

const Exchange &DistributedDataParallel::exchange() const
{
    return m_state->exchange;
}

std::size_t DistributedDataParallel::bucketCount() const
{
    return m_state->buckets.size();
}

const std::vector<std::size_t> &DistributedDataParallel::readyOrder() const
{
    return m_state->readyOrder;
}

std::vector<NamedTensor> namedParameters(const torch::nn::Module &module)
{
    std::vector<NamedTensor> all;
    for (const auto &item : module.named_parameters())
        all.push_back({item.key(), item.value()});
    return withoutTwins(std::move(all));
}

std::vector<NamedTensor> namedBuffers(const torch::nn::Module &module)
{
    std::vector<NamedTensor> all;
    for (const auto &item : module.named_buffers())
        all.push_back({item.key(), item.value()});
    return withoutTwins(std::move(all));
}

}  // namespace sweepscope::train
