# CMakeLists.txt of an unpacked bundle (tests/gpu/bundle): builds the worker with the LibTorch of that machine. Rooms without
# LibTorch come compiled, in third/rooms; their headers, and those of other libraries, come along.
cmake_minimum_required(VERSION 3.24)
project(SweepscopeWorker LANGUAGES C CXX)

set(SWEEPSCOPE_FAST_BUILD ON)
set(SWEEPSCOPE_TESTS OFF)
set(CMAKE_CXX_EXTENSIONS OFF)
set(third "${PROJECT_SOURCE_DIR}/third")
list(APPEND CMAKE_MODULE_PATH "${PROJECT_SOURCE_DIR}/cmake")
list(PREPEND CMAKE_PREFIX_PATH "${third}")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
include(GNUInstallDirs)
include(SweepscopePolicy)
include(SweepscopeTargets)

# The rooms call each other and these libraries, so the linker searches all of them again and again.
file(GLOB archives "${third}/rooms/*.a" "${third}/lib/*.a")
add_library(sweepscope_compiled INTERFACE)
target_include_directories(sweepscope_compiled INTERFACE "${PROJECT_SOURCE_DIR}/core")
target_include_directories(sweepscope_compiled SYSTEM INTERFACE "${third}/include")
file(GLOB shared "${PROJECT_BINARY_DIR}/lib/libtomlplusplus.so*")
target_link_libraries(sweepscope_compiled INTERFACE
  -Wl,--start-group ${archives} -Wl,--end-group ${shared} Threads::Threads ${CMAKE_DL_LIBS})
foreach(room base data feed sweep launch)
  add_library(sweepscope_${room} INTERFACE)
  target_link_libraries(sweepscope_${room} INTERFACE sweepscope_compiled)
endforeach()

add_subdirectory(core/train)
add_subdirectory(app/worker)

# LibTorch's headers take seconds in each unit, and a GPU machine has many cores: as many units as there are cores.
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
get_target_property(sources sweepscope_train SOURCES)
list(LENGTH sources files)
math(EXPR batch "${files} / ${cores} + 1")
if(batch LESS 20)
  set_target_properties(sweepscope_ddp sweepscope_train PROPERTIES UNITY_BUILD_BATCH_SIZE ${batch})
endif()
