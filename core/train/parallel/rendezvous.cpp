#include "train/parallel/rendezvous.h"

#include <algorithm>
#include <array>
#include <sstream>
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

namespace {

std::string secondsText(std::chrono::milliseconds time)
{
    return std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count()) + " s";
}

std::string keyOf(int rank)
{
    return "present/" + std::to_string(rank);
}

/// "ranks 1, 3 of 4 have" — `first` is known to be missing.
std::string missingText(const c10::intrusive_ptr<c10d::Store> &store, int first, int size)
{
    std::string ranks = std::to_string(first);
    int count = 1;
    for (int other = first + 1; other < size; ++other) {
        try {
            if (store->check({keyOf(other)}))
                continue;
        } catch (const std::exception &) {
            break;  // the store is gone with rank 0
        }
        ranks += ", " + std::to_string(other);
        ++count;
    }
    return (count == 1 ? "rank " : "ranks ") + ranks + " of " + std::to_string(size) + (count == 1 ? " has" : " have");
}

constexpr const char *worldSize = "WORLD_SIZE";

/// Names and values, each with a zero byte behind it.
std::vector<std::uint8_t> packed(const Agreement &agreement)
{
    std::string text;
    for (const auto &[name, value] : agreement)
        text += name + '\0' + value + '\0';
    return {text.begin(), text.end()};
}

Agreement unpacked(const std::vector<std::uint8_t> &bytes)
{
    Agreement agreement;
    std::istringstream text(std::string(bytes.begin(), bytes.end()));
    std::string value;
    for (std::string name; std::getline(text, name, '\0') && std::getline(text, value, '\0');)
        agreement[name] = value;
    return agreement;
}

void requireAgreement(int rank, const Agreement &mine, int other, const Agreement &theirs)
{
    const auto who = [](int number) { return "rank " + std::to_string(number); };
    const auto valueIn = [](const Agreement &agreement, const std::string &name) {
        const auto found = agreement.find(name);
        return found != agreement.end() ? found->second : "nothing";
    };
    const std::string theirSize = valueIn(theirs, worldSize);
    if (theirSize != mine.at(worldSize))
        throw std::runtime_error(who(other) + " was started with WORLD_SIZE=" + theirSize + ", " + who(rank)
                                 + " with WORLD_SIZE=" + mine.at(worldSize)
                                 + ": all ranks must have the same WORLD_SIZE");
    for (const auto &[name, value] : mine) {
        if (const std::string their = valueIn(theirs, name); their != value)
            throw std::runtime_error(who(other) + " has " + name + " = " + their + ", " + who(rank) + " has " + name
                                     + " = " + value + ": all ranks must have the same settings");
    }
}

c10::intrusive_ptr<c10d::Store> openTcpStore(const RankEnvironment &environment)
{
    c10d::TCPStoreOptions options;
    options.port = environment.masterPort;
    options.isServer = environment.rank == 0 && !environment.agentStore;
    options.numWorkers = static_cast<std::size_t>(environment.worldSize);
    options.waitWorkers = false;  // awaitRanks() does, and names those that are missing
    options.timeout = joinTimeout(environment);
#if TORCH_VERSION_MAJOR >= 2
    options.useLibUV = false;  // Debian's LibTorch is built without it; the plain server is enough for one exchange
#endif
    const std::string place = environment.masterAddress + ":" + std::to_string(environment.masterPort);
    const auto began = std::chrono::steady_clock::now();
    try {
        return c10::make_intrusive<c10d::TCPStore>(environment.masterAddress, options);
    } catch (const std::exception &) {
        // Any error other than a timeout keeps the transport's own message.
        if (options.isServer || std::chrono::steady_clock::now() - began < options.timeout / 2)
            throw;
        throw std::runtime_error(
            (environment.agentStore ? "torchrun" : "rank 0 of " + std::to_string(environment.worldSize))
            + " has not joined after " + secondsText(options.timeout) + ": nothing listens at " + place
            + " (MASTER_ADDR, MASTER_PORT)");
    }
}

}  // namespace

c10::intrusive_ptr<c10d::Store> openStore(const RankEnvironment &environment)
{
    if (environment.alone())
        return c10::make_intrusive<c10d::HashStore>();

    const bool hasMaster = !environment.masterAddress.empty() && environment.masterPort != 0;
    if (!environment.attemptFolder.empty() && environment.oneMachine()
        && (!hasMaster || isLocalFileSystem(environment.attemptFolder))) {
        const auto store = c10::make_intrusive<c10d::FileStore>((environment.attemptFolder / "rendezvous").string(),
                                                                environment.worldSize);
        store->setTimeout(joinTimeout(environment));
        return store;
    }
    return c10::make_intrusive<c10d::PrefixStore>("sweepscope/" + std::to_string(environment.restartCount),
                                                  openTcpStore(environment));
}

std::chrono::milliseconds joinTimeout(const RankEnvironment &environment)
{
    // A loaded machine may take its time to load LibTorch.
    return environment.oneMachine() ? std::chrono::seconds(60) : std::chrono::minutes(5);
}

void awaitRanks(const c10::intrusive_ptr<c10d::Store> &store, int rank, int size, std::chrono::milliseconds timeout,
                const Agreement &agreement)
{
    Agreement mine = agreement;
    mine[worldSize] = std::to_string(size);
    const auto end = std::chrono::steady_clock::now() + timeout;
    for (int other = 0; other < size; ++other) {
        Agreement theirs;
        try {
            if (other == 0)
                store->set(keyOf(rank), packed(mine));
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            store->wait({keyOf(other)}, std::max(left, std::chrono::milliseconds(10)));
            theirs = unpacked(store->get(keyOf(other)));
        } catch (const std::exception &error) {
            // Long before the time is up it is no rank that is missing, but the store.
            if (std::chrono::steady_clock::now() + timeout / 10 < end) {
                const std::string text = error.what();
                throw std::runtime_error("the rendezvous store is gone, and so is rank 0; see its log ("
                                         + text.substr(0, text.find('\n')) + ")");
            }
            throw std::runtime_error(missingText(store, other, size) + " not joined after " + secondsText(timeout));
        }
        requireAgreement(rank, mine, other, theirs);
    }
}

}  // namespace sweepscope::train
