#pragma once

#include "clients/fakenvml/fakedriver.h"
#include "device/sources.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

namespace sweepscope::tests {

/// Without a script it has two GPUs.
inline const std::string fakeLibrary = std::string(SWEEPSCOPE_TEST_BIN_DIR) + "/clients/libfakenvml.so";

inline bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

/// Reads every lane at every reading.
inline std::unique_ptr<device::Source> eagerSource(const FakeDriver &driver,
                                                   std::chrono::milliseconds callLimit = std::chrono::seconds(60))
{
    device::NvmlSettings settings;
    settings.library = driver.library();
    settings.middleLane = settings.slowLane = std::chrono::milliseconds(0);
    settings.callLimit = callLimit;
    settings.openLimit = std::chrono::seconds(60);
    return device::makeNvmlSource(settings);
}

inline std::map<std::string, device::Reading> readingsOf(device::Source &source)
{
    std::map<std::string, device::Reading> readings;
    for (const device::DeviceReading &reading : source.sample())
        readings[reading.deviceId].update(reading.reading);
    return readings;
}

/// The first condition of a GPU.
inline facts::Fact conditionOf(const device::Source &source, int index)
{
    for (const facts::Fact &fact : source.conditions()) {
        if (fact.integer(facts::Field::Index) == index)
            return fact;
    }
    return {};
}

inline bool becomes(const std::function<bool()> &condition)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

}  // namespace sweepscope::tests
