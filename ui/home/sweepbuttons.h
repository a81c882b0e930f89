#pragma once

#include <QString>

class QMenu;
class QPushButton;
class QWidget;

namespace sweepscope::ui {

/// The buttons that create a sweep: new, from a file, from an example. Identical in each place.
struct SweepButtons {
    QPushButton *create;
    QPushButton *open;
    QPushButton *example;

    /// A sweep that cannot be started need not be created; files and examples can still be viewed.
    void setReadOnly(bool readOnly) const;
};

SweepButtons makeSweepButtons(QMenu *examples, const QString &exampleText, QWidget *parent);

}  // namespace sweepscope::ui
