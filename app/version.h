#pragma once

namespace sweepscope {

/// The version of this program and the commit that it was built from: 0.1.0 (a115dc55).
extern const char *const version;

}  // namespace sweepscope
