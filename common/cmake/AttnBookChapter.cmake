# book_chapter(<id> [TRAINS|TIMES] [SHARES] BUILDS_ON <id> ... [FIGURES_ARGUMENTS <argument> ...]): one chapter
# of the book, from its folder. TRAINS: its program trains for longer than a test may take; ctest
# holds it to expected/quick.txt, and the target figures to the rest. TIMES: some of its numbers are
# times, which its program leaves out with --untimed; committed is what is left, and the target bench
# measures the rest. SHARES: processes of mpirun can share a training of its program. FIGURES_ARGUMENTS: what its program is given for the committed numbers, if a
# longer training than a reader's is wanted there; such a program has the option --steps.
#
#   chapter_<id>    the idea as a library: the top level of the folder without main.cpp and example.cpp,
#                   and the folders of its sub-pages. Later chapters link it
#   chapter_<id>_experiments  experiments/ and exercises/: for the chapter's own program, its tests and
#                   the benchmarks
#   <id>            the program build/bin/<id>: main.cpp
#   <number>_example  the program build/bin/08_example: example.cpp, which a test holds to
#                   expected/example.txt
#   <id>_tests      tests/<id>/*_test.cpp, each case a test of ctest, and a test that the
#                   program still prints and writes what chapters/<id>/expected/ holds, byte for byte
#   <id>_your_turn  the properties asked of chapters/<id>/your_turn.hpp
#   attempts_<id>   the same asked of tests/<id>/attempts.hpp, right and wrong; not in ctest
#   figures_<id>    runs the program in full, refreshes expected/ and plots/figures/
#   quick_expected_<id>  runs it with --quick and --trace, and the example; refreshes these three files of
#                   expected/
#   quick_<id>      runs the program with --quick
#
# A *.csv in the chapter's folder becomes a header of the same name with `.hpp` behind it,
# so that the program carries its data wherever it is run from. A *.md beside chapter.md that begins
# with '# 14a <title> {#chapter_14a_<name>}' is a sub-page of chapter 14, and the folder <name>/, if there
# is one, holds its part of the idea. The file kernels.inl, if there is one, is compiled once for each
# instruction set. The properties
# BOOK_CHAPTERS and BOOK_<id>_{TITLE,QUESTION,BUILDS_ON,PAGES} tell docs/ what to draw, and so do
# BOOK_<page>_{TITLE,FILE} of the pages 14a_<name>, 14b_<name>, ...

# A program seldom fills more than a core and a half: so there run as many as there are cores.
cmake_host_system_information(RESULT n_cores QUERY NUMBER_OF_LOGICAL_CORES)
set_property(GLOBAL APPEND PROPERTY JOB_POOLS programs=${n_cores})

add_custom_target(figures COMMENT "expected/ and plots/figures/ are up to date")
add_custom_target(quick_expected COMMENT "expected/quick.txt and expected/trace.txt are up to date")
add_custom_target(first_visit
    COMMAND ${CMAKE_COMMAND} -D BINARY_DIR=${CMAKE_BINARY_DIR} -D SOURCE_DIR=${CMAKE_SOURCE_DIR}
        -P ${CMAKE_SOURCE_DIR}/common/cmake/name_the_page.cmake
    USES_TERMINAL VERBATIM)

add_custom_target(attempts
    COMMENT "right attempts at the reader's functions pass, wrong ones are told why")

# Without the long trainings, figures comes out with other numbers where they are trained, but shows
# within minutes whether all others are still as committed.
option(ATTN_LONG_TRAININGS "Train for the figures as long as for the committed ones" ON)

function(book_chapter id)
    cmake_parse_arguments(arg "TRAINS;TIMES;SHARES" "" "BUILDS_ON;FIGURES_ARGUMENTS" ${ARGN})
    set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${id})
    attn_chapter_register(${id} "${arg_BUILDS_ON}")
    attn_chapter_library(${id} ${folder} "${arg_BUILDS_ON}")

    add_executable(${id} ${folder}/main.cpp)
    target_link_libraries(${id} PRIVATE chapter_${id}_experiments attn_program attn_plumbing)
    attn_precompile(${id} plumbing)
    if(arg_SHARES)
        target_link_libraries(${id} PRIVATE attn_mpi)
    endif()
    attn_chapter_example(${id} ${folder})

    if(arg_FIGURES_ARGUMENTS AND NOT ATTN_LONG_TRAININGS)
        string(REGEX MATCH "--[a-z-]*steps" steps "${arg_FIGURES_ARGUMENTS}") # those of chapter 10 are its GRU's
        list(FILTER arg_FIGURES_ARGUMENTS INCLUDE REGEX "^--longer$")
        list(PREPEND arg_FIGURES_ARGUMENTS ${steps} 80)
    endif()
    set(untimed)
    set(full --full)
    if(arg_TRAINS OR ATTN_SANITIZE) # whose paths --quick goes as well
        set(full)
    endif()
    if(arg_TIMES)
        set(untimed --untimed)
    endif()
    attn_chapter_runs(${id} ${folder} "${untimed}" "${untimed};${arg_FIGURES_ARGUMENTS}")
    if(BUILD_TESTING)
        attn_chapter_tests(${id} ${folder} ${full} ${untimed})
        target_compile_definitions(${id}_tests PRIVATE $<$<BOOL:${arg_TRAINS}>:ATTN_TRAINS>)
        if(arg_TRAINS) # under the sanitizers left out: the trainings of the other tests are shorter
            set_tests_properties("${id}/the program prints and writes what is committed"
                PROPERTIES LABELS "expected;trains")
        endif()
    endif()
endfunction()

# Read the title and the question off the page, and remember the order.
function(attn_chapter_register id builds_on)
    get_property(earlier GLOBAL PROPERTY BOOK_CHAPTERS)
    foreach(other IN LISTS builds_on)
        if(NOT other IN_LIST earlier)
            message(FATAL_ERROR "book_chapter(${id}): builds on ${other}, which does not come before it")
        endif()
    endforeach()

    set(page ${CMAKE_CURRENT_SOURCE_DIR}/${id}/chapter.md)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
    file(STRINGS ${page} headings REGEX "^# [0-9]+ .*{#chapter_${id}}$" LIMIT_COUNT 1 ENCODING UTF-8)
    file(STRINGS ${page} quotes REGEX "^> " LIMIT_COUNT 1 ENCODING UTF-8)
    if(NOT headings OR NOT quotes)
        message(FATAL_ERROR "${page} must begin with '# <number> <title> {#chapter_${id}}' "
            "and hold its question as '> <question>'")
    endif()
    string(REGEX REPLACE "^# [0-9]+ (.*) {#chapter_${id}}$" "\\1" title "${headings}")
    string(REGEX REPLACE "^> " "" question "${quotes}")

    set_property(GLOBAL APPEND PROPERTY BOOK_CHAPTERS ${id})
    set_property(GLOBAL PROPERTY BOOK_${id}_TITLE "${title}")
    set_property(GLOBAL PROPERTY BOOK_${id}_QUESTION "${question}")
    set_property(GLOBAL PROPERTY BOOK_${id}_BUILDS_ON "${builds_on}")
    attn_chapter_pages(${id})
endfunction()

# The sub-pages, in the order of their letters.
function(attn_chapter_pages id)
    string(REGEX MATCH "^0*([0-9]+)" _ ${id})
    set(number ${CMAKE_MATCH_1})
    set(pages)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${id}/*.md)
    foreach(file IN LISTS files)
        set(heading "^# ${number}[a-z] (.*) {#chapter_(${number}[a-z]_[a-z0-9_]+)}$")
        file(STRINGS ${file} found REGEX "${heading}" LIMIT_COUNT 1 ENCODING UTF-8)
        if(found)
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
            string(REGEX MATCH "${heading}" _ "${found}")
            list(APPEND pages ${CMAKE_MATCH_2})
            set_property(GLOBAL PROPERTY BOOK_${CMAKE_MATCH_2}_TITLE "${CMAKE_MATCH_1}")
            set_property(GLOBAL PROPERTY BOOK_${CMAKE_MATCH_2}_FILE ${file})
        endif()
    endforeach()
    list(SORT pages)
    set_property(GLOBAL PROPERTY BOOK_${id}_PAGES "${pages}")
endfunction()

# The idea as a library that later chapters link, and what only the chapter itself needs as another.
function(attn_chapter_library id folder builds_on)
    get_property(pages GLOBAL PROPERTY BOOK_${id}_PAGES)
    list(TRANSFORM pages REPLACE "^[0-9]+[a-z]_(.*)$" "${folder}/\\1/*.cpp")
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${pages})
    list(REMOVE_ITEM sources ${folder}/main.cpp ${folder}/example.cpp)
    list(TRANSFORM builds_on PREPEND chapter_)
    set(public attn_tensor attn_random attn_parallel attn_nn attn_text attn_grammar attn_translation
        ${builds_on})

    if(sources)
        add_library(chapter_${id} STATIC ${sources})
        target_link_libraries(chapter_${id} PUBLIC ${public} PRIVATE attn_options)
        attn_precompile(chapter_${id} libraries)
        attn_rounding_probe(chapter_${id})
        if(EXISTS ${folder}/kernels.inl)
            attn_kernel_objects(chapter_${id} chapters/${id}/kernels.inl)
        endif()
        set(scope PUBLIC)
    else()
        add_library(chapter_${id} INTERFACE)
        target_link_libraries(chapter_${id} INTERFACE ${public})
        set(scope INTERFACE)
    endif()

    file(GLOB evidence CONFIGURE_DEPENDS ${folder}/experiments/*.cpp ${folder}/exercises/*.cpp)
    if(evidence)
        add_library(chapter_${id}_experiments STATIC ${evidence})
        target_link_libraries(chapter_${id}_experiments
            PUBLIC chapter_${id} attn_program PRIVATE attn_plumbing)
        attn_precompile(chapter_${id}_experiments plumbing)
        attn_rounding_probe(chapter_${id}_experiments)
    else()
        add_library(chapter_${id}_experiments INTERFACE)
        target_link_libraries(chapter_${id}_experiments INTERFACE chapter_${id})
    endif()

    # Carry the chapter's tables of data inside the program.
    string(REGEX REPLACE "^[0-9]+[a-z]?_" "" namespace ${id})
    file(GLOB tables CONFIGURE_DEPENDS ${folder}/*.csv)
    foreach(table IN LISTS tables)
        get_filename_component(name ${table} NAME_WE)
        file(READ ${table} content)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
        configure_file(${CMAKE_SOURCE_DIR}/common/cmake/embedded_table.hpp.in
            ${CMAKE_BINARY_DIR}/generated/chapters/${id}/${name}.csv.hpp @ONLY)
        target_include_directories(chapter_${id} ${scope} ${CMAKE_BINARY_DIR}/generated)
    endforeach()
endfunction()

# The small program to begin with.
function(attn_chapter_example id folder)
    string(REGEX MATCH "^[0-9]+" number ${id})
    set(example ${number}_example)
    add_executable(${example} ${folder}/example.cpp)
    target_link_libraries(${example} PRIVATE chapter_${id} attn_plumbing)
    attn_precompile(${example} plumbing)
    if(BUILD_TESTING)
        add_test(NAME "${id}/the example prints what is committed"
            COMMAND check_expected $<TARGET_FILE:${example}> ${folder}/expected
                ${CMAKE_BINARY_DIR}/scratch/${id}_example --example)
        set_tests_properties("${id}/the example prints what is committed"
            PROPERTIES LABELS train SKIP_RETURN_CODE 77)
    endif()
endfunction()

# The program run with --quick by the first visit and for quick_expected, and in full for the figures.
function(attn_chapter_runs id folder quick_arguments arguments)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/quick)
    add_custom_target(quick_${id}
        COMMAND ${id} --quick
        WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/quick
        USES_TERMINAL VERBATIM)
    get_property(previous GLOBAL PROPERTY BOOK_LAST_QUICK)
    if(previous)
        add_dependencies(quick_${id} ${previous})
    endif()
    set_property(GLOBAL PROPERTY BOOK_LAST_QUICK quick_${id})
    add_dependencies(first_visit quick_${id})

    string(REGEX MATCH "^[0-9]+" number ${id})
    file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/plots/${id}_*.gp)
    foreach(target IN ITEMS figures quick_expected)
        add_custom_target(${target}_${id}
            COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${id}> -D ID=${id} -D REFRESH=${target}
                -D EXAMPLE=$<TARGET_FILE:${number}_example>
                -D EXPECTED=${folder}/expected -D FIGURES=${CMAKE_SOURCE_DIR}/plots/figures
                -D SCRATCH=${CMAKE_BINARY_DIR}/${target}/${id} "-D SCRIPTS=${scripts}"
                -D MEASURED=${ATTN_MEASURED}/${ATTN_MEASURED_REFERENCE} "-D ARGUMENTS=${arguments}"
                "-D QUICK_ARGUMENTS=--quick;--checksums;${quick_arguments}"
                -P ${CMAKE_SOURCE_DIR}/common/cmake/refresh_figures.cmake
            JOB_POOL programs VERBATIM)
        add_dependencies(${target} ${target}_${id})
    endforeach()
endfunction()

# The chapter's tests, by their one label each (`ctest -L claim`), and the reader's turn. What
# trains is labelled `train`: it is left out without optimisation and under sanitizers. Further
# arguments are those of check_expected.
function(attn_chapter_tests id folder)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${id}/*_test.cpp)
    list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/tests/${id}/your_turn_test.cpp)
    list(APPEND sources ${CMAKE_SOURCE_DIR}/tests/support/chapter_program_test.cpp)
    attn_catch_tests(${id}_tests PREFIX ${id} SOURCES ${sources} LINKS chapter_${id}_experiments attn_program)
    target_compile_definitions(${id}_tests PRIVATE
        ATTN_PROGRAM="$<TARGET_FILE:${id}>" ATTN_CHAPTER="${id}")
    add_dependencies(${id}_tests ${id})

    add_test(NAME "${id}/the program prints and writes what is committed"
        COMMAND check_expected $<TARGET_FILE:${id}> ${folder}/expected
            ${CMAKE_BINARY_DIR}/scratch/${id} ${ARGN})
    set_tests_properties("${id}/the program prints and writes what is committed"
        PROPERTIES LABELS expected SKIP_RETURN_CODE 77)

    set(untimed ${ARGN})
    list(REMOVE_ITEM untimed --full)
    add_test(NAME "${id}/the program runs in other locales and folders"
        COMMAND run_elsewhere $<TARGET_FILE:${id}> ${folder}/expected
            ${CMAKE_BINARY_DIR}/scratch/${id}_elsewhere ${untimed})

    attn_catch_tests(${id}_your_turn PREFIX "${id}/your turn" LABEL your_turn
        SOURCES ${CMAKE_SOURCE_DIR}/tests/${id}/your_turn_test.cpp LINKS chapter_${id}_experiments)
    attn_chapter_attempts(${id})
endfunction()

# The judge of the reader's turn, judged: attempts stand in for the reader's file, and each mistake
# must meet its message. Compiled without optimisation and only for the target `attempts`.
function(attn_chapter_attempts id)
    set(program ${id}_attempts)
    set(stand_in ${CMAKE_BINARY_DIR}/generated/attempts/${id})
    configure_file(${CMAKE_SOURCE_DIR}/tests/${id}/attempts.hpp
        ${stand_in}/chapters/${id}/your_turn.hpp COPYONLY)
    add_executable(${program} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/${id}/your_turn_test.cpp)
    target_include_directories(${program} BEFORE PRIVATE ${stand_in})
    target_link_libraries(${program} PRIVATE chapter_${id}_experiments attn_judge attn_test_support attn_unoptimised)
    set(no_tests_fail "") # as in attn_catch_tests
    if(Catch2_VERSION MATCHES "^2")
        set(no_tests_fail -w NoTests)
    endif()
    add_custom_target(attempts_${id}
        COMMAND ${CMAKE_COMMAND} -E env ATTN_ATTEMPTS_PROGRAM=$<TARGET_FILE:${program}>
            $<TARGET_FILE:${program}> "[judge]" ${no_tests_fail}
        USES_TERMINAL VERBATIM)
    add_dependencies(attempts attempts_${id})
endfunction()

# attn_catch_tests(<target> PREFIX p [LABEL l] SOURCES ... LINKS ...): a Catch2 program, its
# cases known to ctest. Without LABEL, cases tagged [claim] are labelled `claim`, those tagged
# [train] `train`, and those tagged [long], which take minutes and are asked by `ctest -L long` alone,
# `long`.
function(attn_catch_tests target)
    cmake_parse_arguments(arg "" "PREFIX;LABEL" "SOURCES;LINKS" ${ARGN})
    add_executable(${target} ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE ${arg_LINKS} attn_tensor attn_test_support attn_unoptimised)
    target_compile_definitions(${target} PRIVATE ATTN_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    attn_precompile(${target} tests)

    # Without it, Catch2 2.13 passes a run that no test matched.
    set(no_tests_fail "")
    if(Catch2_VERSION MATCHES "^2")
        set(no_tests_fail EXTRA_ARGS -w NoTests)
    endif()
    set(common ${no_tests_fail} TEST_PREFIX "${arg_PREFIX}/" DISCOVERY_MODE PRE_TEST)
    if(arg_LABEL)
        catch_discover_tests(${target} ${common} PROPERTIES LABELS ${arg_LABEL}
            # the first is a word that Catch2 cannot wrap, the second a warning of the test's
            SKIP_REGULAR_EXPRESSION "your_turn.hpp:|not tested: ")
    else()
        catch_discover_tests(${target} ${common} TEST_SPEC "~[claim]~[train]~[long]"
            PROPERTIES SKIP_REGULAR_EXPRESSION "not tested: ") # a warning of the test's
        foreach(label IN ITEMS claim train long)
            set(tagged)
            foreach(source IN LISTS arg_SOURCES)
                file(STRINGS ${source} lines REGEX "\\[${label}\\]")
                list(APPEND tagged ${lines})
            endforeach()
            if(tagged) # of none Catch2 2 would warn
                catch_discover_tests(${target} ${common} TEST_SPEC "[${label}]" PROPERTIES LABELS ${label})
            endif()
        endforeach()
    endif()
endfunction()
