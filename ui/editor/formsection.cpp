#include "ui/editor/formsection.h"

#include "ui/editor/fieldgrid.h"
#include "ui/editor/formfield.h"
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

void FormSection::reveal(const FormField *field)
{
    for (const Fold &fold : m_folds)
        if (fold.fields->isAncestorOf(field))
            fold.button->setChecked(true);
}

FormField *FormSection::addLine(FieldGrid *grid, const QString &path, const QString &label, QLineEdit *line, int span)
{
    return addHeld(grid, path, label, line, line, span);
}

FormField *FormSection::addHeld(FieldGrid *grid, const QString &path, const QString &label, QLineEdit *line,
                                QWidget *holder, int span)
{
    auto *field = new FormField(path, label, line, holder, this);
    grid->addField(field, span);
    connect(line, &QLineEdit::textEdited, this, [this, path] { Q_EMIT edited(path); });
    return field;
}

FormField *FormSection::addText(FieldGrid *grid, const QString &path, const QString &label, QPlainTextEdit *text,
                                int span)
{
    auto *field = new FormField(path, label, text, this);
    grid->addField(field, span);
    connect(text, &QPlainTextEdit::textChanged, this, [this, path] { Q_EMIT edited(path); });
    return field;
}

FormField *FormSection::addSpin(FieldGrid *grid, const QString &path, const QString &label, QSpinBox *box, int least,
                                int most)
{
    box->setRange(least, most);
    auto *field = new FormField(path, label, box, this);
    grid->addField(field);
    connect(box, &QSpinBox::valueChanged, this, [this, path] { Q_EMIT edited(path); });
    return field;
}

FormField *FormSection::addBox(FieldGrid *grid, const QString &path, const QString &label, QComboBox *box, int span)
{
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    auto *field = new FormField(path, label, box, this);
    grid->addField(field, span);
    if (box->isEditable())
        connect(box, &QComboBox::editTextChanged, this, [this, path] { Q_EMIT edited(path); });
    else
        connect(box, &QComboBox::currentIndexChanged, this, [this, path] { Q_EMIT edited(path); });
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
