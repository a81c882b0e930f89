#pragma once

#include <QMainWindow>

namespace sweepscope::ui
{

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget *parent = nullptr);
};

}  // namespace sweepscope::ui
