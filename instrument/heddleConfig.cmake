# SPDX-License-Identifier: ISC
# heddleConfig.cmake - find_package(heddle): what CMake projects use of Heddle.
#
#     find_package(heddle REQUIRED)
#     heddle_instrument(queue)              # libraries and programs, each by itself
#     heddle_instrument(queue_test)
#     add_test(NAME queue COMMAND heddle::run $<TARGET_FILE:queue_test>)
#
#   heddle_instrument(TARGET [GCC])   compile and link TARGET with heddle-cc, whatever the project's compiler
#                                     is; GCC: with heddle-cc --gcc
#   heddle::heddle                    for #include <heddle/heddle.h>
#   heddle::run                       the command `heddle`; `heddle run` is  heddle::run run
#   heddle_EXECUTABLE, heddle_CC, heddle_CXX
#
# For generators of make and ninja. Where CC=heddle-cc is the project's compiler, everything is
# instrumented already.
get_filename_component(heddle_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(heddle_EXECUTABLE "${heddle_PREFIX}/bin/heddle")
set(heddle_CC "${heddle_PREFIX}/bin/heddle-cc")
set(heddle_CXX "${heddle_PREFIX}/bin/heddle-c++")

if(NOT TARGET heddle::heddle)
	add_library(heddle::heddle INTERFACE IMPORTED)
	set_target_properties(heddle::heddle PROPERTIES
		INTERFACE_INCLUDE_DIRECTORIES "${heddle_PREFIX}/include")
	add_executable(heddle::run IMPORTED)
	set_target_properties(heddle::run PROPERTIES IMPORTED_LOCATION "${heddle_EXECUTABLE}")
endif()

function(heddle_instrument target)
	set(launcher "${heddle_CC}" --heddle-launcher)
	if("GCC" IN_LIST ARGN)
		list(APPEND launcher --gcc)
	endif()
	set_target_properties(${target} PROPERTIES
		C_COMPILER_LAUNCHER "${launcher}" CXX_COMPILER_LAUNCHER "${launcher}")
	get_target_property(type ${target} TYPE)
	if(NOT type STREQUAL "STATIC_LIBRARY" AND NOT type STREQUAL "OBJECT_LIBRARY")
		list(JOIN launcher " " command)
		set_target_properties(${target} PROPERTIES RULE_LAUNCH_LINK "${command}")
	endif()
	target_include_directories(${target} SYSTEM PRIVATE "${heddle_PREFIX}/include")
endfunction()
