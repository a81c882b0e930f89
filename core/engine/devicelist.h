#pragma once

#include "client/devicestatus.h"
#include "device/allocator.h"
#include "sweep/validation.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// All devices of all sources, GPUs first as given.
std::vector<device::Device> devicesOf(const std::vector<std::unique_ptr<device::Source>> &sources);

/// What the sources have to say, one sentence after the other.
std::string notesOf(const std::vector<std::unique_ptr<device::Source>> &sources);

sweep::Capacity capacityOf(const std::vector<device::Device> &devices);

/// For clients; `nameOfHolder` turns an allocation's holder into words.
std::vector<client::DeviceStatus> deviceStatuses(const device::Allocator &allocator,
                                                 const std::function<std::string(const std::string &)> &nameOfHolder);

}  // namespace sweepscope::engine
