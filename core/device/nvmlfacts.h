#pragma once

#include "device/nvmllibrary.h"
#include "facts/fact.h"

#include <string>

namespace sweepscope::device::nvml {

/// What an error means for the GPU that returned it.
facts::Fact factOf(Return code, const Library &library);

/// "NVIDIA driver 555.42.02, CUDA 12.5"; empty when the driver tells neither.
std::string versionsOf(CallMeter &meter, const Functions &functions);

}  // namespace sweepscope::device::nvml
