#pragma once

#include "node/devicesampler.h"
#include "node/messages.h"

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::node {

/// Reads a machine's devices for an engine elsewhere.
class Sampling {
public:
    explicit Sampling(std::filesystem::path feed) : m_feed(std::move(feed)) {}

    /// Finding the devices can take seconds: that is done on another thread.
    void set(bool on);
    /// Returns the state of the devices; nullopt if it is unchanged since the last call.
    std::optional<Machine> news();

private:
    using Sources = std::vector<std::unique_ptr<device::Source>>;
    struct Found {
        Sources sources;
        std::vector<device::Device> devices;
        device::GpuTopology topology;
        std::string note;
    };
    void begin(Found found);

    std::filesystem::path m_feed;
    bool m_isOn = false;
    std::future<Found> m_finding;
    std::unique_ptr<DeviceSampler> m_sampler;
    Machine m_found;
    std::optional<Machine> m_reported;
};

}  // namespace sweepscope::node
