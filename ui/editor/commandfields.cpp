#include "ui/editor/commandfields.h"

#include "ui/editor/commandline.h"
#include "ui/editor/fieldgrid.h"
#include "ui/editor/formfield.h"
#include "ui/theme/fonts.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

QString formatName(output::OutputFormat format)
{
    switch (format) {
    case output::OutputFormat::Text:
        return u"text"_s;
    case output::OutputFormat::Json:
        return u"json"_s;
    case output::OutputFormat::Auto:
        break;
    }
    return u"auto"_s;
}

}  // namespace

CommandFields::CommandFields(QWidget *parent)
    : FormSection(QString(), QString(), parent),
      m_command(new QPlainTextEdit),
      m_field(nullptr),
      m_arguments(new QLabel(this)),
      m_output(new QComboBox)
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
    m_output->addItem(tr("If nothing is reported"), QString());
    m_output->addItem(tr("Automatic"), formatName(output::OutputFormat::Auto));
    m_output->addItem(tr("JSON lines"), formatName(output::OutputFormat::Json));
    addBox(addGrid(), u"run.metrics.format"_s, tr("Metrics from output"), m_output)
        ->setHelp(tr(
            "Plots metrics that the command prints. If nothing is reported: starts after 20 seconds without a report, "
            "in the automatic format. Automatic reads lines such as "
            "\"epoch 3 loss: 0.5\", progress bars and printed dictionaries."));
    connect(m_output, &QComboBox::activated, this, [this] { Q_EMIT edited(u"run.metrics.format"_s); });
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
    m_metrics = draft.metrics;
    const QString patterns = formatName(output::OutputFormat::Text);
    if (const int known = m_output->findData(patterns); known >= 0)
        m_output->removeItem(known);
    if (m_metrics && m_metrics->format == output::OutputFormat::Text)
        m_output->addItem(m_metrics->tensorboard.empty() ? tr("Patterns of the file") : tr("TensorBoard event files"),
                          patterns);
    chooseData(m_output, m_metrics ? formatName(m_metrics->format) : QString());
}

void CommandFields::readInto(SweepDraft &draft) const
{
    draft.setValue(u"run.command"_s, m_command->toPlainText());
    const QString chosen = m_output->currentData().toString();
    draft.metrics = m_metrics;
    if (chosen.isEmpty())
        draft.metrics.reset();
    else if (!m_metrics || chosen != formatName(m_metrics->format))
        draft.metrics = output::MetricsSection{.format = chosen == formatName(output::OutputFormat::Json)
                                                             ? output::OutputFormat::Json
                                                             : output::OutputFormat::Auto,
                                               .step = {},
                                               .series = {}};
}

}  // namespace sweepscope::ui
