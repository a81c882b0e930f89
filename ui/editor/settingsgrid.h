#pragma once

#include "sweep/keys.h"
#include "ui/editor/formsection.h"

#include <QMap>

namespace sweepscope::ui {

/// What the built-in worker is told: a field for each of its settings, the usual ones in sight, the others behind
/// "More". A setting that is in the search space is switched off here and says so.
class SettingsGrid : public FormSection {
    Q_OBJECT

public:
    explicit SettingsGrid(QWidget *parent);

    void display(const SweepDraft &draft) override;
    void readInto(SweepDraft &draft) const override;

private:
    struct Entry {
        const sweep::Key *setting;
        FormField *field;
        QLineEdit *line;  ///< one of these two
        QComboBox *box;
    };

    void add(FieldGrid *grid, const sweep::Key &setting);

    std::vector<Entry> m_entries;
    QMap<QString, QString> m_kept;  ///< of settings that this version does not know
};

}  // namespace sweepscope::ui
