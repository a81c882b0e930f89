#include "ui/actions/markdialog.h"

#include "ui/theme/problemmark.h"
#include "ui/theme/spacing.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr QSize usualSize(440, 300);

QString joined(const std::vector<std::string> &tags)
{
    QStringList texts;
    for (const std::string &tag : tags)
        texts << QString::fromStdString(tag);
    return texts.join(u", "_s);
}

std::vector<std::string> split(const QString &text)
{
    std::vector<std::string> tags;
    for (const QString &tag : text.split(u',', Qt::SkipEmptyParts)) {
        if (const QString trimmed = tag.simplified(); !trimmed.isEmpty())
            tags.push_back(trimmed.toStdString());
    }
    return tags;
}

}  // namespace

MarkDialog::MarkDialog(const QString &title, const std::vector<sweep::Mark> &marks, QWidget *parent)
    : QDialog(parent),
      m_note(new QPlainTextEdit(this)),
      m_tags(new QLineEdit(this)),
      m_problem(new QLabel(this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this))
{
    setObjectName(u"markDialog"_s);
    setWindowTitle(title);
    bool sameNote = true;
    for (const sweep::Mark &mark : marks) {
        const QString note = QString::fromStdString(mark.note);
        if (&mark == &marks.front()) {
            m_tagsBefore = mark.tags;
            m_noteBefore = note;
        }
        std::erase_if(m_tagsBefore,
                      [&mark](const std::string &tag) { return !std::ranges::binary_search(mark.tags, tag); });
        sameNote = sameNote && note == m_noteBefore;
    }
    if (!sameNote)
        m_noteBefore.clear();

    m_note->setObjectName(u"markNote"_s);
    m_note->setAccessibleName(tr("Note"));
    m_note->setPlainText(m_noteBefore);
    m_note->setPlaceholderText(sameNote ? tr("Add a note") : tr("Different notes (unchanged)"));
    m_note->setTabChangesFocus(true);
    m_tags->setObjectName(u"markTags"_s);
    m_tags->setAccessibleName(tr("Tags"));
    m_tags->setText(joined(m_tagsBefore));
    m_tags->setPlaceholderText(tr("Comma-separated, e.g. baseline, rerun"));
    m_problem->setObjectName(u"markProblem"_s);
    m_problem->setWordWrap(true);
    markProblem(m_problem, true);

    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(spacing::small);
    auto *noteLabel = new QLabel(tr("&Note"), this);
    noteLabel->setBuddy(m_note);
    auto *tagsLabel = new QLabel(marks.size() == 1 ? tr("&Tags") : tr("Shared &tags"), this);
    tagsLabel->setBuddy(m_tags);
    layout->addWidget(noteLabel);
    layout->addWidget(m_note, 1);
    layout->addWidget(tagsLabel);
    layout->addWidget(m_tags);
    layout->addWidget(m_problem);
    layout->addWidget(m_buttons);
    markPrimary(m_buttons->button(QDialogButtonBox::Save));
    connect(m_buttons, &QDialogButtonBox::accepted, this, &MarkDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_note, &QPlainTextEdit::textChanged, this, &MarkDialog::check);
    connect(m_tags, &QLineEdit::textChanged, this, &MarkDialog::check);
    resize(usualSize);
    m_note->setFocus();
    check();
}

sweep::MarkChange MarkDialog::change() const
{
    sweep::MarkChange change;
    std::vector<std::string> tags = split(m_tags->text());
    for (const std::string &tag : tags) {
        if (std::ranges::find(m_tagsBefore, tag) == m_tagsBefore.end())
            change.addedTags.push_back(tag);
    }
    for (const std::string &tag : m_tagsBefore) {
        if (std::ranges::find(tags, tag) == tags.end())
            change.removedTags.push_back(tag);
    }
    if (m_note->toPlainText() != m_noteBefore)
        change.note = m_note->toPlainText().toStdString();
    return change;
}

void MarkDialog::check()
{
    const Expected<void> fine = sweep::check(change());
    m_problem->setVisible(!fine);
    m_problem->setText(fine ? QString() : QString::fromStdString(fine.error().message));
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(fine.has_value());
}

void MarkDialog::accept()
{
    const sweep::MarkChange wanted = change();
    if (!wanted.isEmpty())
        Q_EMIT marked(wanted);
    QDialog::accept();
}

}  // namespace sweepscope::ui
