#include "rankthreads.h"

#include <doctest/doctest.h>
#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/torch.h>

namespace sweepscope::train {

std::vector<std::string> runRanks(int ranks, const std::function<void(int rank, ProcessGroup &group)> &body)
{
    const auto store = c10::make_intrusive<c10d::HashStore>();
    std::vector<std::string> thrown(static_cast<std::size_t>(ranks));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            try {
                ProcessGroup group(store, rank, ranks, {.backend = "gloo", .timeout = std::chrono::seconds(30)});
                body(rank, group);
                group.barrier();
            } catch (const c10::Error &error) {
                thrown[static_cast<std::size_t>(rank)] = error.what_without_backtrace();
            } catch (const std::exception &error) {
                thrown[static_cast<std::size_t>(rank)] = error.what();
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    return thrown;
}

void requireRanks(int ranks, const std::function<void(int rank, ProcessGroup &group)> &body)
{
    for (const std::string &thrown : runRanks(ranks, body))
        REQUIRE(thrown == "");
}

}  // namespace sweepscope::train
