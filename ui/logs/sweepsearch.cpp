#include "ui/logs/sweepsearch.h"

#include "base/workspacelayout.h"
#include "ui/logs/logblocks.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr qint64 reportMs = 50;
constexpr qsizetype mostText = 500;
constexpr qsizetype textBefore = 60;  ///< what is kept before a hit that is far from the begin of its line

class SweepSearcher {
public:
    using Report = std::function<void(std::vector<SweepHit> hits, const SweepSearchState &state)>;

    SweepSearcher(const SweepSearch &search, const std::atomic<bool> &cancelled, const Report &report)
        : m_search(search), m_cancelled(cancelled), m_report(report), m_matcher(search.pattern)
    {
        m_clock.start();
    }

    void run()
    {
        const WorkspaceLayout layout{m_search.workspace};
        for (const SweepSearch::Trial &trial : m_search.trials) {
            const qint64 before = m_state.lines;
            for (int attempt = 1; attempt <= trial.attempts; ++attempt) {
                const AttemptLayout files = layout.attempt(m_search.sweepFolder, trial.number, attempt);
                for (int rank = 0; rank < trial.ranks && mayContinue(); ++rank) {
                    SweepHit hit;
                    hit.trial = trial.number;
                    hit.attempt = attempt;
                    hit.isOnlyAttempt = trial.attempts == 1;
                    hit.rank = rank;
                    searchLog(files.rankLog(rank), hit);
                }
            }
            m_state.trialsWithHits += m_state.lines > before ? 1 : 0;
            if (!mayContinue())
                break;
            ++m_state.trials;
            if (m_clock.elapsed() >= reportMs)
                reportNow();
        }
        reportNow();
    }

private:
    // The flag publishes no other data, so relaxed order is enough.
    bool isCancelled() const { return m_cancelled.load(std::memory_order_relaxed); }
    bool mayContinue() const { return !isCancelled() && !m_state.isFull && !m_state.tooSlow; }

    void reportNow()
    {
        m_report(std::exchange(m_hits, {}), m_state);
        m_clock.start();
    }

    /// `hit`: what all of this log have in common.
    void searchLog(const std::filesystem::path &file, const SweepHit &hit)
    {
        LogBlocks blocks(file);
        m_state.logs += blocks.size() > 0 ? 1 : 0;
        qint64 lines = 0;  // before the block
        int listed = 0;
        for (qint64 offset = 0; offset < blocks.size() && mayContinue();) {
            const std::string block = blocks.from(offset);
            if (block.empty())
                break;
            qint64 counted = 0;  // position up to which lines are counted
            const bool isDone = m_matcher.eachLine(block, m_cancelled, [&](qint64 begin, int) {
                ++m_state.lines;
                if (listed == m_search.linesOfALog) {
                    m_state.isShortened = true;
                    return true;
                }
                ++listed;
                lines += std::count(block.begin() + counted, block.begin() + begin, '\n');
                counted = begin;
                SweepHit found = hit;
                found.line = lines + 1;
                list(std::move(found), block, begin, offset);
                return !m_state.isFull;
            });
            m_state.tooSlow |= !isDone && !isCancelled();
            lines += std::count(block.begin() + counted, block.end(), '\n');
            offset += static_cast<qint64>(block.size());
            m_state.bytes += static_cast<qint64>(block.size());
            if (m_clock.elapsed() >= reportMs)
                reportNow();
        }
    }

    void list(SweepHit hit, const std::string &block, qint64 begin, qint64 offset)
    {
        const auto from = static_cast<std::size_t>(begin);
        std::string_view line = std::string_view(block).substr(from, block.find('\n', from) - from);
        const std::size_t piece = m_matcher.pieceWithHit(line);
        line = line.substr(piece, longestPiece);
        hit.offset = offset + begin + static_cast<qint64>(piece);
        hit.text = shownText(line);
        const QRegularExpressionMatch match = m_search.pattern.match(hit.text);
        hit.start = static_cast<int>(std::max<qsizetype>(0, match.capturedStart()));
        hit.length = static_cast<int>(match.capturedLength());
        if (hit.text.size() > mostText) {
            const qsizetype cut = hit.start > textBefore ? hit.start - textBefore : 0;
            hit.text = (cut > 0 ? QStringLiteral("…") : QString()) + hit.text.mid(cut, mostText);
            hit.start -= static_cast<int>(cut) - (cut > 0 ? 1 : 0);
            hit.length = std::min(hit.length, static_cast<int>(hit.text.size()) - hit.start);
        }
        m_hits.push_back(std::move(hit));
        m_state.isFull = ++m_listed == m_search.linesOfAll;
    }

    const SweepSearch &m_search;
    const std::atomic<bool> &m_cancelled;
    const Report &m_report;
    LineMatcher m_matcher;
    SweepSearchState m_state;
    std::vector<SweepHit> m_hits;  ///< not reported yet
    int m_listed = 0;
    QElapsedTimer m_clock;
};

}  // namespace

void searchSweep(const SweepSearch &search, const std::atomic<bool> &cancelled,
                 const std::function<void(std::vector<SweepHit> hits, const SweepSearchState &state)> &report)
{
    SweepSearcher(search, cancelled, report).run();
}

}  // namespace sweepscope::ui
