#pragma once

#include <string>
#include <utility>

/// Ignoring a result is a mistake, but the library does not declare expected [[nodiscard]].
namespace tl {
template <class T, class E>
class [[nodiscard]] expected;
}

#include <tl/expected.hpp>

namespace sweepscope {

/// What a caller may branch on. The sentence for the person is in Error::message.
enum class ErrorCode {
    BadInput,       ///< the person's file, argument or field is wrong; the message says where
    NotFound,       ///< a file, sweep, trial, device or program is not there
    NotPermitted,   ///< the operating system refused access
    AlreadyExists,  ///< in use or already present: a second engine, an existing folder
    NoSpace,        ///< the disk is full, or the person's share of it
    Io,             ///< reading or writing failed (the message carries the errno text)
    Corrupt,        ///< bytes that violate the format
    Unsupported,    ///< of a newer version, or not built in
    Unavailable,    ///< no answer: no engine, no driver
    Timeout,
    Broken,  ///< a mistake in our own code: an invariant does not hold
};

/// An error a person can act on: what was wrong, where (file:line:column, field or path), what to do. Never empty.
struct Error {
    ErrorCode code;
    std::string message;
};

template <typename T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> makeError(ErrorCode code, std::string message)
{
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// `message: <text of errno>`, with the code that fits the errno (ENOENT -> NotFound, EACCES -> NotPermitted, ENOSPC ->
/// NoSpace, else Io).
tl::unexpected<Error> makeErrnoError(const std::string &message, int errnoValue);

}  // namespace sweepscope
