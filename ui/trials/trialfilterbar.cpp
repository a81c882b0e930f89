#include "ui/trials/trialfilterbar.h"

#include "base/suggestion.h"
#include "exporting/sweepexport.h"
#include "ui/theme/icons.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"
#include "ui/theme/wraplayout.h"
#include "ui/trials/filtercompletion.h"

#include <QComboBox>
#include <QEvent>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int narrowestFilter = 200;
constexpr int widestFilter = 640;
constexpr int longestFilter = 1 << 20;  ///< the numbers of every other one of 10,000 trials, and more
constexpr int rowsAtOnce = 250;         // takes a millisecond or two

}  // namespace

TrialFilterBar::TrialFilterBar(const TrialTableModel *model, QSettings *settings, QWidget *parent)
    : QWidget(parent),
      m_model(model),
      m_settings(settings),
      m_filter(new QLineEdit(this)),
      m_state(new QComboBox(this)),
      m_group(new QComboBox(this)),
      m_columns(new QToolButton(this)),
      m_columnsMenu(new QMenu(this)),
      m_curves(new QToolButton(this)),
      m_count(new QLabel(this)),
      m_problem(new QLabel(this))
{
    buildFilter();
    buildStates();
    buildButtons();

    auto *row = new WrapLayout;
    row->setSpacing(spacing::small);
    row->addWidget(m_filter);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_state, m_group, m_columns, m_curves})
        row->addWidget(widget);
    row->addWidget(m_count);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addLayout(row);
    layout->addWidget(m_problem);
    fillGroups();
    connect(m_model, &QAbstractItemModel::columnsInserted, this, &TrialFilterBar::showProblem);
}

void TrialFilterBar::buildFilter()
{
    m_filter->setObjectName(u"trialsFilter"_s);
    m_filter->setAccessibleName(tr("Filter trials"));
    m_filter->setPlaceholderText(tr("Filter, e.g. lr > 1e-3 and state = failed"));
    m_filter->setToolTip(
        tr("Search words, and comparisons as in constraints. Combine them with and, or, not and parentheses:\nadam lr "
           "< 0.01\nlr = 1e-4..1e-2 and not state = failed\nbatch_size * ranks > 256 or tag = baseline\nstate in "
           "[failed, lost] and note contains \"warm up\"\nNames: parameters, trial, state, best, last, step, seconds, "
           "attempts, ranks, seed, device, tag, note, star, reason, and any metric: val_accuracy > 0.9, min.loss < "
           "0.1\nmomentum is unset: trials without this parameter\noptimizer == SGD: case-sensitive. Quotes \"…\" turn "
           "operators into plain text; \\\" is a quotation mark.\nparameter.best, trial.best: parameter or table "
           "column, if both have this name\nCtrl+Space shows completions. Enter and Tab accept one."));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaxLength(longestFilter);
    m_filter->setMinimumWidth(narrowestFilter);
    m_filter->setMaximumWidth(widestFilter);
    m_filter->addAction(symbolIcon(u"search"_s, QPalette::PlaceholderText), QLineEdit::LeadingPosition);
    m_problem->setObjectName(u"trialsFilterProblem"_s);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_filter->installEventFilter(this);
    new FilterCompletion(m_model, m_filter);
    connect(&m_ahead, &QTimer::timeout, this, [this] {
        if (!m_model->makeSearchTexts(rowsAtOnce))
            m_ahead.stop();
    });
    connect(m_filter, &QLineEdit::returnPressed, this, &TrialFilterBar::filterFinished);
    m_pause.setSingleShot(true);
    m_pause.setInterval(1s);
    connect(&m_pause, &QTimer::timeout, this, &TrialFilterBar::showProblem);
    connect(m_filter, &QLineEdit::editingFinished, this, &TrialFilterBar::showProblem);
    connect(m_filter, &QLineEdit::textChanged, this, [this] {
        if (filter().problem().isEmpty() || !m_filter->hasFocus()) {
            showProblem();
        } else {  // an unfinished condition is no mistake yet
            hideProblem();
            m_pause.start();
        }
        save();
        Q_EMIT filterChanged();
    });
}

void TrialFilterBar::buildStates()
{
    m_state->setObjectName(u"trialsStateFilter"_s);
    m_state->setAccessibleName(tr("Filter by state"));
    m_state->setToolTip(tr("Show only trials in this state"));
    m_state->addItem(tr("All states"));
    for (const auto state : {sweep::TrialState::Queued, sweep::TrialState::Starting, sweep::TrialState::Running,
                             sweep::TrialState::Paused, sweep::TrialState::Completed, sweep::TrialState::Pruned,
                             sweep::TrialState::Failed, sweep::TrialState::Stopped, sweep::TrialState::Lost})
        m_state->addItem(stateIcon(state), stateText(state), QString::fromStdString(sweep::toString(state)));
    m_state->addItem(QIcon(u":/icons/severity-warning.svg"_s), tr("Diverged"), TrialFilter::divergedWord());
    connect(m_state, &QComboBox::currentIndexChanged, this, [this] {
        save();
        Q_EMIT filterChanged();
    });
}

void TrialFilterBar::buildButtons()
{
    m_group->setObjectName(u"trialsGroup"_s);
    m_group->setAccessibleName(tr("Group trials"));
    m_group->setToolTip(tr("One row per value, with the count, best and mean of its trials"));
    m_group->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_group, &QComboBox::currentIndexChanged, this, [this] {
        save();
        Q_EMIT groupingChanged();
    });
    m_columns->setObjectName(u"trialsColumns"_s);
    m_columns->setIcon(symbolIcon(u"columns"_s));
    m_columns->setAccessibleName(tr("Columns"));
    m_columns->setToolTip(tr("Show or hide columns. To move a column, drag its header."));
    m_columns->setPopupMode(QToolButton::InstantPopup);
    m_columns->setMenu(m_columnsMenu);
    m_columnsMenu->setObjectName(u"trialsColumnsMenu"_s);
    m_curves->setObjectName(u"trialsCurves"_s);
    m_curves->setText(tr("Curves"));
    m_curves->setIcon(symbolIcon(u"compare"_s));
    m_curves->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_curves->setCheckable(true);
    m_curves->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_D));
    m_curves->setToolTip(tr("Show the curves of the trials in the table, or of those selected (Ctrl+D)"));
    m_count->setObjectName(u"trialsCount"_s);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    followTextSize(m_count, [this] { fitCount(); });
}

/// Lists columns in which several trials may have the same value.
void TrialFilterBar::fillGroups()
{
    using Column = TrialTableModel::Column;
    m_group->clear();
    m_group->addItem(tr("No groups"));
    for (int section = 0; section < m_model->columnCount(); ++section) {
        const Column kind = m_model->columnKind(section);
        if (kind != Column::Parameter && kind != Column::State && kind != Column::Ranks && kind != Column::Tags)
            continue;
        const QString title = m_model->headerData(section, Qt::Horizontal).toString();
        m_group->addItem(tr("By %1").arg(kind == Column::Parameter ? title : title.toLower()),
                         m_model->columnId(section));
    }
}

void TrialFilterBar::restore(const QString &key)
{
    {
        const QScopedValueRollback restoring(m_restoring, true);
        m_key = key;
        fillGroups();
        const auto kept = [this, &key](const QString &name) {
            return m_settings && !key.isEmpty() ? m_settings->value(u"trials/%1/%2"_s.arg(key, name)) : QVariant();
        };
        m_filter->setText(kept(u"filter"_s).toString());
        m_group->setCurrentIndex(std::max(0, m_group->findData(kept(u"group"_s))));
        const QString state = kept(u"state"_s).toString();
        m_state->setCurrentIndex(state.isEmpty() ? 0 : std::max(0, m_state->findData(state)));
    }
    showProblem();  // the same text may mean something else in another sweep
    Q_EMIT groupingChanged();
    Q_EMIT filterChanged();
}

void TrialFilterBar::save() const
{
    if (m_restoring || !m_settings || m_key.isEmpty())
        return;
    const auto keep = [this](const QString &name, const QString &value) {
        const QString setting = u"trials/%1/%2"_s.arg(m_key, name);
        if (value.isEmpty())
            m_settings->remove(setting);
        else
            m_settings->setValue(setting, value);
    };
    keep(u"filter"_s, m_filter->text());
    keep(u"group"_s, groupedBy());
    keep(u"state"_s, m_state->currentData().toString());
}

bool TrialFilterBar::isBeingTyped() const
{
    return m_filter->isModified();
}

void TrialFilterBar::clear()
{
    m_filter->clear();
    m_state->setCurrentIndex(0);
}

void TrialFilterBar::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

bool TrialFilterBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_filter && event->type() == QEvent::FocusIn)
        m_ahead.start(0);
    // Ctrl+E exports here too, rather than moving to the end of the line, for which there is the End key.
    if (watched == m_filter && event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent *>(event)->keyCombination() == (Qt::ControlModifier | Qt::Key_E)) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TrialFilterBar::addCondition(const QString &condition)
{
    const QString typed = m_filter->text().trimmed();
    const bool needsParentheses = typed.contains(u" or "_s, Qt::CaseInsensitive) || typed.contains(u"||"_s);
    m_filter->setText(typed.isEmpty()    ? condition
                      : needsParentheses ? u"(%1) and %2"_s.arg(typed, condition)
                                         : u"%1 and %2"_s.arg(typed, condition));
}

void TrialFilterBar::setText(const QString &text)
{
    m_state->setCurrentIndex(0);
    m_filter->setText(text);
    m_filter->setCursorPosition(0);  // shows the beginning, which says what it is about
}

QString TrialFilterBar::countText(int shown, int all, int removed, int selected) const
{
    QString text;
    if (all == 1)
        text = shown == all ? tr("1 trial") : tr("0 of 1 trial");
    else if (all > 1)
        text = shown == all ? tr("%L1 trials").arg(all) : tr("%L1 of %L2 trials").arg(shown).arg(all);
    if (selected > 1)
        text = tr("%1, %L2 selected").arg(text).arg(selected);
    if (removed > 0)
        text = tr("%1, %L2 removed").arg(text).arg(removed);
    return m_model->hasMostMetrics() ? tr("%1, %2 metrics").arg(text).arg(exporting::mostMetricNames) : text;
}

void TrialFilterBar::setCount(int shown, int all, int removed, int selected)
{
    m_count->setText(countText(shown, all, removed, selected));
    m_longestCount = countText(all - 1, all, removed, all);
    fitCount();
    m_count->setToolTip(
        m_model->hasMostMetrics()
            ? tr("The table has columns for the first %1 metrics of a sweep. The Overview page and JSON exports "
                 "contain all metrics.")
                  .arg(exporting::mostMetricNames)
        : removed > 0 ? tr("An edit of the sweep removed these trials before they started. They are not counted.")
                      : QString());
}

/// Gives it the width of its longest text, so that the controls next to it keep their places.
void TrialFilterBar::fitCount()
{
    const QFontMetrics metrics = m_count->fontMetrics();
    m_count->setMinimumWidth(
        std::max(metrics.horizontalAdvance(m_longestCount), metrics.horizontalAdvance(m_count->text())));
}

QString TrialFilterBar::unknownText(const QString &name) const
{
    std::vector<std::string> known;
    for (const QString &one : TrialFilter::names(*m_model))
        known.push_back(one.toStdString());
    const std::string closest = closestWord(name.toStdString(), known);
    const QString text = tr("No column is named “%1”: searching for it as a word instead.").arg(name);
    return closest.empty() ? text : tr("%1 Did you mean “%2”?").arg(text, QString::fromStdString(closest));
}

void TrialFilterBar::hideProblem()
{
    markProblem(m_filter, false);
    m_problem->hide();
}

void TrialFilterBar::showProblem()
{
    m_pause.stop();
    TrialFilter typed(m_filter->text());
    if (typed.problem().isEmpty())
        typed.bind(*m_model);
    const QStringList unknown = typed.unknownNames(*m_model);
    const bool isWrong = !typed.problem().isEmpty();
    markProblem(m_filter, isWrong);
    markProblem(m_problem, isWrong);
    m_problem->setForegroundRole(isWrong ? QPalette::WindowText : QPalette::PlaceholderText);
    m_problem->setText(isWrong             ? tr("Filter not applied: %1").arg(typed.problem())
                       : unknown.isEmpty() ? QString()
                                           : unknownText(unknown.front()));
    m_problem->setVisible(!m_problem->text().isEmpty());
}

TrialFilter TrialFilterBar::filter() const
{
    TrialFilter typed(m_filter->text());
    if (m_state->currentData().toString() != TrialFilter::divergedWord() || !typed.problem().isEmpty())
        return typed;
    const QString condition = u"trial.state = %1"_s.arg(TrialFilter::divergedWord());
    return TrialFilter(typed.isEmpty() ? condition : u"(%1) and %2"_s.arg(m_filter->text(), condition));
}

std::vector<sweep::TrialState> TrialFilterBar::states() const
{
    const auto state = sweep::trialStateFromString(m_state->currentData().toString().toStdString());
    return state ? std::vector{*state} : std::vector<sweep::TrialState>{};
}

QString TrialFilterBar::groupedBy() const
{
    return m_group->currentData().toString();
}

}  // namespace sweepscope::ui
