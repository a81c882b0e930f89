#pragma once

#include "script.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

/// Shared by the exported functions.
namespace fakenvml {

inline int copyText(const std::string &text, char *buffer, unsigned size)
{
    return std::snprintf(buffer, size, "%s", text.c_str()) < static_cast<int>(size) ? success : insufficientSize;
}

/// One number of a GPU.
template <typename Number>
int answer(const char *symbol, const void *device, const char *quantity, Number *result, double factor = 1)
{
    if (const auto code = enter(symbol, gpuOf(device)))
        return *code;
    const auto value = gpuOf(device)->value(quantity);
    if (!value)
        return notSupported;
    *result = static_cast<Number>(std::round(*value * factor));
    return success;
}

/// Writes records of `bytes` each, like a driver that does not know the size of the caller's records.
inline int listProcesses(const char *symbol, const void *device, unsigned *count, void *records, std::size_t bytes)
{
    const Gpu *gpu = gpuOf(device);
    if (const auto code = enter(symbol, gpu))
        return *code;
    std::vector<Process> processes = gpu->processes;
    const std::vector<Process> living = gpu->livingProcesses();
    processes.insert(processes.end(), living.begin(), living.end());
    const unsigned capacity = *count;
    *count = static_cast<unsigned>(processes.size());
    if (*count > capacity)
        return insufficientSize;
    auto *out = static_cast<unsigned char *>(records);
    if (script()->clearsBuffer)
        std::memset(out, 0, capacity * bytes);
    for (const Process &process : processes) {
        std::memset(out, 0, bytes);
        std::memcpy(out, &process.pid, sizeof process.pid);
        std::memcpy(out + 8, &process.memory, sizeof process.memory);
        if (bytes >= 24)
            std::memcpy(out + 16, &process.instance, sizeof process.instance);
        out += bytes;
    }
    return success;
}

}  // namespace fakenvml
