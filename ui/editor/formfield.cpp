#include "ui/editor/formfield.h"

#include "ui/editor/fieldmessage.h"
#include "ui/models/valuetext.h"
#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

FormField::FormField(const QString &path, const QString &label, QWidget *editor, QWidget *parent)
    : FormField(path, label, editor, editor, parent)
{}

FormField::FormField(const QString &path, const QString &label, QWidget *editor, QWidget *holder, QWidget *parent)
    : QWidget(parent),
      m_path(path),
      m_label(new QLabel(label, this)),
      m_editor(editor),
      m_message(new FieldMessage(this))
{
    editor->setObjectName(path);
    editor->setAccessibleName(title());
    editor->setFocusPolicy(Qt::StrongFocus);
    editor->installEventFilter(this);
    m_label->setBuddy(editor);
    m_label->setObjectName(path + u".label"_s);
    m_message->setObjectName(path + u".problem"_s);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_label);
    layout->addSpacing(spacing::tiny);
    layout->addWidget(holder);
    layout->addSpacing(1);
    layout->addWidget(m_message);
    layout->addStretch();
}

QString FormField::title() const
{
    return m_label->text().remove(u'&');
}

void FormField::setHelp(const QString &help)
{
    m_help = help;
    updateToolTip();
}

void FormField::setNote(const QString &note)
{
    m_message->setNote(note);
}

void FormField::setProblem(const QString &sentence)
{
    if (sentence.compare(m_problem, Qt::CaseInsensitive) == 0)
        return;
    m_problem = sentenceText(sentence);
    m_message->setText(m_problem);
    m_editor->setAccessibleDescription(m_problem);
    markProblem(m_editor, !sentence.isEmpty());
    updateToolTip();
}

void FormField::updateToolTip()
{
    m_editor->setToolTip(m_problem.isEmpty() ? m_help : m_problem);
    m_label->setToolTip(m_help);
}

bool FormField::eventFilter(QObject *watched, QEvent *event)
{
    // Scrolling the page across a field must not change it, even if the field was used last; undo belongs to the page,
    // which knows all fields.
    const bool turnsValues = qobject_cast<QComboBox *>(m_editor) || qobject_cast<QAbstractSpinBox *>(m_editor);
    if (event->type() == QEvent::Wheel && (turnsValues || !m_editor->hasFocus())) {
        event->ignore();
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace sweepscope::ui
