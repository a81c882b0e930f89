#include "base/error.h"

#include <cerrno>
#include <system_error>

namespace sweepscope {

tl::unexpected<Error> makeErrnoError(const std::string &message, int errnoValue)
{
    ErrorCode code = ErrorCode::Io;
    switch (errnoValue) {
    case ENOENT:
    case ENOTDIR:
        code = ErrorCode::NotFound;
        break;
    case EACCES:
    case EPERM:
    case EROFS:
        code = ErrorCode::NotPermitted;
        break;
    case EEXIST:
        code = ErrorCode::AlreadyExists;
        break;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:  // a limit on the size of files (ulimit -f) is met in the same way
        code = ErrorCode::NoSpace;
        break;
    default:
        break;
    }
    return makeError(code, message + ": " + std::generic_category().message(errnoValue));
}

}  // namespace sweepscope
