#include "train/parallel/processgroup.h"

#include <cstdlib>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/torch.h>
#include <torch/version.h>
#ifdef SWEEPSCOPE_NCCL
#include <ATen/cuda/CUDAContextLight.h>
#include <array>
#include <c10/cuda/CUDAFunctions.h>
#include <cstring>
#include <map>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#include <unistd.h>
#endif

namespace sweepscope::train {

namespace {

#if TORCH_VERSION_MAJOR >= 2
// Since 2.0 Gloo and NCCL are backends that a process group composes; their calls stayed the same.
using C10dBackend = c10d::Backend;
#else
using C10dBackend = c10d::ProcessGroup;
#endif

c10::intrusive_ptr<C10dBackend> makeGloo(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size,
                                         bool loopback, std::chrono::milliseconds timeout)
{
    auto options = c10d::ProcessGroupGloo::Options::create(timeout);
    const char *interface = std::getenv("GLOO_SOCKET_IFNAME");
    if (interface != nullptr && *interface != '\0')
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(interface));
    else if (loopback)
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
    else
        options->devices.push_back(c10d::ProcessGroupGloo::createDefaultDevice());
    return c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size, options);
}

#ifdef SWEEPSCOPE_NCCL
c10::intrusive_ptr<C10dBackend> makeNccl(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size,
                                         std::chrono::milliseconds timeout)
{
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = timeout;
    return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, size, options);
}

std::string uuidOf(int index)
{
    const cudaDeviceProp &properties = *at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(index));
    const auto *bytes = reinterpret_cast<const unsigned char *>(properties.uuid.bytes);
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof properties.uuid.bytes; ++i) {
        constexpr const char *digits = "0123456789abcdef";
        const bool isBoundary = i == 4 || i == 6 || i == 8 || i == 10;
        text += (isBoundary ? "-" : "") + std::string{digits[bytes[i] >> 4], digits[bytes[i] & 15]};
    }
    return text;
}

/// NCCL would hang or fail in its own words when two ranks came with one GPU. Throws on every rank.
void requireOwnGpu(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size, int index)
{
    const cudaDeviceProp &properties = *at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(index));
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    const auto *uuid = reinterpret_cast<const unsigned char *>(properties.uuid.bytes);
    std::vector<std::uint8_t> mine(uuid, uuid + sizeof properties.uuid.bytes);
    mine.insert(mine.end(), host.data(), host.data() + std::strlen(host.data()));
    const auto key = [](int of) { return "gpu/" + std::to_string(of); };
    store->set(key(rank), mine);
    std::map<std::vector<std::uint8_t>, int> owners;
    for (int other = 0; other < size; ++other) {
        const auto [owner, own] = owners.emplace(store->get(key(other)), other);
        TORCH_CHECK(own, "ranks ", owner->second, " and ", other,
                    " would use the same GPU, but NCCL needs one for each rank; use fewer ranks, or backend gloo");
    }
}
#endif

}  // namespace

std::string toString(Backend backend)
{
    return backend == Backend::Nccl ? "nccl" : "gloo";
}

Expected<Backend> chooseBackend(const std::string &wanted)
{
    if (wanted == "gloo")
        return Backend::Gloo;
#ifdef SWEEPSCOPE_NCCL
    const bool gpu = torch::cuda::is_available();
    if (gpu)
        return Backend::Nccl;
    if (wanted == "nccl")
        return makeError(ErrorCode::Unsupported, "backend nccl needs an NVIDIA GPU, but this rank sees none; use gloo "
                                                 "or auto, or check the driver and CUDA_VISIBLE_DEVICES");
#else
    if (wanted == "nccl")
        return makeError(ErrorCode::Unsupported, "backend nccl: this worker was built with a LibTorch without CUDA and "
                                                 "NCCL; use gloo or auto, or build with pip's torch");
#endif
    return Backend::Gloo;
}

/// `data` carries gradients (Gloo or NCCL); `control` always is Gloo and carries small CPU tensors. With Gloo both are
/// the same group.
struct ProcessGroup::Collectives {
    c10::intrusive_ptr<C10dBackend> data;
    c10::intrusive_ptr<C10dBackend> control;
};

ProcessGroup::ProcessGroup(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size, Backend backend,
                           [[maybe_unused]] int gpu, bool loopback, std::chrono::milliseconds timeout)
    : m_collectives(std::make_unique<Collectives>()), m_rank(rank), m_size(size), m_device(torch::kCPU)
{
    m_collectives->control =
        makeGloo(c10::make_intrusive<c10d::PrefixStore>("gloo", store), rank, size, loopback, timeout);
    m_collectives->data = m_collectives->control;
    if (backend == Backend::Nccl) {
#ifdef SWEEPSCOPE_NCCL
        // With CUDA_VISIBLE_DEVICES narrowed to one GPU per rank, the rank uses that one.
        const auto visible = static_cast<int>(torch::cuda::device_count());
        const int index = visible == 1 ? 0 : gpu;
        TORCH_CHECK(index < visible, "rank ", rank, " has no GPU: it would use GPU ", gpu,
                    ", but the number of visible GPUs is ", visible, "; NCCL needs one for each rank");
        m_device = torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
        c10::cuda::set_device(static_cast<c10::DeviceIndex>(index));
        m_gpuUuid = uuidOf(index);
        requireOwnGpu(store, rank, size, index);
        m_collectives->data = makeNccl(c10::make_intrusive<c10d::PrefixStore>("nccl", store), rank, size, timeout);
#else
        TORCH_CHECK(false, "this worker was built without NCCL");
#endif
    }
}

ProcessGroup::~ProcessGroup() = default;

/// In pieces, to ask in between whether to go on waiting. LibTorch tells the end of a piece by an exception.
void ProcessGroup::waitForGloo(const Work &work)
{
    constexpr std::chrono::milliseconds piece{200};
    while (m_giveUp && !work->isCompleted()) {
        try {
            work->wait(piece);
        } catch (const std::exception &) {
            if (work->isCompleted())
                break;
            if (const auto why = m_giveUp())
                throw RankLost(*why);
        }
    }
    work->wait();
}

void ProcessGroup::wait(const Work &work)
{
    if (!work)
        return;
    try {
        // With NCCL waiting only orders the GPU's streams.
        if (dynamic_cast<c10d::ProcessGroupGloo::AsyncWork *>(work.get()) != nullptr)
            waitForGloo(work);
        else
            work->wait();
    } catch (const RankLost &) {
        throw;
    } catch (const std::exception &error) {
        // Gloo begins with its own source file in brackets; LibTorch ends with a stack trace.
        std::string text = error.what();
        text = text.substr(0, text.find('\n'));
        if (text.starts_with('[') && text.find("] ") != std::string::npos)
            text = text.substr(text.find("] ") + 2);
        throw RankLost(text);
    }
}

ProcessGroup::Work ProcessGroup::startSum(torch::Tensor &tensor)
{
    if (m_size == 1 && tensor.is_cpu())
        return {};
    std::vector<torch::Tensor> tensors{tensor};
    return (tensor.is_cuda() ? m_collectives->data : m_collectives->control)->allreduce(tensors);
}

ProcessGroup::Work ProcessGroup::startControlMax(torch::Tensor &tensor)
{
    std::vector<torch::Tensor> tensors{tensor};
    c10d::AllreduceOptions options;
    options.reduceOp = c10d::ReduceOp::MAX;
    return m_collectives->control->allreduce(tensors, options);
}

void ProcessGroup::broadcast(torch::Tensor &tensor, int root)
{
    std::vector<torch::Tensor> tensors{tensor};
    c10d::BroadcastOptions options;
    options.rootRank = root;
    wait((tensor.is_cuda() ? m_collectives->data : m_collectives->control)->broadcast(tensors, options));
}

std::vector<torch::Tensor> ProcessGroup::gather(const torch::Tensor &tensor)
{
    std::vector<torch::Tensor> input{tensor};
    std::vector<std::vector<torch::Tensor>> output(1);
    for (int i = 0; i < m_size; ++i)
        output[0].push_back(torch::empty_like(tensor));
    wait(m_collectives->control->allgather(output, input));
    return std::move(output[0]);
}

void ProcessGroup::barrier()
{
    wait(m_collectives->control->barrier());
}

}  // namespace sweepscope::train
