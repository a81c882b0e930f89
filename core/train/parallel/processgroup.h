#pragma once

#include "base/error.h"
#include "train/rankenvironment.h"

#include <c10/util/intrusive_ptr.h>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

enum class Backend { Gloo, Nccl };
std::string toString(Backend backend);

/// What "auto", "gloo" or "nccl" means on this machine: auto is NCCL where LibTorch was built with it and a GPU is
/// visible, else Gloo. Unsupported says why NCCL cannot be had.
Expected<Backend> chooseBackend(const std::string &wanted);

/// A collective cannot be finished, because a rank is gone or does not respond. Says what the transport said.
class RankLost : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The ranks of one attempt, over c10d: the only place that knows how LibTorch's versions differ. Every rank must make
/// the same calls in the same order; a rank that dies makes the others' calls throw RankLost. One thread at a time.
class ProcessGroup {
public:
    /// Long, because a frozen attempt (SIGTSTP) may go on later; the attempt's own timeout is the engine's.
    static constexpr std::chrono::minutes defaultTimeout{30};

    /// Waits for all ranks. Gloo computes on the CPU, NCCL on the GPU `gpu` of those that this process sees (device()).
    /// `loopback`: all ranks are on
    /// this machine, so listen on 127.0.0.1 alone. Throws c10::Error.
    ProcessGroup(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size, Backend backend, int gpu = 0,
                 bool loopback = true, std::chrono::milliseconds timeout = defaultTimeout);
    ~ProcessGroup();
    ProcessGroup(const ProcessGroup &) = delete;
    ProcessGroup &operator=(const ProcessGroup &) = delete;

    int rank() const { return m_rank; }
    int size() const { return m_size; }
    torch::Device device() const { return m_device; }
    /// Of the GPU that was opened, as NVML writes it: "GPU-…"; empty on the CPU.
    const std::string &gpuUuid() const { return m_gpuUuid; }

    /// Asked while waiting for the others: the sentence with which wait() gives up, if there is one.
    void setGiveUp(std::function<std::optional<std::string>()> giveUp) { m_giveUp = std::move(giveUp); }

    using Work = c10::intrusive_ptr<c10d::Work>;

    /// Sum over ranks, in place. The tensor must live until wait() has returned.
    Work startSum(torch::Tensor &tensor);
    /// Largest over ranks, in place, of a CPU tensor; runs concurrently with the data's collectives.
    Work startControlMax(torch::Tensor &tensor);
    void wait(const Work &work);
    void sum(torch::Tensor &tensor) { wait(startSum(tensor)); }
    void broadcast(torch::Tensor &tensor, int root);
    /// One tensor per rank, each of `tensor`'s shape, which must be the same everywhere. CPU tensors.
    std::vector<torch::Tensor> gather(const torch::Tensor &tensor);
    void barrier();

private:
    struct Collectives;
    void waitForGloo(const Work &work);
    std::unique_ptr<Collectives> m_collectives;
    int m_rank;
    int m_size;
    torch::Device m_device;
    std::string m_gpuUuid;
    std::function<std::optional<std::string>()> m_giveUp;
};

}  // namespace sweepscope::train
