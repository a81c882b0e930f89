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

/// A part of the form under one heading. Displays its part of a draft and reads it back.
class FormSection : public QWidget {
    Q_OBJECT

public:
    FormSection(const QString &title, const QString &explanation, QWidget *parent);

    /// Both handle the fields of addKey(); a section with other fields overrides them.
    virtual void display(const SweepDraft &draft);
    virtual void readInto(SweepDraft &draft) const;
    /// Makes the field of the section visible: it may be behind "More".
    virtual void reveal(const FormField *field);

Q_SIGNALS:
    /// The user changed the field at `path`.
    void edited(const QString &path);

protected:
    void setHeading(const QString &title);
    QVBoxLayout *body() const { return m_body; }
    FieldGrid *addGrid();
    /// Adds a grid behind a button that expands it.
    FieldGrid *addFoldedGrid(const QString &buttonName, const QString &buttonText);
    /// Shows or hides such a grid with its button.
    void setFoldVisible(const FieldGrid *grid, bool isVisible);

    /// Adds a field for a key of the sweep file, with the properties from the table of keys.
    KeyField *addKey(FieldGrid *grid, std::string_view path, int span = 1);
    // Add editors that emit edited(path) by themselves.
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

// Leaves equal text alone, to keep the cursor while the user types.
void showText(QLineEdit *line, const QString &text);
void showValue(QSpinBox *box, int value);
/// Selects the item with this data and adds it if missing, so that no value of a file is lost.
void chooseData(QComboBox *box, const QString &data);

}  // namespace sweepscope::ui
