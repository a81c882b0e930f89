#pragma once

#include "train/parallel/compute.h"
#include "train/parallel/moment.h"

#include <c10/util/intrusive_ptr.h>
#include <chrono>
#include <cstdint>
#include <filesystem>
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

/// A collective cannot be finished, because a rank is gone or does not respond. Says what the transport said.
class RankLost : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The ranks of one attempt, over c10d: the only place that knows how LibTorch's versions differ. Every rank must make
/// the same calls in the same order; a rank that dies makes the others' calls throw RankLost. One thread at a time. A
/// single rank opens no connection and no communicator, and its collectives do nothing.
class ProcessGroup {
public:
    /// Long, because a frozen attempt (SIGTSTP) may go on later; the attempt's own timeout is the engine's.
    static constexpr std::chrono::minutes defaultTimeout{30};

    struct Options {
        std::string backend = "auto";        ///< auto, gloo or nccl: see chooseBackend()
        torch::Device device = torch::kCPU;  ///< of this rank: the CPU, or a GPU that openGpu() has opened
        bool loopback = true;                ///< all ranks are on this machine, so listen on 127.0.0.1 alone
        std::chrono::milliseconds timeout = defaultTimeout;
    };

    /// Waits for all ranks. Throws std::runtime_error that says why the backend cannot be had, and c10::Error.
    ProcessGroup(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size, const Options &options);
    ~ProcessGroup();
    ProcessGroup(const ProcessGroup &) = delete;
    ProcessGroup &operator=(const ProcessGroup &) = delete;

    int rank() const { return m_rank; }
    int size() const { return m_size; }
    torch::Device device() const { return m_device; }
    /// Of the GPU, as NVML writes it: "GPU-…"; empty on the CPU.
    const std::string &gpuUuid() const { return m_gpuUuid; }
    Backend backend() const { return m_backend; }

    /// Asked while waiting for the others: the sentence with which wait() gives up, if there is one.
    void setGiveUp(std::function<std::optional<std::string>()> giveUp) { m_giveUp = std::move(giveUp); }
    /// Called when a collective takes more than a second, with its name and number: "all-reduce 1204". Equal numbers are
    /// the same collective on all ranks.
    void setWaiting(std::function<void(const std::string &collective)> waiting) { m_waiting = std::move(waiting); }

    /// A running collective; false if there is nothing to wait for.
    struct Work {
        c10::intrusive_ptr<c10d::Work> handle{};
        const char *kind = "";
        std::int64_t number = 0;

        explicit operator bool() const { return handle.defined(); }
    };

    /// Sum over ranks, in place. The tensor must live until wait() has returned.
    Work startSum(torch::Tensor &tensor);
    Work startBroadcast(torch::Tensor &tensor, int root);
    void wait(const Work &work);
    /// Returns when `moment` is past. `before`: collectives that must end first, of which one may hold it up. Throws
    /// RankLost.
    void waitFor(const Moment &moment, const std::vector<Work> &before) const;
    void sum(torch::Tensor &tensor) { wait(startSum(tensor)); }
    void broadcast(torch::Tensor &tensor, int root) { wait(startBroadcast(tensor, root)); }
    /// One tensor per rank, each of `tensor`'s shape, which must be the same everywhere. CPU tensors.
    std::vector<torch::Tensor> gather(const torch::Tensor &tensor);
    void barrier();

    /// After the last collective: communicators end in good order. Collective.
    void finish();
    /// Aborts NCCL's collectives, so that every call that waits for the GPU returns or throws. Writes the state of NCCL
    /// to `trace`, if there is any. Any thread, at any time.
    void abort(const std::filesystem::path &trace);

private:
    struct Collectives;
    Work started(c10::intrusive_ptr<c10d::Work> handle, const char *kind);
    void waitForGloo(const Work &work);
    std::unique_ptr<Collectives> m_collectives;
    int m_rank;
    int m_size;
    torch::Device m_device;
    std::string m_gpuUuid;
    Backend m_backend = Backend::Gloo;
    std::int64_t m_started = 0;
    std::function<std::optional<std::string>()> m_giveUp;
    std::function<void(const std::string &)> m_waiting;
};

}  // namespace sweepscope::train
