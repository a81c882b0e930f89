#include "ui/logs/logfeed.h"

#include "ui/logs/filteredsource.h"
#include "ui/logs/logmerge.h"
#include "ui/logs/logsource.h"

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

/// Number of lines that a view can insert without a noticeable pause.
constexpr int batchLines = 700;
/// Poll a growing log again soon, so that its end moves smoothly, and a quiet one less often.
constexpr auto pollWhileGrowing = 40ms;
constexpr auto pollWhileQuiet = 150ms;

}  // namespace

/// Lives in the reading thread.
class LogFeed::Reader : public QObject {
public:
    void open(const std::vector<LogFile> &files, int tailLines, quint64 generation)
    {
        reset(files, generation);
        const int each = tailLines / std::max(1, static_cast<int>(files.size()));
        std::vector<LogSource *> sources;
        for (const LogFile &file : files) {
            auto source = std::make_unique<LogSource>(file, each);
            sources.push_back(source.get());
            m_sources.push_back(std::move(source));
        }
        if (files.size() < 2)
            return;
        // Ranks write at different rates: the last lines of all are not the last lines of each.
        const LogMerge merge(files);
        LogPosition begin = merge.end();
        merge.goBack(begin, tailLines);
        for (std::size_t i = 0; i < sources.size(); ++i)
            sources[i]->beginAt(begin[i]);
    }

    void openFiltered(const std::vector<LogFile> &files, int lines, const LogFilter &filter,
                      const std::shared_ptr<const std::atomic<bool>> &cancelled, quint64 generation)
    {
        reset(files, generation);
        m_isFiltering = true;
        for (const LogFile &file : files)
            m_sources.push_back(std::make_unique<FilteredSource>(file, filter, lines, cancelled));
    }

    /// Null if there is nothing new.
    std::shared_ptr<const LogBatch> answer()
    {
        auto batch = std::make_shared<LogBatch>();
        batch->generation = m_generation;
        batch->missing = true;
        bool partialChanged = false;
        for (const auto &source : m_sources) {
            partialChanged |= source->read(batchLines, wallNow());
            batch->restarted |= source->takeRestarted();
            source->describe(*batch);
        }
        mergeInto(*batch);
        for (std::size_t i = 0; i < m_sources.size(); ++i) {
            if (const auto partial = m_sources[i]->partial())
                batch->partial.push_back({*partial, static_cast<int>(i), -1});
        }
        const bool changed = !batch->lines.empty() || partialChanged || batch->restarted || m_first
                             || batch->missing != m_missing || (m_isFiltering && (batch->more || m_hadMore));
        m_hadMore = batch->more;
        m_missing = batch->missing;
        m_first = false;
        return changed ? batch : nullptr;
    }

    /// Moves `position` to their begin.
    std::vector<ShownLine> earlier(quint64 generation, LogPosition &position, int lines) const
    {
        if (generation != m_generation || position.size() != m_files.size())
            return {};
        return LogMerge(m_files).before(position, lines);
    }

private:
    void reset(const std::vector<LogFile> &files, quint64 generation)
    {
        m_generation = generation;
        m_files = files;
        m_sources.clear();
        m_first = true;
        m_isFiltering = false;
        m_hadMore = false;
    }

    /// Takes the oldest lines first, equally old ones by rank. If one file is read further than another, its rest
    /// waits.
    void mergeInto(LogBatch &batch)
    {
        while (static_cast<int>(batch.lines.size()) < batchLines) {
            const auto oldest =
                std::ranges::min_element(m_sources, {}, [](const auto &source) { return source->nextTime(); });
            if (oldest == m_sources.end() || !(*oldest)->hasNext())
                break;
            batch.lines.push_back((*oldest)->takeNext(static_cast<int>(oldest - m_sources.begin())));
        }
        batch.more = std::ranges::any_of(m_sources, [](const auto &source) { return source->hasMore(); });
    }

    std::vector<LogFile> m_files;
    std::vector<std::unique_ptr<LineSource>> m_sources;
    quint64 m_generation = 0;
    bool m_missing = false;
    bool m_first = false;
    bool m_isFiltering = false;
    bool m_hadMore = false;
};

LogFeed::LogFeed(QObject *parent) : QObject(parent), m_reader(new Reader)
{
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("log-files"));
    m_thread.start();
    m_timer.setInterval(pollWhileQuiet);
    connect(&m_timer, &QTimer::timeout, this, &LogFeed::tick);
}

LogFeed::~LogFeed()
{
    cancel();
    m_thread.quit();
    m_thread.wait();
}

/// Ends the search of a block for lines that pass the filter.
void LogFeed::cancel()
{
    // The flag publishes no other data, so relaxed order is enough.
    if (m_cancelled)
        m_cancelled->store(true, std::memory_order_relaxed);
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
}

void LogFeed::setFiles(const std::vector<LogFile> &files, int tailLines, const LogFilter &filter)
{
    cancel();
    ++m_generation;
    m_files = files;
    QMetaObject::invokeMethod(
        m_reader, [reader = m_reader, files, tailLines, filter, cancelled = m_cancelled, generation = m_generation] {
            if (filter.isActive())
                reader->openFiltered(files, tailLines, filter, cancelled, generation);
            else
                reader->open(files, tailLines, generation);
        });
    if (m_active)
        tick();
}

void LogFeed::setActive(bool active)
{
    m_active = active;
    if (!active) {
        m_timer.stop();
        return;
    }
    m_timer.start();
    tick();
}

void LogFeed::requestEarlier(const LogPosition &position, int lines)
{
    QMetaObject::invokeMethod(m_reader, [this, reader = m_reader, generation = m_generation, position, lines] {
        LogPosition begin = position;
        std::vector<ShownLine> found = reader->earlier(generation, begin, lines);
        QMetaObject::invokeMethod(this, [this, generation, found = std::move(found), begin = std::move(begin)] {
            if (generation == m_generation)
                Q_EMIT earlierReady(found, begin);
        });
    });
}

void LogFeed::tick()
{
    if (m_requested || m_files.empty())
        return;
    m_requested = true;
    QMetaObject::invokeMethod(m_reader, [this, reader = m_reader] {
        std::shared_ptr<const LogBatch> batch = reader->answer();
        QMetaObject::invokeMethod(this, [this, batch = std::move(batch)] { answered(batch); });
    });
}

void LogFeed::answered(const std::shared_ptr<const LogBatch> &batch)
{
    m_requested = false;
    m_timer.setInterval(batch ? pollWhileGrowing : pollWhileQuiet);
    // Read the next batch while the view inserts this one.
    if (m_active && batch && (batch->more || batch->generation != m_generation))
        tick();
    if (batch && batch->generation == m_generation)
        Q_EMIT batchReady(*batch);
}

}  // namespace sweepscope::ui
