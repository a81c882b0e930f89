#pragma once

#include "base/filedescriptor.h"
#include "base/workspacelayout.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

namespace sweepscope::engine {

/// Reports when an attempt's events.jsonl has new lines, so that a device is not idle until the engine's next tick. If
/// the system has no watches left (fs.inotify.max_user_watches), it reports nothing and the tick reads the events.
///
/// Reports one attempt at a time and returns to the event loop in between: handling the end of an attempt may start the
/// next one, and sixteen short ones in a row would block every client.
class AttemptWatch : public QObject {
    Q_OBJECT

public:
    explicit AttemptWatch(QObject *parent = nullptr);

    void begin(std::int64_t sweepId, int trial, const AttemptLayout &files);
    void end(std::int64_t sweepId, int trial);

Q_SIGNALS:
    void changed(qint64 sweepId, int trial);

private:
    using Key = std::pair<std::int64_t, int>;
    struct Watched {
        std::filesystem::path events;
        int watch = -1;  ///< of events.jsonl; until that is there, of its folder
        bool isOfFolder = false;
    };
    bool watchEvents(const Key &key, Watched &watched);
    void removeWatch(const Watched &watched);
    void read();
    void enqueueChange(const Key &key);
    void notifyNext();

    FileDescriptor m_inotify;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::map<Key, Watched> m_watched;
    std::map<int, Key> m_keys;  ///< by watch
    std::deque<Key> m_pending;  ///< each once
    QTimer m_notifyTimer;
};

}  // namespace sweepscope::engine
