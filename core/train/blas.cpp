#include "train/blas.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <filesystem>

namespace sweepscope::train {

std::optional<std::string> blasWarning()
{
    void *product = dlsym(RTLD_DEFAULT, "sgemm_");
    Dl_info info{};
    if (product == nullptr || dladdr(product, &info) == 0 || info.dli_fname == nullptr)
        return std::nullopt;  // linked into LibTorch (MKL): pip's builds
    std::error_code error;
    const std::string file = std::filesystem::canonical(info.dli_fname, error).string();
    // Debian keeps the reference implementation in …/blas/libblas.so.3, others in folders of their own.
    if (file.find("/blas/libblas.so") == std::string::npos)
        return std::nullopt;
    return "matrix products use the reference BLAS (" + file
           + "), which is about ten times slower than OpenBLAS: apt-get install libopenblas0-pthread";
}

int computeThreads()
{
    return at::get_num_threads();
}

void setComputeThreads(int threads)
{
    at::set_num_threads(threads);
    using SetThreads = void (*)(int);
    if (const auto setBlasThreads = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
        setBlasThreads(threads);
}

void computeAlone()
{
    // at::set_num_threads() would change it for threads that start later, too.
    using SetThreads = void (*)(int);
    if (const auto setOpenMpThreads = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads")))
        setOpenMpThreads(1);
}

}  // namespace sweepscope::train
