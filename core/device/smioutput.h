#pragma once

#include "device/device.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What `nvidia-smi` prints (developer.nvidia.com/system-management-interface): lines of values, separated by ", ". A value
/// that a GPU lacks is in brackets: "[N/A]", "[Not Supported]".
namespace sweepscope::device::smi {

/// Fields of --query-gpu, in the order in which the functions below expect them. Those that a driver does not know are
/// left out of the query and of `fields`.
std::span<const char *const> deviceFields();
std::span<const char *const> readingFields();

/// Returns the GPU of a line; nullopt without a UUID.
std::optional<Device> deviceIn(std::string_view untrustedLine, std::span<const std::string> fields);
std::optional<DeviceReading> readingIn(std::string_view untrustedLine, std::span<const std::string> fields);

/// Returns the field that a driver does not know, of `Field "x" is not a valid field to query.`; empty: another line.
std::string unknownField(std::string_view untrustedLine);

/// Returns the MIG instances that `nvidia-smi -L` lists below the GPUs; their memory is not known.
std::vector<Device> instancesIn(const std::vector<std::string> &untrustedLines);

/// A line of --query-compute-apps=gpu_uuid,pid,used_gpu_memory.
struct Process {
    std::string gpu;
    DeviceProcess process;
};
std::optional<Process> processIn(std::string_view untrustedLine);

/// Returns the links that the matrix of `nvidia-smi topo -m` shows. `ids` by index.
GpuTopology topologyIn(const std::vector<std::string> &untrustedLines, const std::vector<std::string> &ids);

}  // namespace sweepscope::device::smi
