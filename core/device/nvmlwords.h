#pragma once

#include "device/nvmllibrary.h"

#include <string>

/// What is said of GPUs, drivers and what is wrong with them.
namespace sweepscope::device::nvml {

/// What an answer means for a GPU, without its subject: "is lost: …".
std::string inWords(Return code, const Library &library);

/// "GPU 3 (NVIDIA H200)", "simulated GPU 3".
std::string gpuLabel(unsigned index, const std::string &name, bool simulated);

/// "NVIDIA driver 555.42.02, CUDA 12.5"; empty when the driver tells neither.
std::string versionsOf(CallMeter &meter, const Functions &functions);

}  // namespace sweepscope::device::nvml
