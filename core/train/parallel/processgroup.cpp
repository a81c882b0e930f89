#include "train/parallel/processgroup.h"

#include "base/files.h"

#include <array>
#include <cstdlib>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/torch.h>
#include <torch/version.h>
#include <unistd.h>
#include <utility>
#ifdef SWEEPSCOPE_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
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
#endif

/// What each rank computes on, in their order: see chooseBackend().
std::vector<std::string> exchangeDevices(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size,
                                         const std::string &mine)
{
    const auto key = [](int of) { return "device/" + std::to_string(of); };
    // Stores have no empty values.
    const std::string said = "=" + mine;
    store->set(key(rank), std::vector<std::uint8_t>(said.begin(), said.end()));
    std::vector<std::string> all;
    for (int other = 0; other < size; ++other) {
        const std::vector<std::uint8_t> bytes = store->get(key(other));
        all.emplace_back(bytes.begin() + 1, bytes.end());
    }
    return all;
}

std::string hostName()
{
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    return host.data();
}

}  // namespace

/// `data` carries what lies on a GPU (NCCL, or Gloo, which takes it through pinned memory of the CPU); `control` always is
/// Gloo and carries CPU tensors. With Gloo both are the same group; a single rank has neither.
struct ProcessGroup::Collectives {
    c10::intrusive_ptr<C10dBackend> data;
    c10::intrusive_ptr<C10dBackend> control;
};

ProcessGroup::ProcessGroup(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size, const Options &options)
    : m_collectives(std::make_unique<Collectives>()), m_rank(rank), m_size(size), m_device(options.device)
{
    if (m_device.is_cuda())
        m_gpuUuid = train::gpuUuid(m_device.index());
    // A GPU that the driver does not identify counts as the rank's own.
    const std::string gpu = m_gpuUuid.empty() ? "the GPU of rank " + std::to_string(rank) : m_gpuUuid;
    const std::string mine = m_device.is_cuda() ? gpu + " of " + hostName() : std::string();
    const std::vector<std::string> devices =
        size > 1 ? exchangeDevices(store, rank, size, mine) : std::vector<std::string>{mine};
    const Expected<Backend> backend = chooseBackend(options.backend, devices, hasNccl());
    if (!backend)
        throw std::runtime_error(backend.error().message);
    m_backend = *backend;
    if (size == 1)
        return;
    m_collectives->control =
        makeGloo(c10::make_intrusive<c10d::PrefixStore>("gloo", store), rank, size, options.loopback, options.timeout);
    m_collectives->data = m_collectives->control;
#ifdef SWEEPSCOPE_NCCL
    if (m_backend == Backend::Nccl)
        m_collectives->data =
            makeNccl(c10::make_intrusive<c10d::PrefixStore>("nccl", store), rank, size, options.timeout);
#endif
}

ProcessGroup::~ProcessGroup() = default;

ProcessGroup::Work ProcessGroup::started(c10::intrusive_ptr<c10d::Work> handle, const char *kind)
{
    return {std::move(handle), kind, ++m_started};
}

/// In pieces, to ask in between whether to go on waiting. LibTorch tells the end of a piece by an exception.
void ProcessGroup::waitForGloo(const Work &work)
{
    constexpr std::chrono::milliseconds piece{200};
    constexpr int piecesToReport = 5;
    for (int pieces = 1; !work.handle->isCompleted(); ++pieces) {
        try {
            work.handle->wait(piece);
        } catch (const std::exception &) {
            if (work.handle->isCompleted())
                break;
            if (const auto why = m_giveUp ? m_giveUp() : std::nullopt)
                throw RankLost(*why);
            if (pieces == piecesToReport && m_waiting)
                m_waiting(std::string(work.kind) + " " + std::to_string(work.number));
        }
    }
    work.handle->wait();
}

void ProcessGroup::wait(const Work &work)
{
    if (!work)
        return;
    try {
        // With NCCL waiting only orders the GPU's streams.
        if (dynamic_cast<c10d::ProcessGroupGloo::AsyncWork *>(work.handle.get()) != nullptr)
            waitForGloo(work);
        else
            work.handle->wait();
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

void ProcessGroup::waitFor(const Moment &moment, const std::vector<Work> &before) const
{
    using std::chrono::steady_clock;
    constexpr std::chrono::microseconds pause{20};
    constexpr std::chrono::milliseconds whenToAsk{200};
    constexpr std::chrono::seconds whenToReport{1};
    const steady_clock::time_point start = steady_clock::now();
    steady_clock::time_point asked = start;
    bool isReported = false;
    while (!moment.isPast()) {
        std::this_thread::sleep_for(pause);
        const steady_clock::time_point now = steady_clock::now();
        if (now - asked > whenToAsk) {
            asked = now;
            if (const auto why = m_giveUp ? m_giveUp() : std::nullopt)
                throw RankLost(*why);
        }
        if (now - start > whenToReport && !std::exchange(isReported, true) && m_waiting) {
            for (const Work &work : before) {
                if (!work.handle->isCompleted()) {
                    m_waiting(std::string(work.kind) + " " + std::to_string(work.number));
                    break;
                }
            }
        }
    }
}

ProcessGroup::Work ProcessGroup::startSum(torch::Tensor &tensor)
{
    if (m_size == 1)
        return {};
    std::vector<torch::Tensor> tensors{tensor};
    return started((tensor.is_cuda() ? m_collectives->data : m_collectives->control)->allreduce(tensors), "all-reduce");
}

ProcessGroup::Work ProcessGroup::startBroadcast(torch::Tensor &tensor, int root)
{
    if (m_size == 1)
        return {};
    std::vector<torch::Tensor> tensors{tensor};
    c10d::BroadcastOptions options;
    options.rootRank = root;
    return started((tensor.is_cuda() ? m_collectives->data : m_collectives->control)->broadcast(tensors, options),
                   "broadcast");
}

std::vector<torch::Tensor> ProcessGroup::gather(const torch::Tensor &tensor)
{
    if (m_size == 1)
        return {tensor.clone()};
    std::vector<torch::Tensor> input{tensor};
    std::vector<std::vector<torch::Tensor>> output(1);
    for (int i = 0; i < m_size; ++i)
        output[0].push_back(torch::empty_like(tensor));
    wait(started(m_collectives->control->allgather(output, input), "all-gather"));
    return std::move(output[0]);
}

void ProcessGroup::barrier()
{
    if (m_size > 1)
        wait(started(m_collectives->control->barrier(), "barrier"));
}

void ProcessGroup::finish()
{
    barrier();
#ifdef SWEEPSCOPE_NCCL
    // Otherwise the destructor warns about open communicators and aborts them.
    if (auto *nccl = dynamic_cast<c10d::ProcessGroupNCCL *>(m_collectives->data.get()))
        nccl->shutdown();
#endif
}

void ProcessGroup::abort([[maybe_unused]] const std::filesystem::path &trace)
{
#ifdef SWEEPSCOPE_NCCL
    auto *nccl = dynamic_cast<c10d::ProcessGroupNCCL *>(m_collectives->data.get());
    if (nccl == nullptr)
        return;
    if (!trace.empty())  // what cannot be written does not matter now
        static_cast<void>(writeFileAtomically(trace, c10d::dump_nccl_trace(true, false, false), Survives::Kill));
    nccl->abort();
#endif
}

}  // namespace sweepscope::train
