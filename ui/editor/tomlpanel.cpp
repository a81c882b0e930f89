#include "ui/editor/tomlpanel.h"

#include "ui/editor/tomlhighlighter.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/spacing.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

TomlPanel::TomlPanel(QWidget *parent)
    : QWidget(parent),
      m_title(new QLabel(tr("Sweep file"), this)),
      m_text(new QPlainTextEdit(this)),
      m_highlighter(new TomlHighlighter(m_text->document(), palette())),
      m_copy(new QPushButton(symbolIcon(u"copy"_s), tr("Cop&y"), this)),
      m_note(new QLabel(this))
{
    setObjectName(u"tomlPanel"_s);
    m_title->setFont(emphasisFont(font()));
    m_title->setBuddy(m_text);
    m_text->setObjectName(u"toml"_s);
    m_text->setAccessibleName(tr("Sweep file"));
    m_text->setReadOnly(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setTabChangesFocus(true);
    m_text->setFont(monospaceFont());
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_copy->setObjectName(u"toml.copy"_s);
    m_copy->setFlat(true);
    m_copy->setToolTip(tr("Copy the whole sweep file"));
    m_note->setObjectName(u"toml.note"_s);
    m_note->setWordWrap(true);
    m_note->setFont(smallFont(font()));
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
}

void TomlPanel::setTitle(const QString &title)
{
    m_title->setText(title);
    m_text->setAccessibleName(title);
}

void TomlPanel::setToml(const QString &toml)
{
    if (toml == m_text->toPlainText())
        return;
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
    if (event->type() == QEvent::PaletteChange)
        m_highlighter->setPalette(palette());
}

}  // namespace sweepscope::ui
