// TrialLog's search: in what is shown first, then in the files it comes from, in another thread.
#include "ui/logs/triallog.h"

#include "ui/logs/loghits.h"
#include "ui/logs/logplace.h"
#include "ui/logs/logpour.h"
#include "ui/logs/logsearchbar.h"

#include <QPushButton>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr std::ptrdiff_t linesSeenAtOnce = 500;

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

const QRegularExpression &errorLinePattern()
{
    static const QRegularExpression pattern(errorPattern().pattern().replace(QLatin1String(R"(\b\w*(Error|Exception))"),
                                                                             QLatin1String("E(rror|xception)")));
    return pattern;
}

void TrialLog::find(bool forward)
{
    if (!m_search->pattern())
        return;
    cancelSearch();
    if (m_pour->isPouring()) {  // the next one may be among what is still to come
        m_afterPour = [this, forward, then = std::exchange(m_afterPour, {})] {
            if (then)
                then();
            QMetaObject::invokeMethod(
                this, [this, forward] { find(forward); }, Qt::QueuedConnection);
        };
        return;
    }
    m_view->findNext(forward, isWholeFileShown(),
                     [this, forward](const LogView::Found &found) { takeFound(found, forward); });
}

void TrialLog::takeFound(const LogView::Found &found, bool forward)
{
    updateFollow();
    if (found.tooSlow)
        m_search->setResult(tooSlowText(), true);
    else if (found.found || isWholeFileShown())
        showHits();
    else
        searchFiles(*m_search->pattern(), *m_search->pattern(), forward,
                    !forward     ? m_view->begin()
                    : m_detached ? m_stretchEnd
                                 : LogPosition(),
                    m_merged ? tr("Not found in the whole log of any rank") : tr("Not found in the whole file"));
}

void TrialLog::showHits()
{
    const auto pattern = m_search->pattern();
    if (!pattern)
        return;
    if (!isWholeFileShown() && !m_view->hits().tooSlow)
        m_hits->look(chosenFiles(), *pattern, m_view->selectedHit());
    tellHits();
}

void TrialLog::hitsMayHaveChanged()
{
    if (m_search->pattern() && !m_hitsPause.isActive())
        m_hitsPause.start();
}

void TrialLog::tellHits()
{
    if (!m_search->pattern() || m_folder.empty())
        return;
    const LogView::Hits shown = m_view->hits();
    LogHits::State hits{shown.count, shown.current, 0, shown.complete, shown.tooSlow};
    if (!isWholeFileShown() && !hits.tooSlow) {
        hits = m_hits->state();
        if (hits.complete && m_hits->isLooking())
            return;  // soon
    }
    if (m_isNowhere && hits.count == 0)
        return;  // it says so
    if (hits.tooSlow)
        m_search->setResult(tooSlowText(), true);
    else if (!hits.complete && hits.percent > 0)
        m_search->setResult(tr("Counting: %1 %").arg(hits.percent), false);
    else if (!hits.complete)
        m_search->setResult(hits.count == 0 ? tr("Counting …") : tr("%L1 hits so far").arg(hits.count), false);
    else if (hits.count == 0)
        m_search->setNotFound(tr("Not found"));
    else if (hits.current > 0)
        m_search->setResult(tr("%L1 of %L2").arg(hits.current).arg(hits.count), false);
    else
        m_search->setResult(hits.count == 1 ? tr("1 hit") : tr("%L1 hits").arg(hits.count), false);
}

void TrialLog::findError(bool asked)
{
    const QString nowhere = asked ? tr("No line looks like an error") : QString();
    if (!isWholeFileShown()) {
        searchFiles(errorLinePattern(), errorPattern(), true, LogPosition(), nowhere);
        return;
    }
    m_view->findFirst(errorPattern(), [this, nowhere](const LogView::Found &found) {
        updateFollow();
        m_search->setResult(found.found ? QString() : nowhere, false);
    });
}

void TrialLog::cancelSearch()
{
    // The flag carries nothing but itself: relaxed order is enough.
    if (m_cancelled)
        m_cancelled->store(true, std::memory_order_relaxed);
    m_cancelled.reset();
    m_fileSearch.drop();
    m_later->setEnabled(!m_pour->isPouring());
}

void TrialLog::searchFiles(const QRegularExpression &pattern, const QRegularExpression &marked, bool forward,
                           const LogPosition &from, const QString &nowhere)
{
    cancelSearch();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_search->setResult(m_merged ? tr("Searching all ranks …") : tr("Searching the whole file …"), false);
    const FileSearch search{chosenFiles(), pattern, from, forward};
    m_fileSearch.request(
        [this, search, marked, nowhere, cancelled = m_cancelled,
         progress = progressTeller(m_merged ? tr("Searching all ranks: %1 %")
                                            : tr("Searching the whole file: %1 %"))]() -> std::function<void()> {
            auto found = std::make_shared<std::optional<LogStretch>>(ui::searchFiles(search, *cancelled, progress));
            return [this, search, marked, nowhere, found, cancelled] {
                if (cancelled != m_cancelled)
                    return;
                m_cancelled.reset();
                m_isNowhere = !*found && m_search->pattern() == search.pattern;
                if (*found)
                    showStretch(**found, marked);
                else if (m_isNowhere)
                    m_search->setNotFound(nowhere);
                else
                    m_search->setResult(nowhere, false);
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

void TrialLog::showStretch(const LogStretch &stretch, const QRegularExpression &pattern)
{
    if (!m_view->findAt(stretch.file, stretch.hit, pattern)) {  // else it is in what is shown
        m_detached = true;
        m_feed->setActive(false);
        m_pour->stop();
        m_view->clearLines();
        m_view->setCounting(false);
        m_view->setBegin(stretch.begin);
        m_view->setFollowing(false);
        // What can be seen at once, then the rest.
        const auto hit = std::ranges::find_if(stretch.lines, [&stretch](const ShownLine &line) {
            return line.offset == stretch.hit && line.file == stretch.file;
        });
        const auto begin = hit - std::min(linesSeenAtOnce / 2, hit - stretch.lines.begin());
        const auto end = begin + std::min(linesSeenAtOnce, stretch.lines.end() - begin);
        LogBatch batch;
        batch.lines.assign(begin, end);
        m_view->append(batch, m_merged);
        m_view->findAt(stretch.file, stretch.hit, pattern);
        m_stretchEnd = stretch.end;
        m_later->setVisible(stretch.more);
        m_ahead->show();
        m_place->showStretch(chosenFiles(), stretch.begin, static_cast<int>(stretch.lines.size()));
        pour(std::vector(stretch.lines.begin(), begin), std::vector(end, stretch.lines.end()), {});
    }
    updateFollow();
    m_search->setResult({}, false);
    showHits();
}

}  // namespace sweepscope::ui
