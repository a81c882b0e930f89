#include "ui/editor/formsection.h"

#include "ui/editor/fieldgrid.h"
#include "ui/editor/formfield.h"
#include "ui/editor/keyfield.h"
#include "ui/theme/fonts.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace sweepscope::ui {

FormSection::FormSection(const QString &title, const QString &explanation, QWidget *parent)
    : QWidget(parent), m_heading(new QLabel(this)), m_body(new QVBoxLayout(this))
{
    setTextRole(m_heading, TextRole::Section);
    setHeading(title);
    auto *note = new QLabel(explanation, this);
    note->setForegroundRole(QPalette::PlaceholderText);
    note->setWordWrap(true);
    auto *head = new QVBoxLayout;
    head->setSpacing(2);
    head->addWidget(m_heading);
    head->addWidget(note);
    note->setVisible(!explanation.isEmpty());
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(spacing::medium);
    m_body->addLayout(head);
}

void FormSection::setHeading(const QString &title)
{
    setAccessibleName(title);
    m_heading->setText(title);
    m_heading->setVisible(!title.isEmpty());
}

FieldGrid *FormSection::addGrid()
{
    auto *grid = new FieldGrid(fieldColumnWidth, mostFieldColumns);
    m_body->addLayout(grid);
    return grid;
}

FieldGrid *FormSection::addFoldedGrid(const QString &buttonName, const QString &buttonText)
{
    auto *button = new QToolButton(this);
    button->setObjectName(buttonName);
    button->setText(buttonText);
    button->setCheckable(true);
    button->setArrowType(Qt::RightArrow);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    body()->addWidget(button);
    auto *fields = new QWidget(this);
    auto *grid = new FieldGrid(fieldColumnWidth, mostFieldColumns);
    fields->setLayout(grid);
    body()->addWidget(fields);
    fields->hide();
    connect(button, &QToolButton::toggled, this, [button, fields](bool open) {
        fields->setVisible(open);
        button->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    });
    m_folds.push_back({button, fields});
    return grid;
}

void FormSection::setFoldVisible(const FieldGrid *grid, bool isVisible)
{
    for (const Fold &fold : m_folds) {
        if (fold.fields->layout() != grid)
            continue;
        fold.button->setVisible(isVisible);
        fold.fields->setVisible(isVisible && fold.button->isChecked());
    }
}

void FormSection::reveal(const FormField *field)
{
    for (const Fold &fold : m_folds)
        if (fold.fields->isAncestorOf(field))
            fold.button->setChecked(true);
}

KeyField *FormSection::addKey(FieldGrid *grid, std::string_view path, int span)
{
    auto *field = new KeyField(*sweep::findKey(path), this);
    grid->addField(field, span);
    m_keys.push_back(field);
    connect(field, &KeyField::edited, this, [this, field] { Q_EMIT edited(field->path()); });
    return field;
}

void FormSection::display(const SweepDraft &draft)
{
    for (KeyField *field : m_keys) {
        const sweep::Key &key = field->key();
        field->show(draft.value(field->path()));
        if (!key.isSetting() && key.name != "ranks")
            continue;  // no parameter replaces it
        const bool varied = std::ranges::any_of(draft.space, [&key](const DimensionDraft &dimension) {
            return dimension.name.trimmed().toStdString() == key.name;
        });
        field->setEnabled(!varied);
        field->setNote(varied ? tr("In the search space") : QString());
    }
}

void FormSection::readInto(SweepDraft &draft) const
{
    for (const KeyField *field : m_keys)
        draft.setValue(field->path(), field->text());
}

FormField *FormSection::addText(FieldGrid *grid, const QString &path, const QString &label, QPlainTextEdit *text,
                                int span)
{
    auto *field = new FormField(path, label, text, this);
    grid->addField(field, span);
    connect(text, &QPlainTextEdit::textChanged, this, [this, path] { Q_EMIT edited(path); });
    return field;
}

FormField *FormSection::addBox(FieldGrid *grid, const QString &path, const QString &label, QComboBox *box)
{
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    auto *field = new FormField(path, label, box, this);
    grid->addField(field);
    connect(box, &QComboBox::editTextChanged, this, [this, path] { Q_EMIT edited(path); });
    return field;
}

void showText(QLineEdit *line, const QString &text)
{
    if (line->text() != text)
        line->setText(text);
}

void showValue(QSpinBox *box, int value)
{
    if (box->value() != value)
        box->setValue(value);
}

void chooseData(QComboBox *box, const QString &data)
{
    int index = box->findData(data);
    if (index < 0) {
        box->addItem(data, data);
        index = box->count() - 1;
    }
    box->setCurrentIndex(index);
}

}  // namespace sweepscope::ui
