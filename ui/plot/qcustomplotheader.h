#pragma once

// QCustomPlot's header uses `signals`, `slots` and `foreach`, which QT_NO_KEYWORDS does not define. Include it only
// here.
#include <QObject>

// It also includes QtPrintSupport, and with it all of Qt's widgets: three seconds for each file. It uses none of them but QWidget.
#define QT_QTPRINTSUPPORT_MODULE_H

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
