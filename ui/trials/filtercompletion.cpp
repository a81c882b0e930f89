#include "ui/trials/filtercompletion.h"

#include "ui/models/trialfilter.h"
#include "ui/theme/textsize.h"

#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QStringListModel>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int popupWidth = 200;

QStringList stateWords()
{
    QStringList words;
    for (const auto state : {sweep::TrialState::Queued, sweep::TrialState::Starting, sweep::TrialState::Running,
                             sweep::TrialState::Paused, sweep::TrialState::Completed, sweep::TrialState::Pruned,
                             sweep::TrialState::Failed, sweep::TrialState::Stopped, sweep::TrialState::Lost})
        words << QString::fromStdString(sweep::toString(state));
    return words << TrialFilter::divergedWord();
}

}  // namespace

QString wordAtEnd(const QString &before)
{
    static const QRegularExpression word(u"[^\\s()\\[\\],=<>!&|\"']*$"_s);
    return word.match(before).captured();
}

QStringList filterWords(const QString &before, const TrialTableModel &model)
{
    if (before.count(u'"') % 2 != 0 || before.count(u'\'') % 2 != 0)
        return {};
    static const QRegularExpression stateSign(
        u"\\bstate(\\s*(==?|!=|<>)|\\s+is(\\s+not)?\\s|\\s+(not\\s+)?in\\s*\\[[^\\]]*)\\s*$"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression sign(u"([=<>]|\\bis(\\s+not)?\\s)\\s*$"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression comparison(u"([=<>]|\\bis(\\s+not)?\\s)\\s*[^\\s()=<>]+\\s+$"_s,
                                               QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression lastWord(u"([^\\s()=<>!&|\"']+)\\s+$"_s);
    const QString typed = before.chopped(wordAtEnd(before).size());
    if (stateSign.match(typed).hasMatch())
        return stateWords();
    if (sign.match(typed).hasMatch())
        return {TrialFilter::unsetWord()};
    const QStringList names = TrialFilter::names(model);
    if (names.contains(lastWord.match(typed).captured(1), Qt::CaseInsensitive) && !comparison.match(typed).hasMatch())
        return {u"="_s, u"!="_s, u"<"_s, u"<="_s, u">"_s, u">="_s, u"=="_s, u"is"_s, u"in"_s, u"contains"_s};
    const QStringList joints = {u"and"_s, u"or"_s, u"not"_s};
    return comparison.match(typed).hasMatch() ? joints + names : names + joints;
}

FilterCompletion::FilterCompletion(const TrialTableModel *model, QLineEdit *line)
    : QObject(line),
      m_model(model),
      m_line(line),
      m_words(new QStringListModel(this)),
      m_completer(new QCompleter(m_words, this))
{
    m_completer->setWidget(line);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    auto *list = new QListView;
    m_completer->setPopup(list);
    list->setObjectName(u"filterCompletion"_s);
    list->setAccessibleName(tr("Completions"));
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this, &FilterCompletion::insertWord);
    connect(line, &QLineEdit::textEdited, this, [this] { offer(false); });
    line->installEventFilter(this);
    list->installEventFilter(this);  // before QCompleter, which would pass Tab and Enter to the line edit first
}

bool FilterCompletion::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->keyCombination() == (Qt::ControlModifier | Qt::Key_Space)) {
        offer(true);
        return true;
    }
    if (watched == m_completer->popup() && event->type() == QEvent::KeyPress)
        return acceptKey(static_cast<QKeyEvent *>(event)->key());
    return QObject::eventFilter(watched, event);
}

/// Whether the key accepted the current completion.
bool FilterCompletion::acceptKey(int key)
{
    const QModelIndex chosen = m_completer->popup()->currentIndex();
    if (!chosen.isValid() || (key != Qt::Key_Tab && key != Qt::Key_Return && key != Qt::Key_Enter))
        return false;
    m_completer->popup()->hide();
    insertWord(chosen.data().toString());
    return true;
}

void FilterCompletion::offer(bool wasAsked)
{
    const QString before = m_line->text().first(m_line->cursorPosition());
    const QString word = wordAtEnd(before);
    const QStringList words = word.isEmpty() && !wasAsked ? QStringList() : filterWords(before, *m_model);
    // A complete word needs no completion, and Enter must apply the filter.
    if (words.isEmpty() || (!wasAsked && words.contains(word, Qt::CaseInsensitive))) {
        m_completer->popup()->hide();
        return;
    }
    m_words->setStringList(words);
    m_completer->setCompletionPrefix(word);
    if (m_completer->completionCount() == 0) {
        m_completer->popup()->hide();
        return;
    }
    QRect place = m_line->rect();
    place.setLeft(m_line->inputMethodQuery(Qt::ImCursorRectangle).toRect().left());
    place.setWidth(textScaled(popupWidth));
    m_completer->complete(place);
    m_completer->popup()->setCurrentIndex(m_completer->completionModel()->index(0, 0));
}

void FilterCompletion::insertWord(const QString &word)
{
    const int end = m_line->cursorPosition();
    const int length = static_cast<int>(wordAtEnd(m_line->text().first(end)).size());
    m_line->setSelection(end - length, length);
    m_line->insert(word);
}

}  // namespace sweepscope::ui
