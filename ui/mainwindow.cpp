#include "ui/mainwindow.h"

namespace sweepscope::ui
{

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent)
{
}

}  // namespace sweepscope::ui
