#include "engine/attemptwatch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <sys/inotify.h>
#include <unistd.h>

namespace sweepscope::engine {

AttemptWatch::AttemptWatch(QObject *parent) : QObject(parent), m_inotify(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
{
    if (!m_inotify)
        return;
    // A zero timer fires after sockets were served; a queued call would run before them.
    m_notifyTimer.setInterval(0);
    connect(&m_notifyTimer, &QTimer::timeout, this, &AttemptWatch::notifyNext);
    m_notifier = std::make_unique<QSocketNotifier>(m_inotify.get(), QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &AttemptWatch::read);
}

void AttemptWatch::begin(std::int64_t sweepId, int trial, const AttemptLayout &files)
{
    if (!m_inotify)
        return;
    end(sweepId, trial);
    const Key key{sweepId, trial};
    Watched watched{files.eventsFile()};
    if (!watchEvents(key, watched)) {
        watched.watch = ::inotify_add_watch(m_inotify.get(), files.folder.c_str(), IN_CREATE);
        if (watched.watch < 0)
            return;
        watched.isOfFolder = true;
        m_keys[watched.watch] = key;
        const Watched folder = watched;
        if (watchEvents(key, watched))  // the agent already created the file
            removeWatch(folder);
    }
    m_watched.insert_or_assign(key, watched);
}

void AttemptWatch::end(std::int64_t sweepId, int trial)
{
    const auto found = m_watched.find({sweepId, trial});
    if (found == m_watched.end())
        return;
    removeWatch(found->second);
    m_watched.erase(found);
    std::erase(m_pending, Key{sweepId, trial});
}

/// Also reports what was written before. Returns false if there is no such file.
bool AttemptWatch::watchEvents(const Key &key, Watched &watched)
{
    const int watch = ::inotify_add_watch(m_inotify.get(), watched.events.c_str(), IN_MODIFY | IN_DONT_FOLLOW);
    if (watch < 0)
        return false;
    watched.watch = watch;
    watched.isOfFolder = false;
    m_keys[watch] = key;
    enqueueChange(key);
    return true;
}

void AttemptWatch::enqueueChange(const Key &key)
{
    if (std::find(m_pending.begin(), m_pending.end(), key) == m_pending.end())
        m_pending.push_back(key);
    if (!m_notifyTimer.isActive())
        m_notifyTimer.start();
}

void AttemptWatch::notifyNext()
{
    if (m_pending.empty()) {
        m_notifyTimer.stop();
        return;
    }
    const Key key = m_pending.front();
    m_pending.pop_front();
    Q_EMIT changed(key.first, key.second);
}

void AttemptWatch::removeWatch(const Watched &watched)
{
    ::inotify_rm_watch(m_inotify.get(), watched.watch);
    m_keys.erase(watched.watch);
}

void AttemptWatch::read()
{
    std::set<Key> written;
    std::array<char, 16384> buffer{};
    for (;;) {
        const ssize_t got = ::read(m_inotify.get(), buffer.data(), buffer.size());
        if (got <= 0)
            break;
        for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
            inotify_event event{};
            std::memcpy(&event, buffer.data() + at, sizeof event);
            at += sizeof event + event.len;
            const auto key = m_keys.find(event.wd);
            if (key != m_keys.end())
                written.insert(key->second);
        }
    }
    for (const Key &key : written) {
        const auto found = m_watched.find(key);
        if (found == m_watched.end())
            continue;
        const Watched before = found->second;
        if (!before.isOfFolder)
            enqueueChange(key);
        else if (watchEvents(key, found->second))
            removeWatch(before);
    }
}

}  // namespace sweepscope::engine
