#pragma once

#include "ui/theme/elidedlabel.h"

namespace sweepscope::ui {

/// The name of the edited document; elided, with the full name in the tooltip.
class DocumentTitle : public ElidedLabel {
    Q_OBJECT

public:
    explicit DocumentTitle(QWidget *parent = nullptr);

    void showNewSweep(const QString &filePath, bool isModified);
    void showWords(const QString &text, const QString &details);
    void showSweep(qint64 sweepId, const QString &name, bool isChanged);
};

}  // namespace sweepscope::ui
