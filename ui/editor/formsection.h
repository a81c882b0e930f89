#pragma once

#include "ui/editor/sweepdraft.h"

#include <QWidget>

#include <string_view>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace sweepscope::ui {

class FieldGrid;
class FormField;
class KeyField;

/// A part of the form under one heading. Shows its part of a draft and reads it back.
class FormSection : public QWidget {
    Q_OBJECT

public:
    FormSection(const QString &title, const QString &explanation, QWidget *parent);

    /// Both know the fields of addKey(); a section with others adds them.
    virtual void display(const SweepDraft &draft);
    virtual void readInto(SweepDraft &draft) const;
    /// Make sure that this field of the section can be seen (it may be behind "More").
    virtual void reveal(const FormField *field);

Q_SIGNALS:
    /// A person changed the field at `path`.
    void edited(const QString &path);

protected:
    void setHeading(const QString &title);
    QVBoxLayout *body() const { return m_body; }
    FieldGrid *addGrid();
    /// A grid behind a button that opens it.
    FieldGrid *addFoldedGrid(const QString &buttonName, const QString &buttonText);

    /// A field for a key of the sweep file, with all that the table says of it.
    KeyField *addKey(FieldGrid *grid, std::string_view path, int span = 1);
    // Editors that tell edited(path) by themselves.
    FormField *addText(FieldGrid *grid, const QString &path, const QString &label, QPlainTextEdit *text, int span = 0);
    FormField *addBox(FieldGrid *grid, const QString &path, const QString &label, QComboBox *box);

private:
    struct Fold {
        QToolButton *button;
        QWidget *fields;
    };

    QLabel *m_heading;
    QVBoxLayout *m_body;
    std::vector<Fold> m_folds;
    std::vector<KeyField *> m_keys;
};

inline constexpr int fieldColumnWidth = 168;
inline constexpr int mostFieldColumns = 4;

// Leave what is being typed alone where it already says so: the cursor stays.
void showText(QLineEdit *line, const QString &text);
void showValue(QSpinBox *box, int value);
/// Chooses the item with this data; where there is none, one is added, so that nothing that a file says is lost.
void chooseData(QComboBox *box, const QString &data);

}  // namespace sweepscope::ui
