#include "ui/base/exportchoice.h"

#include "ui/theme/spacing.h"

#include <QAction>
#include <QComboBox>
#include <QDateTime>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int mostRanks = 100'000;
constexpr double nsPerSecond = 1e9;

std::optional<std::int64_t> stepFromText(const QString &text, std::int64_t otherwise)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return otherwise;
    bool isNumber = false;
    const qlonglong step = trimmed.toLongLong(&isNumber);
    return isNumber ? std::optional<std::int64_t>(step) : std::nullopt;
}

QLabel *labelOf(const QString &text, QWidget *field, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setBuddy(field);
    return label;
}

}  // namespace

std::optional<std::set<int>> ranksFromText(const QString &text)
{
    std::set<int> ranks;
    for (const QString &part : text.split(u',', Qt::SkipEmptyParts)) {
        const QStringList ends = part.trimmed().split(u'-');
        bool isFirst = false;
        bool isLast = false;
        const int first = ends.front().toInt(&isFirst);
        const int last = ends.back().toInt(&isLast);
        if (!isFirst || !isLast || ends.size() > 2 || first < 0 || last < first || last > mostRanks)
            return std::nullopt;
        for (int rank = first; rank <= last; ++rank)
            ranks.insert(rank);
    }
    return ranks;
}

ExportChoice::ExportChoice(QWidget *parent)
    : QWidget(parent),
      m_which(new QComboBox(this)),
      m_columns(new QComboBox(this)),
      m_series(new QPushButton(this)),
      m_seriesMenu(new QMenu(this)),
      m_ranks(new QLineEdit(this)),
      m_range(new QComboBox(this)),
      m_firstStep(new QLineEdit(this)),
      m_lastStep(new QLineEdit(this)),
      m_seriesJob(0ms, this)
{
    m_which->setObjectName(u"exportWhich"_s);
    m_columns->setObjectName(u"exportColumns"_s);
    m_columns->addItem(tr("All columns"));
    m_series->setObjectName(u"exportSeries"_s);
    m_series->setAccessibleName(tr("Series"));
    m_series->setMenu(m_seriesMenu);
    m_series->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_series->setFocusPolicy(Qt::StrongFocus);
    m_series->setProperty("choice", true);
    m_seriesMenu->setObjectName(u"exportSeriesMenu"_s);
    m_ranks->setObjectName(u"exportRanks"_s);
    m_ranks->setPlaceholderText(tr("all, or 0, 2-5"));
    m_range->setObjectName(u"exportRange"_s);
    m_firstStep->setObjectName(u"exportFirstStep"_s);
    m_firstStep->setPlaceholderText(tr("first"));
    m_firstStep->setAccessibleName(tr("First step"));
    m_lastStep->setObjectName(u"exportLastStep"_s);
    m_lastStep->setPlaceholderText(tr("last"));
    m_lastStep->setAccessibleName(tr("Last step"));

    auto *steps = new QHBoxLayout;
    steps->setSpacing(spacing::tiny);
    steps->addWidget(m_firstStep);
    steps->addWidget(new QLabel(tr("to"), this));
    steps->addWidget(m_lastStep);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(spacing::small);
    grid->setVerticalSpacing(spacing::small);
    grid->addWidget(labelOf(tr("&Trials"), m_which, this), 0, 0);
    grid->addWidget(m_which, 0, 1);
    grid->addWidget(labelOf(tr("Col&umns"), m_columns, this), 0, 2);
    grid->addWidget(m_columns, 0, 3);
    grid->addWidget(labelOf(tr("&Series"), m_series, this), 1, 0);
    grid->addWidget(m_series, 1, 1);
    grid->addWidget(labelOf(tr("&Ranks"), m_ranks, this), 1, 2);
    grid->addWidget(m_ranks, 1, 3);
    grid->addWidget(labelOf(tr("&Points"), m_range, this), 2, 0);
    grid->addWidget(m_range, 2, 1);
    grid->addWidget(labelOf(tr("Ste&ps"), m_firstStep, this), 2, 2);
    grid->addLayout(steps, 2, 3);
    for (int row = 0; row < grid->rowCount(); ++row)
        m_titles << grid->itemAtPosition(row, 0)->widget();
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);

    connect(m_which, &QComboBox::currentIndexChanged, this, &ExportChoice::changed);
    connect(m_columns, &QComboBox::currentIndexChanged, this, &ExportChoice::changed);
    connect(m_range, &QComboBox::currentIndexChanged, this, &ExportChoice::followRange);
    for (QLineEdit *line : {m_firstStep, m_lastStep})
        connect(line, &QLineEdit::textEdited, this,
                [this] { m_range->setCurrentIndex(m_range->findData(static_cast<int>(Range::Steps))); });
    for (QLineEdit *line : {m_ranks, m_firstStep, m_lastStep})
        connect(line, &QLineEdit::textChanged, this, &ExportChoice::changed);
    setScope({}, 0);
    offerSeries({});
}

int ExportChoice::titleWidth() const
{
    int width = 0;
    for (const QWidget *title : m_titles)
        width = std::max(width, title->sizeHint().width());
    return width;
}

void ExportChoice::setScope(const ExportScope &scope, int allTrials)
{
    m_scope = scope;
    const int filtered = static_cast<int>(scope.filtered.size());
    const int selected = static_cast<int>(scope.selected.size());
    m_which->clear();
    m_which->addItem(allTrials == 1 ? tr("The only trial") : tr("All %L1").arg(allTrials),
                     static_cast<int>(Which::All));
    if (filtered > 0 && filtered < allTrials)
        m_which->addItem(tr("%1 matching the filter").arg(filtered), static_cast<int>(Which::Filtered));
    if (selected > 0 && selected < allTrials)
        m_which->addItem(selected == 1 ? tr("Selected (trial %1)").arg(scope.selected.front())
                                       : tr("%1 selected").arg(selected),
                         static_cast<int>(Which::Selected));
    // After filtering or selecting several trials, these are probably wanted.
    const Which first = selected > 1 && selected < allTrials   ? Which::Selected
                        : filtered > 0 && filtered < allTrials ? Which::Filtered
                                                               : Which::All;
    m_which->setCurrentIndex(std::max(0, m_which->findData(static_cast<int>(first))));
    if (!scope.columns.empty() && m_columns->count() == 1)
        m_columns->addItem(tr("Visible columns"));
    offerRange();
}

void ExportChoice::offerRange()
{
    m_range->clear();
    m_range->addItem(tr("All"), static_cast<int>(Range::All));
    if (m_scope.visible) {
        const auto clock = [](double seconds) {
            return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(seconds * 1000)).toString(u"HH:mm:ss"_s);
        };
        const auto [isOfSteps, from, to] = *m_scope.visible;
        m_range->addItem(isOfSteps ? tr("Visible in Live: steps %1 to %2").arg(std::ceil(from)).arg(std::floor(to))
                                   : tr("Visible in Live: %1 to %2").arg(clock(from), clock(to)),
                         static_cast<int>(Range::Visible));
    }
    m_range->addItem(tr("Range of steps"), static_cast<int>(Range::Steps));
    followRange();
}

void ExportChoice::followRange()
{
    if (m_range->currentData().toInt() != static_cast<int>(Range::Steps)) {
        m_firstStep->clear();
        m_lastStep->clear();
    }
    Q_EMIT changed();
}

void ExportChoice::offerSeriesOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                 const sweep::TrialRecord &trial)
{
    m_seriesJob.request([this, workspace, sweep, trial]() -> std::function<void()> {
        QStringList names;
        for (const std::string &name : exporting::declaredSeries(workspace, sweep, trial))
            names << QString::fromStdString(name);
        names.sort(Qt::CaseInsensitive);
        return [this, names] { offerSeries(names); };
    });
}

void ExportChoice::offerSeries(const QStringList &names)
{
    m_seriesMenu->clear();
    for (const QString &name : names) {
        QAction *action = m_seriesMenu->addAction(name);
        action->setCheckable(true);
        action->setData(name);
        connect(action, &QAction::toggled, this, &ExportChoice::nameSeries);
    }
    if (names.isEmpty())
        m_seriesMenu->addAction(tr("No series reported yet"))->setEnabled(false);
    nameSeries();
}

QStringList ExportChoice::chosenSeries() const
{
    QStringList names;
    for (const QAction *action : m_seriesMenu->actions())
        if (action->isChecked())
            names << action->data().toString();
    return names;
}

void ExportChoice::nameSeries()
{
    const QStringList names = chosenSeries();
    const QString text = names.isEmpty()     ? tr("All series")
                         : names.size() <= 2 ? names.join(u", "_s)
                                             : tr("%1 series").arg(names.size());
    // The style sheet's padding has no effect on a button with a menu.
    m_series->setText(QChar(0x2002) + text);
    m_series->setToolTip(names.join(u'\n'));
    Q_EMIT changed();
}

void ExportChoice::enableColumns(bool on)
{
    m_columns->setEnabled(on);
}

void ExportChoice::enableCurves(bool on)
{
    for (QWidget *widget : std::initializer_list<QWidget *>{m_series, m_ranks, m_range, m_firstStep, m_lastStep})
        widget->setEnabled(on);
}

std::vector<sweep::TrialRecord> ExportChoice::chosenOf(const std::vector<sweep::TrialRecord> &trials) const
{
    const auto which = static_cast<Which>(m_which->currentData().toInt());
    if (which == Which::All)
        return trials;
    std::vector<int> numbers = which == Which::Filtered ? m_scope.filtered : m_scope.selected;
    std::ranges::sort(numbers);
    std::vector<sweep::TrialRecord> chosen;
    for (const sweep::TrialRecord &trial : trials)
        if (std::ranges::binary_search(numbers, trial.number))
            chosen.push_back(trial);
    return chosen;
}

exporting::ColumnChoice ExportChoice::columns() const
{
    return m_columns->currentIndex() == 1 ? m_scope.columns : exporting::ColumnChoice();
}

exporting::CurvesChoice ExportChoice::curves() const
{
    exporting::CurvesChoice choice;
    for (const QString &name : chosenSeries())
        choice.series.insert(name.toStdString());
    choice.ranks = ranksFromText(m_ranks->text()).value_or(std::set<int>());
    const auto range = static_cast<Range>(m_range->currentData().toInt());
    if (range == Range::Steps) {
        choice.firstStep = stepFromText(m_firstStep->text(), choice.firstStep).value_or(choice.firstStep);
        choice.lastStep = stepFromText(m_lastStep->text(), choice.lastStep).value_or(choice.lastStep);
    } else if (range == Range::Visible && m_scope.visible->isOfSteps) {
        choice.firstStep = std::llround(std::ceil(m_scope.visible->from));
        choice.lastStep = std::llround(std::floor(m_scope.visible->to));
    } else if (range == Range::Visible) {
        choice.from = std::llround(m_scope.visible->from * nsPerSecond);
        choice.to = std::llround(m_scope.visible->to * nsPerSecond);
    }
    return choice;
}

QLineEdit *ExportChoice::wrongField() const
{
    if (!ranksFromText(m_ranks->text()))
        return m_ranks;
    if (m_range->currentData().toInt() != static_cast<int>(Range::Steps))
        return nullptr;
    if (!stepFromText(m_firstStep->text(), 0))
        return m_firstStep;
    return stepFromText(m_lastStep->text(), 0) ? nullptr : m_lastStep;
}

QString ExportChoice::problem() const
{
    const QLineEdit *wrong = wrongField();
    if (wrong == m_ranks && wrong)
        return tr("“%1” is not a list of ranks. Examples: 0, 2-5. Leave empty for all.").arg(wrong->text());
    if (wrong)
        return tr("“%1” is not a step: enter an integer, or leave empty for all.").arg(wrong->text());
    const exporting::CurvesChoice choice = curves();
    if (choice.firstStep > choice.lastStep)
        return tr("The last step is before the first step.");
    return {};
}

}  // namespace sweepscope::ui
