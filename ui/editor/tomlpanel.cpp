#include "ui/editor/tomlpanel.h"

#include "ui/editor/numberedtext.h"
#include "ui/editor/tomlhighlighter.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QClipboard>
#include <QEvent>
#include <QFocusEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

TomlPanel::TomlPanel(QWidget *parent)
    : QWidget(parent),
      m_title(new QLabel(tr("Sweep file"), this)),
      m_text(new NumberedText(this)),
      m_highlighter(new TomlHighlighter(m_text->document(), palette())),
      m_copy(new QPushButton(symbolIcon(u"copy"_s), tr("Cop&y"), this)),
      m_note(new QLabel(this))
{
    setObjectName(u"tomlPanel"_s);
    setTextRole(m_title, TextRole::Emphasis);
    m_title->setBuddy(m_text);
    m_text->setObjectName(u"toml"_s);
    m_text->setAccessibleName(tr("Sweep file"));
    m_text->setReadOnly(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setTabChangesFocus(true);
    setTextRole(m_text, TextRole::Monospace);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_copy->setObjectName(u"toml.copy"_s);
    m_copy->setFlat(true);
    m_copy->setToolTip(tr("Copy the whole sweep file"));
    m_note->setObjectName(u"toml.note"_s);
    m_note->setWordWrap(true);
    setTextRole(m_note, TextRole::Small);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->hide();

    auto *head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addStretch();
    head->addWidget(m_copy);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing::large, spacing::small, spacing::large, spacing::large);
    layout->setSpacing(spacing::small);
    layout->addLayout(head);
    layout->addWidget(m_text);
    layout->addWidget(m_note);
    connect(m_copy, &QPushButton::clicked, this, &TomlPanel::copy);
    m_typed.setSingleShot(true);
    m_typed.setInterval(250);
    connect(&m_typed, &QTimer::timeout, this, &TomlPanel::emitEdited);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (m_isSetting)
            return;
        m_isEdited = true;
        m_typed.start();
    });
    m_text->installEventFilter(this);
}

void TomlPanel::setEditable(bool editable)
{
    m_text->setReadOnly(!editable);
    m_text->setTextInteractionFlags(editable ? Qt::TextEditorInteraction
                                             : Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

void TomlPanel::emitEdited()
{
    m_typed.stop();
    Q_EMIT edited(toml());
}

bool TomlPanel::eventFilter(QObject *watched, QEvent *event)
{
    // A message below the text takes space; keep the cursor's line visible.
    if (watched == m_text && event->type() == QEvent::Resize && m_text->hasFocus())
        QTimer::singleShot(0, m_text, &QPlainTextEdit::ensureCursorVisible);
    // Returning from a menu or another window continues the typing.
    if (event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent *>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason)
            leave();
    }
    return QWidget::eventFilter(watched, event);
}

void TomlPanel::leave()
{
    if (m_typed.isActive())
        emitEdited();
    if (!m_problem.isEmpty())
        return;  // keep text that cannot be parsed
    m_isEdited = false;
    if (!m_waiting.isEmpty())
        setToml(std::exchange(m_waiting, {}));
}

void TomlPanel::discardEdits()
{
    m_typed.stop();
    m_isEdited = false;
    m_waiting.clear();
    showProblem(0, {});
}

void TomlPanel::focusText()
{
    m_text->setFocus(Qt::OtherFocusReason);
    m_text->ensureCursorVisible();
}

void TomlPanel::type(const QString &toml)
{
    m_text->setPlainText(toml);
    emitEdited();
}

void TomlPanel::showProblem(int line, const QString &sentence)
{
    m_problem = !sentence.isEmpty() && line > 0 ? tr("Line %1: %2").arg(line).arg(sentence) : sentence;
    QList<QTextEdit::ExtraSelection> marks;
    const QTextBlock block = m_text->document()->findBlockByNumber(line - 1);
    if (!sentence.isEmpty() && block.isValid()) {
        QTextEdit::ExtraSelection mark;
        QColor back = problemColor(palette());
        back.setAlpha(50);
        mark.format.setBackground(back);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.cursor = QTextCursor(block);
        marks.append(mark);
    }
    m_text->setExtraSelections(marks);
    m_text->markLine(marks.isEmpty() ? 0 : line);
    markProblem(m_text, !sentence.isEmpty());
    setNote(m_problem);
}

void TomlPanel::setTitle(const QString &title)
{
    m_title->setText(title);
    m_text->setAccessibleName(title);
}

void TomlPanel::setToml(const QString &toml)
{
    if (m_isEdited) {
        m_waiting = toml;
        return;
    }
    if (toml == m_text->toPlainText())
        return;
    const QScopedValueRollback setting(m_isSetting, true);
    const int place = m_text->verticalScrollBar()->value();
    m_text->setPlainText(toml);
    m_text->verticalScrollBar()->setValue(place);
}

QString TomlPanel::toml() const
{
    return m_text->toPlainText();
}

void TomlPanel::setNote(const QString &note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void TomlPanel::copy()
{
    QGuiApplication::clipboard()->setText(toml());
}

void TomlPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    const QScopedValueRollback setting(m_isSetting, true);  // changed colours are not an edit
    m_highlighter->setPalette(palette());
}

}  // namespace sweepscope::ui
