#pragma once

#include <c10/core/Device.h>
#include <chrono>
#include <memory>

namespace c10 {
struct Event;
}

namespace sweepscope::train {

/// A point in the work of a device. On the CPU it is now; on a GPU it comes when the work that has been queued in the
/// current stream is done, which the host need not wait for. With LibTorch before 2.4, which has no timed events that
/// need no CUDA header, every moment is the host's now.
class Moment {
public:
    /// In the distant past.
    Moment() = default;
    static Moment on(c10::Device device);
    /// Whether moments on a GPU are its own.
    static bool followsGpus();

    bool isPast() const;
    /// Between two moments of one device, both past.
    double secondsSince(const Moment &earlier) const;
    /// What the calling thread queues in its current stream from now on comes after this moment.
    void precedeCurrentStream() const;

private:
    std::chrono::steady_clock::time_point m_time{};
    std::shared_ptr<c10::Event> m_event{};
};

}  // namespace sweepscope::train
