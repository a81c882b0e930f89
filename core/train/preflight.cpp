#include "train/preflight.h"

#include "base/files.h"
#include "sweep/linktest.h"
#include "train/parallel/compute.h"
#include "train/parallel/processgroup.h"
#include "train/parallel/rendezvous.h"
#include "train/rankdevices.h"
#include "train/torcherror.h"
#include "train/trainsettings.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/torch.h>
#include <unistd.h>

namespace sweepscope::train {

namespace {

using sweep::LinkTest;
using Clock = std::chrono::steady_clock;

constexpr int exitBroken = 3;
constexpr std::uint64_t mostFileBytes = 16 << 20;
constexpr int repetitions = 5;
constexpr const char *simulatedLinks = "SWEEPSCOPE_PREFLIGHT_LINKS";

/// What a test makes of a pair of ranks.
struct SimulatedLink {
    std::chrono::milliseconds delay{0};
    bool hangs = false;
    bool isWrong = false;
};
using SimulatedLinks = std::map<std::pair<int, int>, SimulatedLink>;

SimulatedLinks readSimulatedLinks(const char *text)
{
    SimulatedLinks links;
    const std::string all = text != nullptr ? text : "";
    for (std::size_t begin = 0; begin < all.size();) {
        const std::size_t end = std::min(all.find(',', begin), all.size());
        const std::string one = all.substr(begin, end - begin);
        begin = end + 1;
        int a = 0;
        int b = 0;
        int place = 0;
        if (std::sscanf(one.c_str(), "%d-%d=%n", &a, &b, &place) != 2 || place == 0)
            continue;
        const std::string what = one.substr(static_cast<std::size_t>(place));
        SimulatedLink &link = links[std::minmax(a, b)];
        link.hangs = what == "hang";
        link.isWrong = what == "wrong";
        link.delay = std::chrono::milliseconds(std::atoi(what.c_str()));
    }
    return links;
}

/// Calls `expired` from its own thread when the limit has passed, unless it is destroyed first.
class Watchdog {
public:
    Watchdog(std::chrono::milliseconds limit, std::function<void()> expired)
        : m_thread([this, limit, expired = std::move(expired)] {
              std::unique_lock lock(m_mutex);
              if (!m_ended.wait_for(lock, limit, [this] { return m_hasEnded; }))
                  expired();
          })
    {}
    ~Watchdog()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_hasEnded = true;
        }
        m_ended.notify_one();
        m_thread.join();
    }
    Watchdog(const Watchdog &) = delete;
    Watchdog &operator=(const Watchdog &) = delete;

private:
    std::mutex m_mutex;
    std::condition_variable m_ended;
    bool m_hasEnded = false;
    std::thread m_thread;
};

std::string textOf(const std::vector<std::uint8_t> &bytes)
{
    return {bytes.begin(), bytes.end()};
}

std::vector<std::uint8_t> toBytes(const std::string &text)
{
    return {text.begin(), text.end()};
}

std::string precisely(double seconds)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", seconds);
    return text.data();
}

class LinkTester {
public:
    LinkTester(const PreflightOptions &options, const RankEnvironment &environment, LinkTest test)
        : m_options(options),
          m_environment(environment),
          m_test(std::move(test)),
          m_simulated(readSimulatedLinks(std::getenv(simulatedLinks)))
    {}

    /// Returns an exit code.
    int run()
    {
        RankEnvironment apart = m_environment;  // the rendezvous of the command itself must not see this one's keys
        if (!apart.attemptFolder.empty()) {
            apart.attemptFolder /= "preflight";
            std::error_code ignored;
            std::filesystem::create_directory(apart.attemptFolder, ignored);
        }
        m_store = c10::make_intrusive<c10d::PrefixStore>("preflight", openStore(apart));
        awaitRanks(m_store, rank(), size(), joinTimeout(m_environment));
        if (const std::string obstacle = agreedObstacle(); !obstacle.empty()) {
            m_test.reason = obstacle;
            save();
            std::printf("preflight: the links between GPUs are not tested: %s\n", obstacle.c_str());
            return EXIT_SUCCESS;
        }
        m_test.backend = m_device.is_cuda() ? "nccl" : "gloo";
        for (std::size_t i = 0; i < m_test.pairs.size() && m_test.broken.empty(); ++i) {
            LinkTest::Pair &pair = m_test.pairs[i];
            pair.seconds = measure("pair/" + std::to_string(i), {pair.a, pair.b});
        }
        if (m_test.broken.empty()) {
            std::vector<int> all(static_cast<std::size_t>(size()));
            for (std::size_t i = 0; i < all.size(); ++i)
                all[i] = static_cast<int>(i);
            m_test.allReduceSeconds = measure("all", all);
        }
        save();
        // The agent ends all ranks once the first has failed, so rank 0 must have written its file.
        if (rank() == 0)
            m_store->set("saved", toBytes("."));
        else if (!m_test.broken.empty())
            m_store->wait({"saved"}, std::chrono::seconds(5));
        return m_test.broken.empty() ? EXIT_SUCCESS : exitBroken;
    }

private:
    int rank() const { return m_environment.rank; }
    int size() const { return m_environment.worldSize; }

    /// Why the test is impossible on some rank: the same on all.
    std::string agreedObstacle()
    {
        m_store->set("ready/" + std::to_string(rank()), toBytes("." + obstacle()));
        for (int other = 0; other < size(); ++other) {
            const std::string said = textOf(m_store->get("ready/" + std::to_string(other))).substr(1);
            if (!said.empty())
                return "rank " + std::to_string(other) + ": " + said;
        }
        return {};
    }

    std::string obstacle()
    {
        if (std::getenv(simulatedLinks) != nullptr)
            return {};
        if (!hasNccl())
            return "this LibTorch has no NCCL";
        const Expected<TrainSettings> settings = parseSettings({}, 0);
        const auto device = settings ? openDevice(*settings, m_environment)
                                     : Expected<torch::Device>(tl::unexpected<Error>(settings.error()));
        if (!device)
            return device.error().message;
        m_device = *device;
        return m_device.is_cuda() ? "" : "no GPU is visible";
    }

    /// Seconds of an all-reduce between `ranks`. All ranks of the trial call it, and wait for the result, so that nothing
    /// else is under way. nullopt: the ranks are broken.
    std::optional<double> measure(const std::string &key, const std::vector<int> &ranks)
    {
        // Rank 0 gives up first, because it has to write what has happened.
        const auto limit = m_options.limit + std::chrono::seconds(rank() == 0 ? 0 : 3);
        const Watchdog watchdog(limit, [&] {
            markBroken(ranks, "no answer within " + std::to_string(m_options.limit.count() / 1000) + " s");
            save();
            std::fflush(nullptr);
            std::_Exit(exitBroken);
        });
        const auto place = std::ranges::find(ranks, rank());
        if (place != ranks.end()) {
            std::string result;
            try {
                result = precisely(exchange(key, static_cast<int>(place - ranks.begin()), ranks));
            } catch (const std::exception &error) {
                result = "!" + sentenceOf(error);
            }
            m_store->set(key + "/" + std::to_string(rank()), toBytes(result));
        }
        std::optional<double> slowest = 0;
        m_store->setTimeout(limit + std::chrono::seconds(10));  // the watchdog is first
        for (const int other : ranks) {
            const std::string result = textOf(m_store->get(key + "/" + std::to_string(other)));
            if (result.starts_with('!')) {
                markBroken(ranks, result.substr(1));
                return std::nullopt;
            }
            slowest = std::max(*slowest, std::atof(result.c_str()));
        }
        return slowest;
    }

    double exchange(const std::string &key, int place, const std::vector<int> &ranks)
    {
        const auto found = ranks.size() == 2 ? m_simulated.find(std::minmax(ranks[0], ranks[1])) : m_simulated.end();
        const SimulatedLink simulated = found != m_simulated.end() ? found->second : SimulatedLink();
        ProcessGroup group(c10::make_intrusive<c10d::PrefixStore>(key, m_store), place, static_cast<int>(ranks.size()),
                           {.backend = m_test.backend,
                            .device = m_device,
                            .loopback = m_environment.oneMachine(),
                            .timeout = 4 * m_options.limit});  // the watchdog names the pair before that
        torch::Tensor values = torch::ones({static_cast<std::int64_t>(m_test.bytes / sizeof(float))},
                                           torch::TensorOptions().dtype(torch::kFloat32).device(m_device));
        std::vector<double> seconds;
        for (int i = 0; i <= repetitions; ++i) {
            const Clock::time_point start = Clock::now();
            if (simulated.hangs)
                std::this_thread::sleep_for(std::chrono::hours(1));
            std::this_thread::sleep_for(simulated.delay);
            group.sum(values);
            (void)values[0].item<float>();  // waits for the GPU
            if (i > 0)                      // the first one connects
                seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        }
        if (simulated.isWrong)
            values[0] += 1;
        const double expected = std::pow(static_cast<double>(ranks.size()), repetitions + 1);
        const double wrong = (values / expected - 1).abs().max().item<double>();
        group.finish();
        if (!(wrong < 1e-5))
            throw std::runtime_error("the sums that arrive are wrong");
        std::ranges::nth_element(seconds, seconds.begin() + repetitions / 2);
        return seconds[repetitions / 2];
    }

    void markBroken(const std::vector<int> &ranks, const std::string &reason)
    {
        m_test.broken = ranks;
        m_test.reason = reason;
    }

    void save()
    {
        if (rank() != 0)
            return;
        const std::string text = sweep::toJson(m_test) + "\n";
        for (const std::filesystem::path &path : {m_options.file, m_test.isMeasured() ? m_options.keep : ""}) {
            if (path.empty())
                continue;
            if (const Expected<void> written = writeFileAtomically(path, text, Survives::Kill); !written)
                std::printf("preflight: %s\n", written.error().message.c_str());
        }
        for (const sweep::LinkVerdict &verdict : judgeLinks(m_test)) {
            const bool isBroken = verdict.fault == sweep::LinkFault::Broken;
            std::fprintf(isBroken ? stderr : stdout, "%s: preflight: %s; %s\n", isBroken ? "error" : "warning",
                         verdict.sentence.c_str(), verdict.hint.c_str());
        }
        if (m_test.isMeasured())
            std::printf("preflight: all-reduce of %llu MiB over %d GPUs: %.1f GB/s\n",
                        static_cast<unsigned long long>(m_test.bytes >> 20U), size(),
                        sweep::busBandwidth(m_test.bytes, *m_test.allReduceSeconds, m_test.gpus.size()) / 1e9);
    }

    const PreflightOptions &m_options;
    const RankEnvironment &m_environment;
    LinkTest m_test;
    SimulatedLinks m_simulated;
    torch::Device m_device = torch::kCPU;
    c10::intrusive_ptr<c10d::Store> m_store;
};

/// Never returns an error to the trial: that the test is impossible says nothing of the links.
int test(const PreflightOptions &options, const RankEnvironment &environment)
{
    std::string problem;
    try {
        const Expected<std::string> text = readFile(options.file, mostFileBytes);
        Expected<LinkTest> test = text.and_then([](const std::string &json) { return sweep::parseLinkTest(json); });
        if (test && test->gpus.size() == static_cast<std::size_t>(environment.worldSize))
            return LinkTester(options, environment, std::move(*test)).run();
        problem = test ? "it is for another number of ranks" : test.error().message;
    } catch (const std::exception &error) {
        problem = sentenceOf(error);
    }
    std::printf("preflight: the links between GPUs are not tested: %s\n", problem.c_str());
    return EXIT_SUCCESS;
}

int exitCodeOf(pid_t child)
{
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

}  // namespace

int runPreflight(const PreflightOptions &options, const RankEnvironment &environment)
{
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent)
            std::_Exit(EXIT_FAILURE);
        ::unsetenv("SWEEPSCOPE_RING");
        const int code = test(options, environment);
        std::fflush(nullptr);
        std::_Exit(code);  // NCCL's threads and CUDA's context end with the process
    }
    const int code = child > 0 ? exitCodeOf(child) : EXIT_FAILURE;
    if (code == exitBroken) {
        if (environment.rank != 0)
            std::fprintf(stderr, "error: preflight: a link between GPUs is broken; the log of rank 0 names it\n");
        return EXIT_FAILURE;
    }
    if (code != EXIT_SUCCESS)
        std::printf("preflight: the test of the links between GPUs ended unexpectedly\n");
    std::fflush(nullptr);
    std::vector<std::string> words = options.command;
    std::vector<char *> argv;
    for (std::string &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execvp(argv.front(), argv.data());
    std::fprintf(stderr, "error: cannot start %s: %s\n", words.front().c_str(), std::strerror(errno));
    return 127;
}

}  // namespace sweepscope::train
