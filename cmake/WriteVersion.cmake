# Run by each build: writes OUTPUT, a source file with the VERSION of the programs and the commit of SOURCE. Left as it is
# unless it changes, so that nothing is compiled again.
execute_process(COMMAND git -C "${SOURCE}" describe --always --exclude=* --abbrev=8 --dirty=-modified
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT EXISTS "${SOURCE}/.git")
  file(STRINGS "${SOURCE}/cmake/commit.txt" commit LIMIT_COUNT 1)  # filled in by git archive
endif()
set(text "${VERSION}")
if(NOT commit MATCHES "Format")
  string(APPEND text " (${commit})")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
#include "version.h"

namespace sweepscope {

const char *const version = "@text@";

}  // namespace sweepscope
]] @ONLY)
