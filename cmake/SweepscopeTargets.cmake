# Many files at a time, so that Qt's, CLI11's and LibTorch's headers are paid for once for all of them. Names in anonymous
# namespaces must be unique within the room then; two that are not are often one thing, written twice. Off in dev, the build
# to work in, where each file has to include what it uses.
function(sweepscope_unity target batch)
  if(SWEEPSCOPE_FAST_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    # Types in anonymous namespaces as members of a class that only its own file defines: right, but no longer to be seen.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# sweepscope_room(NAME [SINGLE] SOURCES file... [LINKS target...] [PRIVATE_LINKS target...])
#   One folder of core/ (or ui/) as a library sweepscope_NAME. LINKS are the rooms and libraries its headers show.
#   SINGLE: its files are always compiled one by one (they are few, or keep types of their own in their headers' classes).
#
# With SWEEPSCOPE_SHARED_ROOMS each room is a shared library, so that a hundred test programs do not each have the whole
# window in them (with sanitizers 140 MB). The linker then also tells a room that uses one it does not name.
function(sweepscope_room name)
  cmake_parse_arguments(arg "SINGLE" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  if(SWEEPSCOPE_SHARED_ROOMS)
    # A name of its own: libsweepscope_feed.so is the C library.
    add_library(sweepscope_${name} SHARED ${arg_SOURCES})
    set_target_properties(sweepscope_${name} PROPERTIES OUTPUT_NAME sweepscope_room_${name})
    target_link_options(sweepscope_${name} PRIVATE LINKER:-z,defs)
  else()
    add_library(sweepscope_${name} STATIC ${arg_SOURCES})
  endif()
  target_include_directories(sweepscope_${name} PUBLIC "${PROJECT_SOURCE_DIR}/core" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(sweepscope_${name} PUBLIC ${arg_LINKS} PRIVATE sweepscope_policy ${arg_PRIVATE_LINKS})
  set_target_properties(sweepscope_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(NOT arg_SINGLE)
    sweepscope_unity(sweepscope_${name} ${SWEEPSCOPE_UNITY_BATCH})
  endif()
  if(NOT TARGET rooms)  # and all that is installed, which is made of them
    add_custom_target(rooms)
  endif()
  add_dependencies(rooms sweepscope_${name})
endfunction()

# sweepscope_program(NAME [NOT_INSTALLED] SOURCES file... LINKS target...)   An executable in bin/, installed there too.
function(sweepscope_program name)
  cmake_parse_arguments(arg "NOT_INSTALLED" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE sweepscope_policy ${arg_LINKS})
  sweepscope_unity(${name} ${SWEEPSCOPE_UNITY_BATCH})
  add_dependencies(rooms ${name})
  if(NOT arg_NOT_INSTALLED)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()

# sweepscope_portable_program(NAME SOURCES file... LINKS target...)
#   The program once more, linked statically: it runs on any Linux of this architecture, with an older C library or another
#   one. Left out where rooms are shared libraries, or where static libraries are missing.
function(sweepscope_portable_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  find_library(SWEEPSCOPE_STATIC_RE2 libre2.a)
  find_library(SWEEPSCOPE_STATIC_ZSTD libzstd.a)
  find_library(SWEEPSCOPE_STATIC_HWLOC libhwloc.a)
  if(SWEEPSCOPE_SHARED_ROOMS OR SWEEPSCOPE_SANITIZE
     OR NOT (SWEEPSCOPE_STATIC_RE2 AND SWEEPSCOPE_STATIC_ZSTD AND SWEEPSCOPE_STATIC_HWLOC))
    return()
  endif()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SWEEPSCOPE_RE2 REQUIRED re2)
  set(folder "share/sweepscope/portable/${CMAKE_SYSTEM_PROCESSOR}")
  add_executable(${name}-portable ${arg_SOURCES})
  target_link_libraries(${name}-portable PRIVATE sweepscope_policy ${arg_LINKS} ${SWEEPSCOPE_RE2_STATIC_LIBRARIES})
  target_link_options(${name}-portable PRIVATE -static -s LINKER:--gc-sections)
  set_target_properties(${name}-portable PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}")
  add_dependencies(rooms ${name}-portable)
  install(TARGETS ${name}-portable RUNTIME DESTINATION "${folder}")
endfunction()

# sweepscope_test_needs(LABEL target...)   What must be built for `ctest -L LABEL`: `cmake --build … --target tests-LABEL`.
function(sweepscope_test_needs label)
  if(NOT TARGET tests-${label})
    add_custom_target(tests-${label})
  endif()
  add_dependencies(tests-${label} ${ARGN})
endfunction()

# sweepscope_moc(TARGET file.cpp...)   file.moc for those that include it: a second quicker for each test than AUTOMOC.
function(sweepscope_moc target)
  foreach(file IN LISTS ARGN)
    get_filename_component(base "${file}" NAME_WE)
    file(STRINGS "${file}" included REGEX "#include \"${base}\\.moc\"")
    if(included)
      qt6_generate_moc("${file}" "${CMAKE_CURRENT_BINARY_DIR}/${base}.moc" TARGET ${target})
      target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${base}.moc")
      target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    endif()
  endforeach()
endfunction()

# sweepscope_left_out(RESULT label...)   Whether tests with these labels, and no other, are not built.
function(sweepscope_left_out result)
  set(left_out FALSE)
  if(NOT SWEEPSCOPE_ROOM_TESTS AND "${ARGN}" MATCHES "^(unit|model)$")
    set(left_out TRUE)
  endif()
  set(${result} ${left_out} PARENT_SCOPE)
endfunction()

# sweepscope_ctest(NAME LABELS label... TIMEOUT seconds COMMAND program [argument...])   One entry of ctest.
function(sweepscope_ctest name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;COMMAND" ${ARGN})
  # ctest gives all tests of a name the labels of one, even where their folders differ.
  get_property(names GLOBAL PROPERTY SWEEPSCOPE_TEST_NAMES)
  if(name IN_LIST names)
    message(FATAL_ERROR "There are two tests named ${name}")
  endif()
  set_property(GLOBAL APPEND PROPERTY SWEEPSCOPE_TEST_NAMES ${name})
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  # One limit, not another of Qt Test's for each function, which a busy machine reaches first.
  math(EXPR functionTimeout "${arg_TIMEOUT} * 1000")
  # Each test has its own leases, because tests run side by side and their simulated GPUs have the same names. None sees the
  # user's settings: alerts would be sent. With COST, ctest starts long tests first.
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=${functionTimeout};SWEEPSCOPE_LEASE_FOLDER=${PROJECT_BINARY_DIR}/tests/leases/${name};XDG_CONFIG_HOME=${PROJECT_BINARY_DIR}/tests/config;QT_QPA_PLATFORM=offscreen;UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1;TSAN_OPTIONS=halt_on_error=1")
endfunction()

# sweepscope_test(NAME [QT] [OPTIMISED] SOURCES file... LINKS target... [LABELS label...] [TIMEOUT seconds] [NEEDS target...])
#   One test executable, one ctest entry. QT: written with Qt Test; otherwise with doctest, so that rooms without Qt are
#   tested in builds without Qt (and under ThreadSanitizer). NEEDS: targets that must be built before it runs. OPTIMISED: as
#   the rooms are, for tests that compute much; others take longer to compile than to run.
function(sweepscope_test name)
  cmake_parse_arguments(arg "QT;OPTIMISED" "TIMEOUT" "SOURCES;LINKS;LABELS;NEEDS" ${ARGN})
  sweepscope_left_out(left_out ${arg_LABELS})
  if(left_out)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${name} PRIVATE sweepscope_policy sweepscope_testpaths ${arg_LINKS})
  if(NOT arg_OPTIMISED)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if(arg_QT)
    sweepscope_moc(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE sweepscope_qttest)
  else()
    target_link_libraries(${name} PRIVATE sweepscope_doctest_main)
    list(LENGTH arg_SOURCES files)
    if(files GREATER 5)
      sweepscope_unity(${name} 10)
      # Helpers of one file may have the names of locals in another.
      set_target_properties(${name} PROPERTIES SWEEPSCOPE_MAY_SHADOW ${SWEEPSCOPE_FAST_BUILD})
    endif()
  endif()
  if(arg_NEEDS)
    add_dependencies(${name} ${arg_NEEDS})
  endif()
  foreach(label IN LISTS arg_LABELS)
    sweepscope_test_needs(${label} ${name})
  endforeach()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  sweepscope_ctest(${name} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT} COMMAND ${name})
endfunction()

# sweepscope_qt_tests(LIBRARY NAME... LABELS label... [TIMEOUT seconds] [NEEDS target...])
#   Tests with Qt Test, each a file NAME.cpp and a ctest entry. Those of one folder are one program, named after the folder
#   (unit_live_tests), because each program would cost seconds for the headers of Qt and for linking. LIBRARY is what they share.
function(sweepscope_qt_tests library)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;NEEDS" ${ARGN})
  sweepscope_left_out(left_out ${arg_LABELS})
  if(left_out)
    return()
  endif()
  file(RELATIVE_PATH program "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REPLACE "/" "_" program "${program}_tests")
  if(NOT TARGET ${program})
    add_executable(${program})
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    target_link_libraries(${program} PRIVATE sweepscope_policy ${library})
    target_compile_options(${program} PRIVATE -O0)
    sweepscope_unity(${program} 10)
    set_target_properties(${program} PROPERTIES SWEEPSCOPE_MAY_SHADOW ${SWEEPSCOPE_FAST_BUILD})
    if(SWEEPSCOPE_FAST_BUILD)
      # Compiled as the library is (-fPIC, where programs have -fPIE), or its compiled headers would not fit.
      target_compile_options(${program} PRIVATE -fPIC)
      target_precompile_headers(${program} REUSE_FROM ${library})
    endif()
  endif()
  list(TRANSFORM arg_UNPARSED_ARGUMENTS APPEND ".cpp" OUTPUT_VARIABLE files)
  target_sources(${program} PRIVATE ${files})
  sweepscope_moc(${program} ${files})
  if(arg_NEEDS)
    add_dependencies(${program} ${arg_NEEDS})
  endif()
  foreach(label IN LISTS arg_LABELS)
    sweepscope_test_needs(${label} ${program})
  endforeach()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  foreach(test IN LISTS arg_UNPARSED_ARGUMENTS)
    sweepscope_ctest(${test} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT} COMMAND ${program} ${test})
  endforeach()
endfunction()
