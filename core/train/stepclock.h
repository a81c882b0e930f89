#pragma once

#include "train/parallel/moment.h"

#include <utility>
#include <vector>

namespace sweepscope::train {

/// Where the time of one step went on one device: parts that follow each other, some of them several times.
class StepClock {
public:
    enum class Part { Data, Exchange, Forward, Backward, Update };

    explicit StepClock(c10::Device device) : m_device(device), m_begin(Moment::on(device)) {}

    /// What the device did since the last part, or the beginning, was this.
    void passed(Part part) { m_ends.emplace_back(part, Moment::on(m_device)); }

    /// Of what has passed so far.
    const Moment &end() const { return m_ends.empty() ? m_begin : m_ends.back().second; }
    /// Once the device has got to the end.
    double seconds(Part part) const;
    double total() const { return end().secondsSince(m_begin); }

private:
    c10::Device m_device;
    Moment m_begin;
    std::vector<std::pair<Part, Moment>> m_ends;
};

}  // namespace sweepscope::train
