#pragma once

#include "device/device.h"
#include "device/gputopology.h"

#include <optional>
#include <string>

/// What connections of GPUs can carry at most, in bytes per second and one direction.
namespace sweepscope::device {

/// Of one NVLink of this GPU. NVIDIA's architecture white papers give both directions together: 40 GB/s for P100 (NVLink 1),
/// 50 GB/s for V100, A100 and H100 (NVLink 2 to 4), 100 GB/s for B200 (NVLink 5).
double nvlinkBandwidth(const std::string &gpuName);

/// Of a PCIe link: transfers per second and lane by the PCI-SIG (2.5, 5, 8, 16, 32 and 64 GT/s), less the line code (8b/10b
/// for generations 1 and 2, 128b/130b, and 242 of 256 bytes for generation 6). nullopt for other generations.
std::optional<double> pcieBandwidth(int generation, int lanes);

/// nullopt if unknown. The slower GPU decides.
std::optional<double> bandwidthOf(const GpuLink &link, const Device &a, const Device &b);

}  // namespace sweepscope::device
