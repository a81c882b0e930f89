#include "remote/filefetcher.h"

#include "base/clock.h"
#include "base/workspacelayout.h"
#include "remote/nodelink.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace sweepscope::remote {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr std::size_t mostFolders = 256;
constexpr const char *machineFolder = "hosts/localhost";
constexpr std::int64_t creditAtFirst = std::int64_t{8} << 20U;
constexpr std::int64_t creditAtOnce = std::int64_t{1} << 20U;
constexpr std::chrono::milliseconds turn = 100ms;
constexpr auto pingEvery = 2s;
constexpr auto silenceLimit = 15s;
constexpr auto resumeAfter = 30s;

/// What the thread knows of the other machine.
class Fetching {
public:
    Fetching(NodeLink &link, std::filesystem::path root) : m_link(link), m_root(root), m_mirror(std::move(root))
    {
        m_link.send(node::Credit{creditAtFirst});
    }

    void follow(const std::list<std::string> &wanted)
    {
        std::set<std::string> next(wanted.begin(), wanted.end());
        for (const std::string &folder : m_followed) {
            if (!next.contains(folder))
                m_link.send(node::Unfollow{folder});
        }
        for (const std::string &folder : wanted) {
            if (m_followed.contains(folder))
                continue;
            std::error_code error;
            std::filesystem::create_directories(m_root / folder, error);
            m_link.send(node::Follow{folder, m_mirror.begin(folder), {}});
        }
        m_followed = std::move(next);
        m_link.send(node::Prefer{preferred(wanted)});
    }

    /// Grants the bytes of a chunk as credit again.
    void drop(const node::Parcel &parcel)
    {
        m_used += static_cast<std::int64_t>(parcel.payload.size());
        if (m_used >= creditAtOnce)
            m_link.send(node::Credit{std::exchange(m_used, 0)});
    }

    /// Returns the folder of the file that has changed; empty if the message is about none.
    Expected<std::string> apply(const node::Parcel &parcel)
    {
        drop(parcel);
        std::string path;
        Expected<void> applied;
        if (const auto *chunk = std::get_if<node::Chunk>(&parcel.message)) {
            path = chunk->path;
            applied = m_mirror.apply(*chunk, parcel.payload);
        } else if (const auto *gone = std::get_if<node::Gone>(&parcel.message)) {
            path = gone->path;
            applied = m_mirror.apply(*gone);
        }
        if (!applied)
            return tl::unexpected(applied.error());
        return path.substr(0, std::max<std::size_t>(path.rfind('/') + 1, 1) - 1);
    }

private:
    /// The logs and curves of what was wanted last.
    static std::vector<std::string> preferred(const std::list<std::string> &wanted)
    {
        constexpr int mostRanks = 64;
        std::vector<std::string> paths;
        if (wanted.empty())
            return paths;
        for (int rank = 0; rank < mostRanks; ++rank) {
            const AttemptLayout files{wanted.front()};
            paths.push_back(files.rankFeed(rank).string());
            paths.push_back(files.rankLog(rank).string());
        }
        return paths;
    }

    NodeLink &m_link;
    std::filesystem::path m_root;
    node::FileMirror m_mirror;
    std::set<std::string> m_followed;
    std::int64_t m_used = 0;
};

}  // namespace

FileFetcher::FileFetcher(const Ssh &ssh, Place place, Reports reports)
    : m_ssh(ssh), m_place(std::move(place)), m_reports(std::move(reports)), m_thread([this] { run(); })
{}

FileFetcher::~FileFetcher()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_thread.join();
}

void FileFetcher::want(const std::string &folder)
{
    const std::lock_guard lock(m_mutex);
    if (!m_wanted.empty() && m_wanted.front() == folder)
        return;
    m_wanted.remove(folder);
    m_wanted.push_front(folder);
    if (m_wanted.size() > mostFolders)
        m_wanted.pop_back();
    m_isChanged = true;
}

void FileFetcher::run()
{
    Expected<std::unique_ptr<NodeLink>> link = NodeLink::open(m_ssh, m_place.programs, m_place.folder);
    if (!link)
        return m_reports.broken(link.error().message);
    Fetching fetching(**link, m_place.root);
    auto pinged = steady_clock::now();
    auto heard = pinged;
    auto resumeAt = pinged;  // after this machine's disk was full
    while (true) {
        std::list<std::string> wanted;
        {
            const std::lock_guard lock(m_mutex);
            if (m_isEnding)
                return;
            if (steady_clock::now() >= resumeAt && std::exchange(m_isChanged, false)) {
                wanted = m_wanted;
                wanted.push_back(machineFolder);
            }
        }
        if (!wanted.empty())
            fetching.follow(wanted);
        const auto now = steady_clock::now();
        if (now - pinged >= pingEvery) {
            (*link)->send(node::Ping{wallNow()});
            pinged = now;
        }
        const Expected<std::optional<node::Parcel>> parcel = (*link)->next(turn);
        if (!parcel)
            return m_reports.broken(parcel.error().message);
        if (*parcel) {
            heard = steady_clock::now();
            if (heard < resumeAt) {  // chunks that were on their way
                fetching.drop(**parcel);
                continue;
            }
            const Expected<std::string> arrived = fetching.apply(**parcel);
            if (!arrived && arrived.error().code == ErrorCode::BadInput)
                return m_reports.broken(arrived.error().message);
            if (!arrived) {
                fetching.follow({});
                resumeAt = heard + resumeAfter;
                const std::lock_guard lock(m_mutex);
                m_isChanged = true;
                m_reports.paused(arrived.error().message);
            } else if (!arrived->empty()) {
                m_reports.arrived(*arrived);
            }
        } else if (now - heard > silenceLimit) {
            return m_reports.broken(toString(m_ssh.target()) + " has not answered for 15 seconds");
        }
    }
}

}  // namespace sweepscope::remote
