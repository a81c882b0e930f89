# The one place that says how our code is compiled: language level, warnings, Qt strictness, sanitizers.
# Every target of ours links sweepscope_policy; nothing is set directory-wide.
add_library(sweepscope_policy INTERFACE)
target_compile_features(sweepscope_policy INTERFACE cxx_std_20)
target_compile_options(sweepscope_policy INTERFACE
  -Wall -Wextra $<$<COMPILE_LANGUAGE:CXX>:-Wconversion -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:SWEEPSCOPE_MAY_SHADOW>>>>:-Wshadow>)
target_compile_definitions(sweepscope_policy INTERFACE
  QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING QT_NO_CONTEXTLESS_CONNECT
  QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
if(SWEEPSCOPE_SANITIZE)
  target_compile_options(sweepscope_policy INTERFACE
    -fsanitize=${SWEEPSCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(sweepscope_policy INTERFACE -fsanitize=${SWEEPSCOPE_SANITIZE})
endif()
if(SWEEPSCOPE_FUZZ)
  target_compile_options(sweepscope_policy INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Standard C++ and POSIX threads are everywhere; Qt only where a room asks for it.
find_package(Threads REQUIRED)
target_link_libraries(sweepscope_policy INTERFACE Threads::Threads)
