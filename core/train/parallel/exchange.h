#pragma once

#include "train/parallel/moment.h"
#include "train/parallel/processgroup.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace sweepscope::train {

/// Duration of the gradient exchange of one backward pass. Copies are cheap and do not change when the next exchange
/// starts.
class Exchange {
public:
    struct Times {
        double overlap = 0;             ///< seconds in which gradients were under way while backward still computed
        double wait = 0;                ///< seconds in which backward was done, and the exchange was not
        std::vector<double> buckets{};  ///< seconds from a bucket's launch to its arrival, in the order of their launch
    };

    /// `clock`: the device whose time counts, the CPU where the host waits for the transport.
    explicit Exchange(c10::Device clock = c10::kCPU) : m_clock(clock) {}

    /// `launched` is a moment of the clock, before the work was started.
    void add(const Moment &launched, const ProcessGroup::Work &work);
    void backwardIsDone() { m_computed = Moment::on(m_clock); }
    void isComplete() { m_complete = Moment::on(m_clock); }

    c10::Device clock() const { return m_clock; }
    /// Once the device has got to the end of the exchange.
    Times times() const;
    /// In the order of their launch.
    std::vector<ProcessGroup::Work> works() const;

private:
    /// Written by a thread of the transport, which may be later than those that wait for the work.
    struct Arrival {
        std::mutex mutex{};
        std::optional<Moment> moment{};
    };
    struct Trip {
        Moment launched;
        ProcessGroup::Work work;
        std::shared_ptr<Arrival> arrival;
    };
    Moment endOf(const Trip &trip) const;

    c10::Device m_clock;
    std::vector<Trip> m_trips;
    Moment m_computed;
    Moment m_complete;
};

}  // namespace sweepscope::train
