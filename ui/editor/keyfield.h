#pragma once

#include "sweep/keys.h"
#include "ui/editor/formfield.h"

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace sweepscope::ui {

class FolderLine;

/// The field of a key of the sweep file: label, help, range, choices and default come from the table (sweep/keys.h).
/// Its text is that of the draft (sweepdraft.h): empty means the default.
class KeyField : public FormField {
    Q_OBJECT

public:
    KeyField(const sweep::Key &key, QWidget *parent);

    const sweep::Key &key() const { return m_key; }
    QString text() const;
    /// Leaves equal text alone, to keep the cursor while the user types.
    void show(const QString &text);
    /// Adds a first choice for no value: only this one makes the text empty.
    void addNone(const QString &label);

    static bool isFolder(const sweep::Key &key);

    QLineEdit *line() const { return m_line; }
    QComboBox *box() const { return m_box; }
    FolderLine *folder() const { return m_folder; }  ///< for a key that is a folder

Q_SIGNALS:
    void edited();

private:
    KeyField(const sweep::Key &key, QWidget *editor, FolderLine *folder, QWidget *parent);
    void fillBox();

    const sweep::Key &m_key;
    QString m_default;
    QLineEdit *m_line;
    QComboBox *m_box;
    QSpinBox *m_spin;
    FolderLine *m_folder;
    bool m_hasNone = false;
};

}  // namespace sweepscope::ui
