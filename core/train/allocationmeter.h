#pragma once

#include <c10/core/Allocator.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace sweepscope::train {

/// Counts what LibTorch allocates for CPU tensors while it lives, in the thread that created it and in the threads of
/// autograd, through the interface of PyTorch's own memory profiler. Blocks that are older do not count.
class AllocationMeter {
public:
    AllocationMeter();
    ~AllocationMeter();
    AllocationMeter(const AllocationMeter &) = delete;
    AllocationMeter &operator=(const AllocationMeter &) = delete;

    static constexpr std::size_t noOwner = SIZE_MAX;

    /// Blocks that are allocated from now on belong to `owner`, any small number.
    void setOwner(std::size_t owner);
    std::int64_t live() const;
    std::int64_t liveOf(std::size_t owner) const;
    /// The most that was live since the last resetPeak().
    std::int64_t peak() const;
    void resetPeak();

private:
    /// An interface of LibTorch whose number types differ between versions.
    template <class Function>
    struct TotalOf;
    template <class Total>
    struct TotalOf<void (c10::MemoryReportingInfoBase::*)(void *, std::int64_t, Total, Total, c10::Device)> {
        using Type = Total;
    };
    using Total = TotalOf<decltype(&c10::MemoryReportingInfoBase::reportMemoryUsage)>::Type;

    struct Block {
        std::int64_t bytes = 0;
        std::size_t owner = noOwner;
    };
    struct Counts : c10::MemoryReportingInfoBase {
        void reportMemoryUsage(void *pointer, std::int64_t bytes, Total, Total, c10::Device device) override;
        bool memoryProfilingEnabled() const override { return true; }

        mutable std::mutex mutex{};
        std::unordered_map<void *, Block> blocks{};
        std::vector<std::int64_t> liveByOwner{};
        std::size_t owner = noOwner;
        std::int64_t live = 0;
        std::int64_t peak = 0;
    };

    std::shared_ptr<Counts> m_counts;
};

}  // namespace sweepscope::train
