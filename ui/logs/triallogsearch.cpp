// TrialLog's search: in what is shown first, then in the files it comes from, in another thread.
#include "ui/logs/triallog.h"

#include "base/workspacelayout.h"
#include "ui/logs/logsearchbar.h"

#include <QLocale>
#include <QPushButton>

#include <utility>

namespace sweepscope::ui {

namespace {

QString tooSlowText()
{
    return TrialLog::tr("This pattern takes too long: make it simpler");
}

}  // namespace

const QRegularExpression &errorPattern()
{
    static const QRegularExpression pattern(QStringLiteral(
        R"(\bTraceback \(most recent|\b\w*(Error|Exception)\b\s*[:(]|\b(ERROR|FATAL|CRITICAL)\b|\b(error|fatal):)"
        R"(|Segmentation fault|\bAborted\b|\bKilled\b|[Oo]ut of memory|terminate called|[Aa]ssertion .*failed|runtime error)"));
    return pattern;
}

void TrialLog::find(bool forward)
{
    if (!m_search->pattern())
        return;
    cancelSearch();
    m_view->findNext(forward, isWholeFileShown(),
                     [this, forward](const LogView::Found &found) { takeFound(found, forward); });
}

void TrialLog::takeFound(const LogView::Found &found, bool forward)
{
    updateFollow();
    if (found.tooSlow)
        m_search->setResult(tooSlowText(), true);
    else if (!found.found && m_merged)
        searchAllFiles(*m_search->pattern(), forward);
    else if (!found.found && !isWholeFileShown())
        searchFile(*m_search->pattern(), forward, forward ? (m_detached ? m_stretchEnd : 0) : m_view->firstOffset());
    else
        showHits();
}

void TrialLog::showHits()
{
    if (!m_search->pattern())
        return;
    const LogView::Hits hits = m_view->hits();
    if (hits.tooSlow)
        m_search->setResult(tooSlowText(), true);
    else if (!hits.complete)
        m_search->setResult(hits.count == 0 ? tr("Counting …") : tr("%L1 hits so far").arg(hits.count), false);
    else if (hits.count == 0)
        m_search->setResult(tr("Not found"), true);
    else if (hits.current > 0)
        m_search->setResult(tr("%L1 of %L2").arg(hits.current).arg(hits.count), false);
    else
        m_search->setResult(hits.count == 1 ? tr("1 hit") : tr("%L1 hits").arg(hits.count), false);
}

void TrialLog::findError(bool asked)
{
    if (!isWholeFileShown()) {
        searchFile(errorPattern(), true, 0);
        return;
    }
    m_view->findFirst(errorPattern(), [this, asked](const LogView::Found &found) {
        updateFollow();
        m_search->setResult(found.found || !asked ? QString() : tr("No line looks like an error"), false);
    });
}

void TrialLog::cancelSearch()
{
    // The flag carries nothing but itself: relaxed order is enough.
    if (m_cancelled)
        m_cancelled->store(true, std::memory_order_relaxed);
    m_cancelled.reset();
    m_fileSearch.drop();
}

void TrialLog::searchFile(const QRegularExpression &pattern, bool forward, qint64 from)
{
    cancelSearch();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_search->setResult(tr("Searching the whole file …"), false);
    const FileSearch search{onlyFile(), pattern, from, forward};
    m_fileSearch.request([this, search, cancelled = m_cancelled,
                          progress = progressTeller(tr("Searching the whole file: %1 %"))]() -> std::function<void()> {
        auto found = std::make_shared<std::optional<LogStretch>>(ui::searchFile(search, *cancelled, progress));
        return [this, search, found, cancelled] {
            if (cancelled != m_cancelled)
                return;
            m_cancelled.reset();
            m_isNowhere = !*found;
            if (*found)
                showStretch(**found, search.pattern);
            else
                m_search->setResult(tr("Not found in the whole file"), true);
        };
    });
}

/// For the thread that searches: repeats the sentence with the per cent that are done, until another search begins.
std::function<void(double)> TrialLog::progressTeller(const QString &sentence)
{
    return [this, sentence, cancelled = m_cancelled, told = std::make_shared<int>(0)](double share) {
        const int percent = static_cast<int>(share * 100);
        if (percent == std::exchange(*told, percent))
            return;
        QMetaObject::invokeMethod(
            this,
            [this, sentence, percent, cancelled] {
                if (cancelled == m_cancelled)
                    m_search->setResult(sentence.arg(percent), false);
            },
            Qt::QueuedConnection);
    };
}

/// Of all ranks, one after the other; what is found is shown in the log of its rank.
void TrialLog::searchAllFiles(const QRegularExpression &pattern, bool forward)
{
    cancelSearch();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_search->setResult(tr("Searching all ranks …"), false);
    const auto search = [layout = AttemptLayout{m_folder}, ranks = m_ranks, pattern, forward, cancelled = m_cancelled,
                         tell = progressTeller(tr("Searching all ranks: %1 %"))] {
        std::pair<int, std::optional<LogStretch>> found;  // the rank, and where in its log
        for (int rank = 0; rank < ranks && !found.second; ++rank) {
            const std::filesystem::path file = layout.rankLog(rank);
            std::error_code error;
            const auto size = static_cast<qint64>(std::filesystem::file_size(file, error));
            if (error)
                continue;  // this one has not written anything
            const auto progress = [&](double share) { tell((rank + share) / ranks); };
            found.first = rank;
            found.second = ui::searchFile({file, pattern, forward ? 0 : size, forward}, *cancelled, progress);
        }
        return found;
    };
    m_fileSearch.request([this, search, pattern, cancelled = m_cancelled]() -> std::function<void()> {
        auto result = std::make_shared<std::pair<int, std::optional<LogStretch>>>(search());
        return [this, result, pattern, cancelled] {
            if (cancelled != m_cancelled)
                return;
            m_cancelled.reset();
            m_isNowhere = !result->second;
            if (m_isNowhere) {
                m_search->setResult(tr("Not found in the whole log of any rank"), true);
                return;
            }
            chooseRank(result->first);
            m_detached = true;  // its end has not been read, and is not wanted
            showStretch(*result->second, pattern);
            m_search->setResult(tr("Found in rank %1, %2 of %3. Follow leads to its end")
                                    .arg(result->first)
                                    .arg(locale().formattedDataSize(result->second->hit),
                                         locale().formattedDataSize(result->second->size)),
                                false);
        };
    });
}

void TrialLog::showStretch(const LogStretch &stretch, const QRegularExpression &pattern)
{
    if (!m_detached && stretch.hit >= m_view->firstOffset()) {  // round the end, into what is shown
        m_view->findAt(stretch.hit, pattern);
        updateFollow();
        showHits();
        return;
    }
    m_detached = true;
    m_feed->setActive(false);
    LogBatch batch;
    batch.lines = stretch.lines;
    m_view->clearLines();
    m_view->append(batch, false);
    m_view->findAt(stretch.hit, pattern);
    m_stretchEnd = stretch.end;
    m_later->setVisible(m_stretchEnd < stretch.size);
    updateEarlier();
    updateFollow();
    m_search->setResult(tr("Found in %1 of %2. Follow leads back to the end")
                            .arg(locale().formattedDataSize(stretch.hit), locale().formattedDataSize(stretch.size)),
                        false);
}

}  // namespace sweepscope::ui
