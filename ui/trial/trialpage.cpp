#include "ui/trial/trialpage.h"

#include "base/installation.h"
#include "base/workspacelayout.h"
#include "sweep/trialchain.h"
#include "sweep/trialtime.h"
#include "ui/base/noticebanner.h"
#include "ui/base/taborder.h"
#include "ui/base/trialheader.h"
#include "ui/models/energyreader.h"
#include "ui/models/missinglog.h"
#include "ui/models/reasontext.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"
#include "ui/trial/attemptcurves.h"
#include "ui/trial/attemptdetails.h"
#include "ui/trial/attemptreader.h"
#include "ui/trial/checkpointdialog.h"
#include "ui/trial/clonedialog.h"
#include "ui/trial/facttable.h"
#include "ui/trial/trialactionbar.h"
#include "ui/trial/trialfindings.h"
#include "ui/trial/trialtexts.h"
#include "wording/sentence.h"

#include <QDesktopServices>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int firstCurvesHeight = 200;
constexpr int firstHistoryHeight = 170;
constexpr int historySeen = 7;         ///< number of lines
constexpr int firstValuesWidth = 400;  ///< relative
constexpr int firstStoryWidth = 600;

QSplitter *newSplitter(Qt::Orientation orientation, const QString &name, std::initializer_list<QWidget *> parts)
{
    auto *splitter = new QSplitter(orientation);
    splitter->setObjectName(name);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(spacing::medium);
    splitter->setProperty("quiet", true);
    for (QWidget *part : parts)
        splitter->addWidget(part);
    return splitter;
}

}  // namespace

TrialPage::TrialPage(protocol::EngineClient *client, SelectionModel *selection, QWidget *parent)
    : EnginePage(client, selection, u"trials"_s, 0ms, parent),
      m_header(new TrialHeader),
      m_cause(new NoticeBanner),
      m_mark(new QLabel),
      m_actions(new TrialActionBar(client)),
      m_findings(new TrialFindings(client)),
      m_curves(new AttemptCurves),
      m_parameters(new FactsModel({tr("Parameter"), tr("Value")}, 1, this)),
      m_metrics(new FactsModel({tr("Metric"), tr("Last"), tr("Min"), tr("Max")}, 1, this)),
      m_history(new FactsModel({tr("Time"), tr("State"), tr("Reason")}, 3, this)),
      m_attempt(new AttemptDetails),
      m_reader(new AttemptReader(this)),
      m_energy(new EnergyReader(client, this))
{
    setObjectName(u"trialPage"_s);
    m_header->hideFollowing();
    m_mark->setObjectName(u"trialMark"_s);
    m_mark->setTextFormat(Qt::PlainText);
    m_mark->setWordWrap(true);
    m_mark->setTextInteractionFlags(Qt::TextSelectableByMouse);
    content()->addWidget(m_header);
    content()->addWidget(m_actions);
    content()->addWidget(m_cause);
    content()->addWidget(m_mark);
    content()->addWidget(m_findings);
    content()->addWidget(buildBody(), 1);
    showEmpty(tr("No trial selected"),
              tr("Select a sweep in the sidebar and a trial on the Trials page. Its details appear here."));
    connect(client, &protocol::EngineClient::connected, this, [this] { m_requestedFor = {}; });
    connect(client, &protocol::EngineClient::trialsChanged, this, &TrialPage::goToClone);
    connect(client, &protocol::EngineClient::filesArrived, this, [this](qint64 sweepId, int trial) {
        if (m_shown.sweepId != sweepId || m_shown.trial != trial)
            return;
        m_reader->readAgain();
        m_findings->examineAgain();
        refreshLater();
    });
    // Some requests, such as one for a trace, leave nothing but an entry in the history.
    connect(client, &protocol::EngineClient::requestDone, this, [this] {
        m_requestedFor = {};
        refreshLater();
    });
    connect(client, &protocol::EngineClient::historyArrived, this,
            [this](quint64 job, qint64, int, const sweep::TrialHistory &history) { showHistory(job, history); });
    connect(m_header, &TrialHeader::trialChosen, this,
            [this](int number) { this->selection()->selectTrial(m_shown.sweepId, number); });
    connect(m_cause, &NoticeBanner::actionClicked, this,
            [this] { Q_EMIT logRequested(m_shown.sweepId, m_shown.trial); });
    connect(client, &protocol::EngineClient::readOnlyChanged, this, &TrialPage::refresh);
    connect(m_actions, &TrialActionBar::curvesRequested, this,
            [this] { Q_EMIT liveRequested(m_shown.sweepId, m_shown.trial); });
    connect(m_actions, &TrialActionBar::logRequested, this,
            [this] { Q_EMIT logRequested(m_shown.sweepId, m_shown.trial); });
    connect(m_actions, &TrialActionBar::folderRequested, this, [this] { openInFileManager({}); });
    connect(m_actions, &TrialActionBar::cloneRequested, this, &TrialPage::clone);
    connect(m_actions, &TrialActionBar::checkpointRequested, this, [this] {
        const sweep::SweepRecord *sweep = this->client()->sweep(m_shown.sweepId);
        if (!sweep)
            return;
        auto *dialog =
            new CheckpointDialog(*this->client(), *sweep, m_shown.trial, executableFolder() / "sweepctl", this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    connect(m_findings, &TrialFindings::findingActivated, this, &TrialPage::findingRequested);
    connect(m_attempt, &AttemptDetails::attemptChosen, this, &TrialPage::readAttempt);
    connect(m_energy, &EnergyReader::changed, this, &TrialPage::showEnergy);
    connect(m_attempt, &AttemptDetails::attemptActivated, this->selection(), &SelectionModel::selectAttempt);
    connect(m_attempt, &AttemptDetails::fileActivated, this, &TrialPage::openInFileManager);
    connect(m_reader, &AttemptReader::contentsRead, this, &TrialPage::showContents);
    m_tick.setInterval(1s);
    connect(&m_tick, &QTimer::timeout, m_attempt, &AttemptDetails::updateTime);
    refresh();
}

/// Scrolls in a small window with large text.
QWidget *TrialPage::buildBody()
{
    QSplitter *parts = newSplitter(Qt::Vertical, u"trialParts"_s, {m_curves, buildFacts()});
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 3);
    parts->setSizes({firstCurvesHeight, 2 * firstCurvesHeight});
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(parts);
    return scroll;
}

QWidget *TrialPage::buildFacts()
{
    m_historyTable = new FactTable(u"trialHistory"_s, m_history, 2);
    auto *metrics = new FactTable(u"trialMetrics"_s, m_metrics, 0);
    metrics->setEmptyText(tr("No metrics reported."));
    auto *parameters = new FactTable(u"trialParameters"_s, m_parameters, 0);
    parameters->setEmptyText(tr("No parameters."));
    setFirstForKeys(this, parameters);
    m_metricsTitle = new QLabel(tr("Metrics"));
    m_metricsTitle->setObjectName(u"trialMetricsTitle"_s);
    QSplitter *values = newSplitter(Qt::Vertical, u"trialValues"_s,
                                    {titledTable(tr("Parameters"), parameters), titledTable(m_metricsTitle, metrics)});
    values->setStretchFactor(1, 1);
    parameters->setAsTallAsItsRows(values);  // metrics get the remaining height
    QSplitter *story =
        newSplitter(Qt::Vertical, u"trialStory"_s, {titledTable(tr("History"), m_historyTable), m_attempt});
    story->setStretchFactor(1, 1);
    m_historyTable->setAsTallAsItsRows(story, historySeen);
    QSplitter *both = newSplitter(Qt::Horizontal, u"trialFacts"_s, {values, story});
    both->setStretchFactor(0, 2);
    both->setStretchFactor(1, 3);
    const auto share = [story, both] {
        story->setSizes({firstHistoryHeight, 2 * firstHistoryHeight});
        both->setSizes({firstValuesWidth, firstStoryWidth});
    };
    share();
    // Large text moves the splitter, which would not return when the text gets smaller.
    followTextSize(both, [both, share] { QTimer::singleShot(0, both, share); });
    return both;
}

const sweep::TrialRecord *TrialPage::record() const
{
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_shown.sweepId);
    const auto found = std::ranges::lower_bound(trials, m_shown.trial, {}, &sweep::TrialRecord::number);
    return found != trials.end() && found->number == m_shown.trial ? &*found : nullptr;
}

void TrialPage::refresh()
{
    m_shown = {sweepId(), selection()->current().trial};
    const sweep::SweepRecord *sweep = client()->sweep(m_shown.sweepId);
    const sweep::TrialRecord *trial = record();
    if (!sweep || !trial) {
        showEmpty();
        return;
    }
    showContent();
    m_header->setTrial(*sweep, *trial, client()->trials(m_shown.sweepId));
    showCause(*trial);
    showMark(*trial);
    m_findings->showTrial(*sweep, *trial);
    m_parameters->setFacts(parameterFacts(*trial));
    m_actions->setTrial(*sweep, *trial);
    m_energy->setSweep(m_shown.sweepId);
    requestHistory(*trial);
    m_attempt->setQueued(sweep::waitsAsJob(*trial));
    m_attempt->choose(selection()->current().attempt);
    readAttempt();
}

/// Requests it only after a change: a running trial sends ten messages a second.
void TrialPage::requestHistory(const sweep::TrialRecord &trial)
{
    if (m_historyOf != m_shown) {
        m_historyOf = m_shown;
        m_history->setFacts({});
        m_attempt->setAttempts({});
        const QString unknown = trial.attempts > 0 ? tr("Waiting for the engine…") : tr("Not started yet");
        m_historyTable->setEmptyText(unknown);
        m_attempt->setEmptyText(unknown);
    }
    const bool same = m_requestedFor == m_shown && m_requested.state == trial.state
                      && m_requested.attempts == trial.attempts && m_requested.reason == trial.reason;
    if (same || !isVisible() || !client()->isConnected())
        return;
    m_requestedFor = m_shown;
    m_requested = trial;
    m_job = client()->requestHistory(m_shown.sweepId, m_shown.trial);
}

void TrialPage::showHistory(quint64 job, const sweep::TrialHistory &history)
{
    if (job != m_job)
        return;
    m_history->setFacts(historyFacts(history));
    m_attempt->setMachine(client()->allDevices());
    m_attempt->setAttempts(history.attempts);
}

/// The last attempt until the engine has sent the history: files and curves need no engine.
int TrialPage::shownAttempt() const
{
    const sweep::TrialRecord *trial = record();
    const int chosen = m_attempt->chosenAttempt();
    return chosen == 0 && trial ? trial->attempts : chosen;
}

std::filesystem::path TrialPage::attemptFolder() const
{
    const sweep::SweepRecord *sweep = client()->sweep(m_shown.sweepId);
    const int number = shownAttempt();
    if (!sweep || number == 0)
        return {};
    const WorkspaceLayout layout{std::filesystem::path(client()->workspace().toStdString())};
    return layout.attempt(sweep->folder, m_shown.trial, number).folder;
}

void TrialPage::readAttempt()
{
    const sweep::TrialRecord *trial = record();
    if (!trial)
        return;
    client()->look(m_shown.sweepId, m_shown.trial, shownAttempt());
    AttemptSource source{attemptFolder(), trial->ranks, {}};
    // The last attempt includes those that it continues.
    if (shownAttempt() == trial->attempts) {
        for (int number = sweep::chainOf(*trial).first; number < trial->attempts; ++number)
            source.continued.push_back(source.folder.parent_path() / std::to_string(number));
    }
    m_reader->setSource(source, !sweep::isFinal(trial->state));
    showEnergy();
    showCurves(m_metrics->rowCount() > 0);
}

void TrialPage::showEnergy()
{
    m_attempt->setEnergy(m_energy->energy().ofAttempt(m_shown.trial, shownAttempt()), m_energy->factors());
}

void TrialPage::showCurves(bool isReported)
{
    const sweep::SweepRecord *sweep = client()->sweep(m_shown.sweepId);
    const sweep::TrialRecord *trial = record();
    if (!sweep || !trial)
        return;
    TrialSource source = sourceToShow(*client(), *sweep, *trial);
    if (shownAttempt() != trial->attempts) {
        source.attempt = source.firstAttempt = shownAttempt();
        source.folder = attemptFolder();
    }
    const QString title = tr("%1 · trial %2").arg(QString::fromStdString(sweep->name)).arg(trial->number);
    m_curves->showSource(source, title);
    m_curves->setReported(isReported, sweep::isFinal(trial->state) ? tr("No values reported.") : tr("No metrics yet"));
}

PictureSaver *TrialPage::pictures() const
{
    return m_curves->pictures();
}

void TrialPage::showContents(const AttemptContents &contents)
{
    m_metrics->setFacts(metricFacts(contents.metrics));
    showMetricsTitle(contents.reportingRanks);
    showCurves(!contents.metrics.empty());
    m_attempt->setFiles(contents.files);
    m_attempt->setEvents(contents.events);
    m_attempt->setEnvironment(contents.environment);
}

void TrialPage::showMetricsTitle(const std::vector<int> &reportingRanks)
{
    const sweep::TrialRecord *trial = record();
    const int ranks = trial ? trial->ranks : 0;
    m_metricsTitle->setText(metricsTitle(reportingRanks, ranks));
    m_metricsTitle->setToolTip(reportingRanks.size() == 1 && ranks > 1
                                   ? tr("To read the output of the other ranks, set ranks = \"all\" in [run.metrics].")
                                   : QString());
}

void TrialPage::clone()
{
    const sweep::TrialRecord *trial = record();
    if (!trial)
        return;
    auto *dialog = new CloneDialog(client(), m_shown.sweepId, *trial, this);
    const int last = client()->trials(m_shown.sweepId).back().number;
    connect(dialog, &CloneDialog::added, this, [this, from = m_shown, last] {
        m_cloned = from;
        m_lastBefore = last;
        goToClone();
    });
    dialog->open();
}

/// Called again when the trial's record arrives, which is after the answer. Does nothing if the user has selected
/// another trial meanwhile.
void TrialPage::goToClone()
{
    const std::vector<sweep::TrialRecord> &trials = client()->trials(m_cloned.sweepId);
    if (m_cloned != TrialChoice{sweepId(), selection()->current().trial}) {
        m_cloned = {};
    } else if (m_cloned != TrialChoice() && !trials.empty() && trials.back().number > m_lastBefore) {
        m_cloned = {};
        selection()->selectTrial(sweepId(), m_lastBefore + 1);
    }
}

void TrialPage::openInFileManager(const QString &path) const
{
    const std::filesystem::path folder = attemptFolder();
    if (!folder.empty())
        QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString((folder / path.toStdString()).string())));
}

void TrialPage::showCause(const sweep::TrialRecord &trial)
{
    const bool wrong = trial.state == sweep::TrialState::Failed || trial.state == sweep::TrialState::Lost;
    const QString cause = reasonText(trial.reason);
    m_cause->setNotice(wrong ? NoticeBanner::Kind::Problem : NoticeBanner::Kind::Note, stateIcon(trial.state),
                       wrong && cause.isEmpty() ? tr("The trial failed for an unknown reason.") : cause,
                       wrong && hasLog(trial) ? tr("Show log") : QString());
}

void TrialPage::showMark(const sweep::TrialRecord &trial)
{
    QStringList parts;
    if (trial.chosen)
        parts << tr("Chosen by %1: %2")
                     .arg(QString::fromStdString(trial.chosen.text(facts::Field::Method)),
                          QString::fromStdString(wording::clause(trial.chosen)));
    if (trial.mark.starred)
        parts << tr("Starred");
    for (const std::string &tag : trial.mark.tags)
        parts << QString::fromStdString(tag);
    QString text = parts.join(u" · "_s);
    if (!trial.mark.note.empty())
        text += (text.isEmpty() ? QString() : u"\n"_s) + QString::fromStdString(trial.mark.note);
    m_mark->setText(text);
    m_mark->setVisible(!text.isEmpty());
}

void TrialPage::resizeEvent(QResizeEvent *event)
{
    EnginePage::resizeEvent(event);
    m_actions->fitInto(contentsRect().width() - 2 * spacing::large);
}

void TrialPage::showEvent(QShowEvent *event)
{
    m_tick.start();
    m_reader->setActive(true);
    EnginePage::showEvent(event);
}

void TrialPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_tick.stop();
    m_reader->setActive(false);
}

}  // namespace sweepscope::ui
