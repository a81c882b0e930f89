#pragma once

#include <QLabel>

namespace sweepscope::ui {

/// What is wrong with the field above, in words; not there while it has none.
class FieldMessage : public QLabel {
    Q_OBJECT

public:
    explicit FieldMessage(QWidget *parent = nullptr);

    void setText(const QString &text);

protected:
    void changeEvent(QEvent *event) override;

private:
    void takeColor();
};

}  // namespace sweepscope::ui
