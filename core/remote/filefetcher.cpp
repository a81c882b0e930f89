#include "remote/filefetcher.h"

#include "base/clock.h"
#include "base/timeasleep.h"
#include "base/workspacelayout.h"
#include "remote/filestream.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace sweepscope::remote {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr std::size_t mostFolders = 256;
constexpr const char *machineFolder = "hosts/localhost";
constexpr std::chrono::milliseconds turn = 100ms;
constexpr auto pingEvery = 2s;
constexpr auto silenceLimit = 15s;
constexpr auto resumeAfter = 30s;

/// The logs and curves of what was wanted last.
std::vector<std::string> preferred(const std::list<std::string> &wanted)
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

/// Folders that are followed, and whether all of them is.
using Followed = std::map<std::string, bool>;

/// Follows what is wanted, and nothing else.
void followOnly(FileStream &stream, Followed &followed, const std::list<std::string> &wanted,
                const std::set<std::string> &whole = {})
{
    Followed next;
    for (const std::string &folder : wanted)
        next[folder] = whole.contains(folder);
    const auto isFollowed = [&](const auto &item) {
        const auto known = followed.find(item.first);
        return known != followed.end() && known->second == item.second;
    };
    for (const auto &[folder, isWhole] : followed) {
        const auto now = next.find(folder);
        if (now == next.end() || now->second != isWhole)
            stream.unfollow(folder);
    }
    for (const auto &item : next) {
        if (isFollowed(item))
            continue;
        if (item.first == machineFolder)
            stream.followMachine();
        else
            stream.follow(item.first, {}, !item.second);
    }
    followed = std::move(next);
    stream.prefer(preferred(wanted));
}

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

void FileFetcher::want(const std::string &folder, bool whole)
{
    const std::lock_guard lock(m_mutex);
    const bool isNews = whole && m_whole.insert(folder).second;
    if (!isNews && !m_wanted.empty() && m_wanted.front() == folder)
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
    FileStream stream(**link, m_place.root);
    Followed followed;
    auto pinged = steady_clock::now();
    auto heard = pinged;
    const auto asleep = timeAsleep();
    auto resumeAt = pinged;  // after this machine's disk was full
    while (true) {
        std::list<std::string> wanted;
        std::set<std::string> whole;
        {
            const std::lock_guard lock(m_mutex);
            if (m_isEnding)
                return;
            if (steady_clock::now() >= resumeAt && std::exchange(m_isChanged, false)) {
                wanted = m_wanted;
                whole = m_whole;
                wanted.push_back(machineFolder);
            }
        }
        if (!wanted.empty())
            followOnly(stream, followed, wanted, whole);
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
                stream.drop(**parcel);
                continue;
            }
            const Expected<std::string> arrived = stream.apply(**parcel);
            if (!arrived && arrived.error().code == ErrorCode::BadInput)
                return m_reports.broken(arrived.error().message);
            if (!arrived) {
                followOnly(stream, followed, {});
                resumeAt = heard + resumeAfter;
                const std::lock_guard lock(m_mutex);
                m_isChanged = true;
                m_reports.paused(arrived.error().message);
            } else if (!arrived->empty()) {
                m_reports.arrived(*arrived);
            }
        } else if (timeAsleep() - asleep >= sleepThatCounts) {
            return m_reports.broken("this machine slept");  // the window connects again at once
        } else if (now - heard > silenceLimit) {
            return m_reports.broken(toString(m_ssh.target()) + " has not answered for 15 seconds");
        }
    }
}

}  // namespace sweepscope::remote
