#include "train/parallel/rendezvous.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <sys/vfs.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/version.h>
#include <vector>

namespace sweepscope::train {

bool isLocalFileSystem(const std::filesystem::path &folder)
{
    struct statfs information {};
    if (statfs(folder.c_str(), &information) != 0)
        return false;
    // From statfs(2): NFS, SMB, SMB2, CIFS, AFS, Ceph, FUSE (sshfs), Lustre, GPFS, 9p.
    constexpr std::array<std::uint32_t, 10> remote{0x6969,     0x517b,     0xfe534d42, 0xff534d42, 0x5346414f,
                                                   0x00c36400, 0x65735546, 0x0bd00bd0, 0x47504653, 0x01021997};
    return std::find(remote.begin(), remote.end(), static_cast<std::uint32_t>(information.f_type)) == remote.end();
}

c10::intrusive_ptr<c10d::Store> openStore(const RankEnvironment &environment)
{
    if (environment.alone())
        return c10::make_intrusive<c10d::HashStore>();

    const bool hasMaster = !environment.masterAddress.empty() && environment.masterPort != 0;
    if (!environment.attemptFolder.empty() && environment.oneMachine()
        && (!hasMaster || isLocalFileSystem(environment.attemptFolder)))
        return c10::make_intrusive<c10d::FileStore>((environment.attemptFolder / "rendezvous").string(),
                                                    environment.worldSize);

    c10d::TCPStoreOptions options;
    options.port = environment.masterPort;
    options.isServer = environment.rank == 0 && !environment.agentStore;
    options.numWorkers = static_cast<std::size_t>(environment.worldSize);
    options.waitWorkers = !environment.agentStore;
#if TORCH_VERSION_MAJOR >= 2
    options.useLibUV = false;  // Debian's LibTorch is built without it; the plain server is enough for one exchange
#endif
    const auto store = c10::make_intrusive<c10d::TCPStore>(environment.masterAddress, options);
    return c10::make_intrusive<c10d::PrefixStore>("sweepscope/" + std::to_string(environment.restartCount), store);
}

std::chrono::milliseconds joinTimeout(const RankEnvironment &environment)
{
    // A loaded machine may take its time to load LibTorch.
    return environment.oneMachine() ? std::chrono::seconds(60) : std::chrono::minutes(5);
}

void awaitRanks(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size, std::chrono::milliseconds timeout)
{
    const auto key = [](int of) { return "present/" + std::to_string(of); };
    store->set(key(rank), std::vector<std::uint8_t>{1});
    for (int other = 0; other < size; ++other) {
        try {
            store->wait({key(other)}, timeout);
        } catch (const std::exception &) {
            throw std::runtime_error("rank " + std::to_string(other) + " of " + std::to_string(size)
                                     + " did not come within "
                                     + std::to_string(std::chrono::ceil<std::chrono::seconds>(timeout).count()) + " s");
        }
    }
}

}  // namespace sweepscope::train
