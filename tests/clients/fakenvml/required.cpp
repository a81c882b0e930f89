// Functions that every driver has.
#include "script.h"
#include "symbols.h"

#include <cstdio>

using namespace fakenvml;

extern "C" {

int nvmlInit_v2()
{
    readScript();
    return script()->init;
}

int nvmlShutdown()
{
    return success;
}

const char *nvmlErrorString(int code)
{
    return code == gpuIsLost ? "GPU is lost" : code == 999 ? "Unknown Error" : "some error";
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
    if (const auto code = enter(__func__, nullptr))
        return *code;
    *count = static_cast<unsigned>(script()->gpus.size());
    return script()->countCode;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, const void **device)
{
    if (index >= script()->gpus.size())
        return invalidArgument;
    const Gpu *gpu = script()->gpus[index].get();
    if (const auto code = enter(__func__, gpu))
        return *code;
    *device = gpu;
    return gpu->open;
}

int nvmlDeviceGetUUID(const void *device, char *buffer, unsigned size)
{
    if (const auto code = enter(__func__, gpuOf(device)))
        return *code;
    return copyText(gpuOf(device)->uuid, buffer, size);
}

}  // extern "C"
