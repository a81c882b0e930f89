#include "ui/logs/triallog.h"

#include "base/workspacelayout.h"
#include "ui/logs/logsearchbar.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

constexpr int tailLines = 50'000;
constexpr int earlierLines = 20'000;
constexpr auto hitsPause = 100ms;
constexpr int allRanks = -1;
constexpr int agentLog = -2;

}  // namespace

TrialLog::TrialLog(QWidget *parent)
    : QWidget(parent),
      m_feed(new LogFeed(this)),
      m_chooser(new QComboBox),
      m_search(new LogSearchBar),
      m_error(new QToolButton),
      m_wrap(new QToolButton),
      m_follow(new QToolButton),
      m_earlier(new QPushButton(tr("Show earlier lines"))),
      m_later(new QPushButton(tr("Show later lines"))),
      m_view(new LogView),
      m_fileSearch(0ms, this)
{
    m_chooser->setObjectName(QStringLiteral("logChooser"));
    m_chooser->setAccessibleName(tr("Which log"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_error->setText(tr("First error"));
    m_error->setIcon(symbolIcon(QStringLiteral("warning")));
    m_error->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_error->setToolTip(tr("Go to the first line that looks like an error (E)"));
    m_wrap->setText(tr("Wrap"));
    m_wrap->setIcon(symbolIcon(QStringLiteral("wrap")));
    m_wrap->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_wrap->setCheckable(true);
    m_wrap->setToolTip(tr("Break long lines (W)"));
    m_follow->setText(tr("Follow"));
    m_follow->setIcon(symbolIcon(QStringLiteral("follow-end")));
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_follow->setToolTip(tr("Stay at the end. Off as soon as you scroll up (End)"));
    m_earlier->setProperty("flat", true);
    m_earlier->hide();
    m_earlier->setObjectName(QStringLiteral("logEarlier"));
    m_later->setProperty("flat", true);
    m_later->setObjectName(QStringLiteral("logLater"));
    m_later->hide();
    m_follow->setObjectName(QStringLiteral("logFollow"));
    m_error->setObjectName(QStringLiteral("logFirstError"));

    auto *bar = new QHBoxLayout;
    bar->setSpacing(spacing::small);
    bar->addWidget(m_chooser);
    bar->addWidget(m_search, 1);
    bar->addWidget(m_error);
    bar->addWidget(m_wrap);
    bar->addWidget(m_follow);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::small);
    layout->addLayout(bar);
    layout->addWidget(m_earlier);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_later);

    connect(m_feed, &LogFeed::batchReady, this, &TrialLog::takeBatch);
    connect(m_feed, &LogFeed::earlierReady, this, [this](const std::vector<ShownLine> &lines) {
        m_view->prepend(lines);
        m_earlier->setEnabled(true);
        updateEarlier();
    });
    connect(m_chooser, &QComboBox::currentIndexChanged, this, &TrialLog::openChosen);
    connect(m_search, &LogSearchBar::patternChanged, this, [this] {
        cancelSearch();
        m_isNowhere = false;
        m_view->setPattern(m_search->pattern());
        showHits();
    });
    m_hitsPause.setSingleShot(true);
    m_hitsPause.setInterval(hitsPause);
    connect(&m_hitsPause, &QTimer::timeout, this, [this] {
        // Else it says where in the file something was found or is looked for, or that the file has no such thing.
        if (!m_detached && !m_cancelled && (!m_isNowhere || m_view->hits().count > 0))
            showHits();
    });
    connect(m_view, &LogView::hitsChanged, this, [this] {
        if (!m_hitsPause.isActive())
            m_hitsPause.start();
    });
    connect(m_search, &LogSearchBar::findRequested, this, &TrialLog::find);
    connect(m_error, &QToolButton::clicked, this, [this] { findError(true); });
    connect(m_wrap, &QToolButton::toggled, m_view, &LogView::setWrapped);
    connect(m_follow, &QToolButton::clicked, this, &TrialLog::showEnd);
    connect(m_later, &QPushButton::clicked, this, &TrialLog::showLater);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &TrialLog::updateFollow);
    connect(m_earlier, &QPushButton::clicked, this, [this] {
        m_earlier->setEnabled(false);
        m_feed->askEarlier(m_view->firstOffset(), earlierLines);
    });
    const auto key = [this](const QKeySequence &sequence, auto action, QWidget *place = nullptr) {
        auto *shortcut = new QShortcut(sequence, place ? place : this);
        // Letters belong to who types them; the others count whatever has the focus, while this can be seen.
        shortcut->setContext(place ? Qt::WidgetShortcut : Qt::WindowShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    key(
        Qt::Key_E, [this] { findError(true); }, m_view);
    key(
        Qt::Key_W, [this] { m_wrap->toggle(); }, m_view);
    key(
        Qt::Key_End, [this] { showEnd(); }, m_view);
    key(QKeySequence::Find, [this] { m_search->focusField(); });
    key(QKeySequence::FindNext, [this] { find(true); });
    key(QKeySequence::FindPrevious, [this] { find(false); });
}

TrialLog::~TrialLog()
{
    cancelSearch();
}

void TrialLog::showAttempt(const std::filesystem::path &folder, int ranks)
{
    if (folder == m_folder && ranks == m_ranks)
        return;
    const QVariant chosen = m_chooser->currentData();
    m_folder = folder;
    m_ranks = ranks;
    m_chooser->blockSignals(true);
    m_chooser->clear();
    if (ranks > 1)
        m_chooser->addItem(tr("All ranks"), allRanks);
    for (int rank = 0; rank < ranks; ++rank)
        m_chooser->addItem(tr("Rank %1").arg(rank), rank);
    if (ranks > 0)
        m_chooser->addItem(tr("Agent"), agentLog);
    const int same = m_chooser->findData(chosen);
    m_chooser->setCurrentIndex(chosen.isValid() && same >= 0 ? same : 0);
    m_chooser->blockSignals(false);
    openChosen();
}

void TrialLog::chooseRank(int rank)
{
    const int index = m_chooser->findData(rank < 0 ? allRanks : rank);
    if (index >= 0)
        m_chooser->setCurrentIndex(index);
}

void TrialLog::openChosen()
{
    const AttemptLayout layout{m_folder};
    std::vector<LogFile> files;
    const int chosen = m_chooser->currentData().isValid() ? m_chooser->currentData().toInt() : agentLog;
    m_merged = chosen == allRanks;
    if (m_folder.empty()) {
        // nothing
    } else if (chosen == agentLog) {
        files.push_back({layout.agentLog(), -1, {}});
    } else {
        for (int rank = m_merged ? 0 : chosen; rank < (m_merged ? m_ranks : chosen + 1); ++rank)
            files.push_back({layout.rankLog(rank), rank, layout.rankTimes(rank)});
    }
    cancelSearch();
    if (!m_search->pattern())
        m_search->setResult({}, false);  // what was said of another log
    m_restarted = false;
    m_detached = false;
    m_later->hide();
    m_feed->setActive(isVisible());
    m_view->clearLines();
    m_view->setLineLimit(tailLines);
    m_view->setPlaceholderText(QString());
    m_earlier->hide();
    m_earlier->setEnabled(true);
    m_feed->setFiles(files, tailLines);
}

void TrialLog::takeBatch(const LogBatch &batch)
{
    if (m_detached)
        return;
    m_restarted |= batch.restarted;
    m_view->append(batch, m_merged);
    m_view->setPlaceholderText(batch.missing ? tr("There is no log yet. It appears here as soon as the process writes.")
                                             : tr("The log is empty."));
    if (m_jumpPending && !batch.more) {
        m_jumpPending = false;
        findError(false);
    }
    updateEarlier();
    updateFollow();
}

void TrialLog::updateFollow()
{
    m_follow->setChecked(!m_detached && m_view->isAtEnd());
}

void TrialLog::updateEarlier()
{
    // Of several files together nobody knows which lines came before; and a file that was replaced has none.
    m_earlier->setVisible(!m_merged && !m_restarted && m_view->firstOffset() > 0);
}

void TrialLog::jumpToFirstError()
{
    m_jumpPending = true;
}

/// Nothing of the file lies outside of what is shown; of several files together nobody knows.
bool TrialLog::isWholeFileShown() const
{
    return m_merged || m_restarted || onlyFile().empty() || (!m_detached && m_view->firstOffset() <= 0);
}

std::filesystem::path TrialLog::onlyFile() const
{
    if (m_folder.empty() || m_merged)
        return {};
    const AttemptLayout layout{m_folder};
    const int chosen = m_chooser->currentData().isValid() ? m_chooser->currentData().toInt() : agentLog;
    return chosen == agentLog ? layout.agentLog() : layout.rankLog(chosen);
}

void TrialLog::showLater()
{
    m_later->setEnabled(false);
    m_fileSearch.request([this, file = onlyFile(), from = m_stretchEnd]() -> std::function<void()> {
        auto stretch = std::make_shared<LogStretch>(readStretch(file, from, earlierLines));
        return [this, stretch] {
            m_later->setEnabled(true);
            if (!m_detached)
                return;
            LogBatch batch;
            batch.lines = std::move(stretch->lines);
            m_view->setLineLimit(m_view->lineCount() + static_cast<int>(batch.lines.size()) + tailLines);
            m_view->append(batch, false);
            m_stretchEnd = stretch->end;
            m_later->setVisible(m_stretchEnd < stretch->size && !batch.lines.empty());
        };
    });
}

void TrialLog::showEnd()
{
    if (m_detached)
        openChosen();
    m_view->scrollToEnd();
    updateFollow();
}

void TrialLog::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_feed->setActive(!m_detached);
}

void TrialLog::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_feed->setActive(false);
}

}  // namespace sweepscope::ui
