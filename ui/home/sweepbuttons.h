#pragma once

#include <QString>

class QMenu;
class QPushButton;
class QWidget;

namespace sweepscope::ui {

/// How a sweep begins: a new one, a file, an example. The same wherever they are offered.
struct SweepButtons {
    QPushButton *create;
    QPushButton *open;
    QPushButton *example;

    /// A sweep that cannot be started need not be defined; files and examples can be looked at.
    void setReadOnly(bool readOnly) const;
};

SweepButtons makeSweepButtons(QMenu *examples, const QString &exampleText, QWidget *parent);

}  // namespace sweepscope::ui
