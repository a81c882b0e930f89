#include "ui/logs/logsearchbar.h"

#include "ui/logs/keptswitch.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace sweepscope::ui {

namespace {

constexpr int leastResult = 68;  ///< "300 matches"

/// Whether the text contains what is common in regular expressions and rare in other text.
bool looksLikeExpression(const QString &text)
{
    static const QRegularExpression signs(QStringLiteral(R"(\||\.[*+?]|\\[bBdDsSwW.()\[\]]|^\^|\$$|\[[^\]]+\][*+])"));
    return signs.match(text).hasMatch() && QRegularExpression(text).isValid();
}

}  // namespace

LogSearchBar::LogSearchBar(QWidget *parent)
    : QWidget(parent),
      m_field(new QLineEdit),
      m_expression(new QToolButton),
      m_case(new QToolButton),
      m_filter(new QToolButton),
      m_previous(new QToolButton),
      m_next(new QToolButton),
      m_result(new QLabel)
{
    m_field->setObjectName(QStringLiteral("logSearch"));
    m_result->setObjectName(QStringLiteral("logSearchResult"));
    m_field->setClearButtonEnabled(true);
    m_field->setMinimumWidth(160);
    m_field->addAction(symbolIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_field->installEventFilter(this);
    m_expression->setObjectName(QStringLiteral("logExpression"));
    m_expression->setText(QStringLiteral(".*"));
    m_expression->setToolTip(tr("Regular expression"));
    m_expression->setAccessibleName(tr("Regular expression"));
    m_case->setObjectName(QStringLiteral("logCase"));
    m_case->setText(QStringLiteral("Aa"));
    m_case->setToolTip(tr("Match case"));
    m_case->setAccessibleName(tr("Match case"));
    m_filter->setObjectName(QStringLiteral("logFilter"));
    m_filter->setIcon(symbolIcon(QStringLiteral("filter")));
    m_filter->setCheckable(true);
    m_filter->setToolTip(tr("Show only matching lines (M). Press Enter in the log to show all lines."));
    m_filter->setAccessibleName(tr("Only matching lines"));
    m_previous->setIcon(symbolIcon(QStringLiteral("up")));
    m_previous->setToolTip(tr("Previous match (Shift+Enter)"));
    m_previous->setAccessibleName(tr("Previous match"));
    m_next->setIcon(symbolIcon(QStringLiteral("down")));
    m_next->setToolTip(tr("Next match (Enter)"));
    m_next->setAccessibleName(tr("Next match"));
    setTextRole(m_result, TextRole::Small);
    m_result->setWordWrap(true);  // in a narrow window it has two lines
    // Keeps the width of the field for any text, so that no button moves away from under the mouse.
    m_result->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    followTextSize(m_result, [this] { m_result->setMinimumWidth(textScaled(leastResult)); });

    setForAllTrials(false);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::tiny);
    layout->addWidget(m_field, 1);
    for (QToolButton *button : {m_expression, m_case, m_filter, m_previous, m_next})
        layout->addWidget(button);
    layout->addWidget(m_result, 1);
    for (QToolButton *button : {m_expression, m_case}) {
        button->setCheckable(true);
        connect(button, &QToolButton::toggled, this, &LogSearchBar::patternEdited);
    }
    connect(m_filter, &QToolButton::toggled, this, &LogSearchBar::filteringChanged);
    connect(m_field, &QLineEdit::textChanged, this, &LogSearchBar::patternEdited);
    connect(m_previous, &QToolButton::clicked, this, [this] { Q_EMIT findRequested(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT findRequested(true); });
}

std::optional<QRegularExpression> LogSearchBar::pattern() const
{
    const QString text = m_field->text();
    if (text.isEmpty())
        return std::nullopt;
    const auto options =
        m_case->isChecked() ? QRegularExpression::NoPatternOption : QRegularExpression::CaseInsensitiveOption;
    QRegularExpression expression(m_expression->isChecked() ? text : QRegularExpression::escape(text), options);
    return expression.isValid() ? std::optional(expression) : std::nullopt;
}

bool LogSearchBar::isFiltering() const
{
    return m_filter->isChecked();
}

void LogSearchBar::setFiltering(bool filtering)
{
    m_filter->setChecked(filtering);
}

void LogSearchBar::patternEdited()
{
    const QRegularExpression expression(m_field->text());
    const bool wrong = m_expression->isChecked() && !m_field->text().isEmpty() && !expression.isValid();
    markProblem(m_field, wrong);
    setResult(wrong ? tr("%1, at character %2").arg(expression.errorString()).arg(expression.patternErrorOffset() + 1)
                    : QString(),
              wrong);
    Q_EMIT patternChanged();
}

void LogSearchBar::setResult(const QString &text, bool bad)
{
    m_result->setText(text);
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, bad ? problemColor(colors) : subtleTextColor(colors));
    m_result->setPalette(colors);
}

void LogSearchBar::setNotFound(const QString &sentence)
{
    const bool mayBeExpression = !m_expression->isChecked() && looksLikeExpression(m_field->text());
    setResult(mayBeExpression ? tr("%1 as plain text. For a regular expression, press .*").arg(sentence) : sentence,
              true);
}

void LogSearchBar::keepIn(QSettings *settings)
{
    keepChecked(m_expression, settings, QStringLiteral("logs/expression"));
    keepChecked(m_case, settings, QStringLiteral("logs/case"));
}

void LogSearchBar::clear()
{
    m_field->clear();
}

void LogSearchBar::setForAllTrials(bool isForAll)
{
    m_isForAllTrials = isForAll;
    m_field->setPlaceholderText(isForAll ? tr("Find in all trials") : tr("Find in log"));
}

void LogSearchBar::askForAllTrials()
{
    focusField();
    setForAllTrials(true);
    setResult(tr("Enter searches all trials"), false);
}

void LogSearchBar::focusField()
{
    setForAllTrials(false);
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

bool LogSearchBar::eventFilter(QObject *object, QEvent *event)
{
    if (object == m_field && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (m_isForAllTrials && pattern())
                Q_EMIT allTrialsRequested();
            else
                Q_EMIT findRequested(!key->modifiers().testFlag(Qt::ShiftModifier));
            return true;
        }
        if (key->key() == Qt::Key_Escape && !m_field->text().isEmpty()) {
            m_field->clear();
            return true;
        }
    }
    if (object == m_field && event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent *>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason)  // where a text may be copied
            setForAllTrials(false);
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace sweepscope::ui
