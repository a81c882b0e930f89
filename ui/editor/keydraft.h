#pragma once

#include "sweep/keys.h"

#include <QString>

#include <tl/expected.hpp>

namespace sweepscope::ui {

/// A key's value as a person types it into the form; empty for none. A command is written as in a terminal, other lists
/// with commas.
QString typedText(const sweep::Key &key, const sweep::KeyValue &value);

/// What typed text, not empty, means; or the sentence for the form that says why it means nothing. Ranges are not checked.
tl::expected<sweep::KeyValue, QString> readTyped(const sweep::Key &key, const QString &text);

}  // namespace sweepscope::ui
