#include "ui/editor/commandfields.h"

#include "ui/editor/commandline.h"
#include "ui/editor/fieldgrid.h"
#include "ui/editor/formfield.h"
#include "ui/theme/fonts.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

CommandFields::CommandFields(QWidget *parent)
    : FormSection(QString(), QString(), parent),
      m_command(new QPlainTextEdit),
      m_field(nullptr),
      m_arguments(new QLabel(this))
{
    setTextRole(m_command, TextRole::Monospace);
    m_command->setTabChangesFocus(true);
    m_command->setPlaceholderText(u"python3 train.py --lr {lr}"_s);
    followTextSize(m_command, [command = m_command] {
        command->setFixedHeight(3 * QFontMetrics(command->font()).lineSpacing() + 2 * spacing::small);
    });
    m_field = addText(addGrid(), u"run.command"_s, tr("Command line"), m_command);
    m_field->setHelp(
        tr("Runs once per rank with torchrun's environment (RANK, WORLD_SIZE, MASTER_ADDR, …), without a shell. {name} "
           "is replaced with the value of a parameter. Quote arguments that contain spaces."));
    m_arguments->setObjectName(u"run.arguments"_s);
    m_arguments->setAccessibleName(tr("Resulting arguments"));
    m_arguments->setTextFormat(Qt::RichText);
    m_arguments->setWordWrap(true);
    m_arguments->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_arguments->setFocusPolicy(Qt::NoFocus);
    body()->addWidget(m_arguments);
    connect(m_command, &QPlainTextEdit::textChanged, this, &CommandFields::followCommand);
    followCommand();
}

namespace {

/// Allows line breaks between arguments, but not inside "--bs".
QString withoutBreaks(const QString &argument)
{
    static const QString breaking = u"-/}?|!%"_s;
    constexpr QChar wordJoiner(0x2060);
    QString joined;
    for (const QChar c : argument) {
        joined += c;
        if (breaking.contains(c))
            joined += wordJoiner;
    }
    return joined;
}

}  // namespace

void CommandFields::followCommand()
{
    const auto arguments = splitCommandLine(m_command->toPlainText());
    if (!arguments) {
        m_arguments->clear();
        return;
    }
    QStringList shown;
    for (const std::string &argument : *arguments)
        shown += u"<span style=\"background:%1; white-space:pre\">&nbsp;%2&nbsp;</span>"_s.arg(
            palette().color(QPalette::Midlight).name(),
            withoutBreaks(QString::fromStdString(argument)).toHtmlEscaped());
    const QString family = monospaceFont().family().toHtmlEscaped();
    m_arguments->setText(shown.isEmpty() ? tr("Each argument appears here as passed to the command.")
                                         : tr("Arguments: %1")
                                               .arg(u"<span style=\"font-family:'%1'\">%2</span>"_s.arg(
                                                   family, shown.join(u"&nbsp; "_s))));
}

void CommandFields::display(const SweepDraft &draft)
{
    const QString command = draft.value(u"run.command"_s);
    if (m_command->toPlainText() != command)
        m_command->setPlainText(command);
}

void CommandFields::readInto(SweepDraft &draft) const
{
    draft.setValue(u"run.command"_s, m_command->toPlainText());
}

}  // namespace sweepscope::ui
