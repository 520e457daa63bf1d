# Builds the book: cmake -P build_book.cmake <settings.cmake>, called by the target `book`.
# Reads what is committed, runs no chapter's program, and stops at the first thing amiss.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_ARGV3})
set(html ${BOOK_BINARY_DIR}/html)
set(figures ${BOOK_BINARY_DIR}/figures)
file(REMOVE_RECURSE ${html} ${figures})
file(MAKE_DIRECTORY ${html} ${figures})

# --------------------------------------------------------------------------------- the figures
# The colours that plots/style.gp names, each as a pair "rgb|css variable". Inside the book a
# figure uses the variable (theme/book.css has its light and its dark value), on its own the
# colour itself.
set(colours)
if(EXISTS ${BOOK_ROOT}/plots/style.gp)
    file(STRINGS ${BOOK_ROOT}/plots/style.gp lines
        REGEX "^[a-z][a-z0-9_]* *= *\"#[0-9A-Fa-f]+\"")
    foreach(line IN LISTS lines)
        string(REGEX MATCH "^([a-z0-9_]+) *= *\"#(..)(..)(..)\"" _ "${line}")
        set(name ${CMAKE_MATCH_1})
        math(EXPR red "0x${CMAKE_MATCH_2}")
        math(EXPR green "0x${CMAKE_MATCH_3}")
        math(EXPR blue "0x${CMAKE_MATCH_4}")
        string(REPLACE "_" "-" name ${name})
        set(rgb "rgb(${red},${green},${blue})")
        list(APPEND colours "${rgb}|var(--figure-${name},${rgb})")
    endforeach()
endif()

file(GLOB svgs ${BOOK_ROOT}/plots/figures/*.svg)
foreach(svg IN LISTS svgs)
    cmake_path(GET svg STEM name)
    file(READ ${svg} text)
    string(REGEX REPLACE "<\\?xml[^>]*\\?>|<!DOCTYPE[^>]*>|<!--[^>]*-->" "" text "${text}")
    string(REGEX REPLACE "<desc>[^<]*</desc>|<title>[^<]*</title>" "" text "${text}")
    # rgb( 12,  3,255) -> rgb(12,3,255), then each colour that has a name by its name
    string(REGEX REPLACE "rgb\\( *([0-9]+), *([0-9]+), *([0-9]+)\\)" "rgb(\\1,\\2,\\3)"
        text "${text}")
    foreach(colour IN LISTS colours)
        string(REPLACE "|" ";" colour "${colour}")
        list(GET colour 0 literal)
        list(GET colour 1 variable)
        string(REPLACE "${literal}" "${variable}" text "${text}")
    endforeach()
    string(REGEX REPLACE "([\"'])black[\"']" "\\1var(--figure-ink,black)\\1" text "${text}")
    # names that gnuplot gives in every file must differ between the figures of a page
    string(REGEX REPLACE "(id=[\"']|#)(gp[A-Z]|textbox|greybox|gnuplot_canvas)"
        "\\1${name}_\\2" text "${text}")
    string(REPLACE "<svg" "<svg role=\"img\" aria-labelledby=\"caption_${name}\""
        text "${text}")
    file(WRITE ${figures}/${name}.svg "${text}")
endforeach()

# The drawings, written by hand: their style is a file of the theme, so that the page's colours
# hold; their names must differ between the drawings of a page.
file(GLOB svgs ${BOOK_ROOT}/docs/drawings/*.svg)
foreach(svg IN LISTS svgs)
    cmake_path(GET svg STEM name)
    file(READ ${svg} text)
    if(NOT text MATCHES "<title>[^<]+</title>" OR NOT text MATCHES "viewBox=\"0 0 [0-9]+ [0-9]+\"")
        message(FATAL_ERROR "docs/drawings/${name}.svg has no title or no viewBox")
    endif()
    if(EXISTS ${BOOK_ROOT}/plots/figures/${name}.svg)
        message(FATAL_ERROR "docs/drawings/${name}.svg has the name of a figure, in whose place the "
            "pages would show it")
    endif()
    string(REGEX REPLACE "<\\?[^>]*\\?>|<!--[^>]*-->" "" text "${text}")
    string(REGEX REPLACE "(id=\"|#)([A-Za-z])" "\\1${name}_\\2" text "${text}")
    string(REPLACE "<title>" "<title id=\"title_${name}\">" text "${text}")
    string(REPLACE "<svg" "<svg role=\"img\" aria-labelledby=\"title_${name}\"" text "${text}")
    file(WRITE ${figures}/${name}.svg "${text}")
endforeach()

# The map of chapters, drawn by dot. Its colours and fonts are the page's (theme/book.css).
execute_process(COMMAND ${BOOK_DOT} -Tsvg ${BOOK_BINARY_DIR}/chapter_map.dot
    OUTPUT_VARIABLE map RESULT_VARIABLE status)
if(status)
    message(FATAL_ERROR "dot could not draw the map of chapters")
endif()
string(REGEX REPLACE "^.*<svg" "<svg" map "${map}")
string(REGEX REPLACE "<!--[^>]*-->|<title>[^<]*</title>" "" map "${map}")
string(REGEX REPLACE " (xlink:title|font-family|font-size|fill|stroke)=\"[^\"]*\"" ""
    map "${map}")
string(REGEX REPLACE "([0-9]+)pt\"" "\\1\"" map "${map}")
string(CONCAT opening "<figure class=\"chapter-map\"><svg role=\"group\" "
    "aria-label=\"Map of chapters: an arrow leads from a chapter to those that build on it\"")
string(REPLACE "<svg" "${opening}" map "${map}")
file(WRITE ${figures}/chapter_map.svg "${map}</figure>")

# ------------------------------------------------------------------ the frame of every page
# Doxygen's own header and footer, whatever its version, with our lines put in.
execute_process(COMMAND ${BOOK_DOXYGEN} -w html header.html footer.html unused.css
    WORKING_DIRECTORY ${BOOK_BINARY_DIR} OUTPUT_QUIET ERROR_QUIET)
file(READ ${BOOK_BINARY_DIR}/header.html header)
file(READ ${BOOK_ROOT}/docs/theme/head.html head)
string(REPLACE "</head>" "${head}</head>" header "${header}")
# without JavaScript the page stays light; with it, the toggle's script puts its own class here
string(REGEX REPLACE " lang=\"[^\"]*\"" "" header "${header}")
string(REPLACE "<html " "<html lang=\"en-GB\" class=\"light-mode\" " header "${header}")
file(WRITE ${BOOK_BINARY_DIR}/header.html "${header}")
file(COPY_FILE ${BOOK_ROOT}/docs/theme/footer.html ${BOOK_BINARY_DIR}/footer.html)

# ------------------------------------------------------------------------- the page of answers
set(asked)
foreach(id IN LISTS BOOK_CHAPTERS)
    foreach(name IN ITEMS chapter.md questions.md)
        if(NOT EXISTS ${BOOK_ROOT}/chapters/${id}/${name})
            message(FATAL_ERROR "there is no file chapters/${id}/${name}")
        endif()
        if(name STREQUAL "questions.md")
            foreach(page IN LISTS BOOK_PAGES_${id})
                list(APPEND asked ${BOOK_FILE_${page}})
            endforeach()
        endif()
        list(APPEND asked ${BOOK_ROOT}/chapters/${id}/${name})
    endforeach()
endforeach()
execute_process(COMMAND ${BOOK_AWK} -f ${BOOK_ROOT}/docs/answers.awk ${asked}
    OUTPUT_FILE ${BOOK_BINARY_DIR}/answers.md ERROR_VARIABLE complaints RESULT_VARIABLE status)
if(status)
    string(REPLACE "\n" "\n  " complaints "\n${complaints}")
    message(FATAL_ERROR "A question of a chapter has no answer on its page:${complaints}")
endif()

# ----------------------------------------------------------------------------------- the pages
file(GLOB written ${BOOK_ROOT}/docs/*.md ${BOOK_ROOT}/chapters/*/*.md)
execute_process(COMMAND ${BOOK_AWK} -f ${BOOK_ROOT}/docs/lost_numbers.awk ${written}
    ERROR_VARIABLE complaints RESULT_VARIABLE status)
if(status)
    string(REPLACE "\n" "\n  " complaints "\n${complaints}")
    message(FATAL_ERROR "A line inside a paragraph begins like a list:${complaints}")
endif()

# bibtex finds its files without a TeX installation only if told where; the colon keeps the
# default.
execute_process(
    COMMAND ${CMAKE_COMMAND} -E env BSTINPUTS=.: BIBINPUTS=.:
        ${BOOK_DOXYGEN} ${BOOK_BINARY_DIR}/Doxyfile
    WORKING_DIRECTORY ${BOOK_ROOT} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
set(log)
if(EXISTS ${BOOK_BINARY_DIR}/doxygen.log)
    file(READ ${BOOK_BINARY_DIR}/doxygen.log log)
endif()
if(status OR log)
    string(REPLACE "\n" "\n  " log "\n${log}") # indented, or CMake would wrap the lines
    message(FATAL_ERROR "Doxygen has found fault with the book:\n${output}${log}")
endif()

# ---------------------------------------------------------------- the links inside listings
# Doxygen goes by the spelling of a name: on a page it takes a local variable for a member of the
# same name somewhere, a library's function for ours, and a name for that of a later chapter. Such
# links, with their boxes, would say what is false.
set(later ${BOOK_CHAPTERS})
foreach(id IN LISTS BOOK_CHAPTERS)
    list(POP_FRONT later)
    list(TRANSFORM later REPLACE "^[0-9]+_" "" OUTPUT_VARIABLE spaces)
    list(JOIN spaces "|" spaces)
    string(REPLACE "_" "__" spaces "${spaces}")
    foreach(page IN LISTS id BOOK_PAGES_${id})
        file(READ ${html}/chapter_${page}.html text)
        set(link "<a class=\"code hl_[a-z]+\" href=\"")
        string(REGEX REPLACE "<a class=\"code hl_variable\"[^>]*>([^<]*)</a>" "\\1" text "${text}")
        string(REGEX REPLACE "${link}[^>]*>((xt|std)::[^<]*)</a>" "\\1" text "${text}")
        if(spaces)
            string(REGEX REPLACE "${link}[a-z]+attn_1_1(${spaces})[._][^>]*>([^<]*)</a>" "\\2"
                text "${text}")
        endif()
        # A box's identifier is its link's address, other characters than letters and digits as "_".
        string(REGEX MATCHALL "${link}[^\"]*" linked "${text}")
        list(TRANSFORM linked REPLACE ".*href=\"" "a")
        list(TRANSFORM linked REPLACE "[^A-Za-z0-9]" "_")
        string(REGEX MATCHALL "<div class=\"ttc\" id=\"[^\"]*\"" boxes "${text}")
        foreach(box IN LISTS boxes)
            string(REGEX REPLACE ".* id=\"([^\"]*)\"" "\\1" identifier "${box}")
            if(NOT identifier IN_LIST linked)
                string(REGEX REPLACE "${box}>[^\n]*\n" "" text "${text}")
            endif()
        endforeach()
        file(WRITE ${html}/chapter_${page}.html "${text}")
    endforeach()
endforeach()

# ------------------------------------------------------------------ how long the pages take
set(weighed)
foreach(id IN LISTS BOOK_CHAPTERS)
    foreach(page IN LISTS id BOOK_PAGES_${id})
        list(APPEND weighed ${html}/chapter_${page}.html)
    endforeach()
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${BOOK_AWK}
        -f ${BOOK_ROOT}/docs/page_minutes.awk ${weighed}
    OUTPUT_VARIABLE weights ERROR_VARIABLE complaints RESULT_VARIABLE status)
if(status)
    string(REPLACE "\n" "\n  " complaints "\n${complaints}")
    message(FATAL_ERROR "A page shows more than a page may:${complaints}")
endif()
string(REGEX MATCHALL "chapter_[^\n]+" weights "${weights}")
set(minutes_all 0)
foreach(weight IN LISTS weights)
    string(REGEX MATCH "^chapter_([^ ]+) .* ([0-9]+)[.]([0-9])$" _ "${weight}")
    set(minutes ${CMAKE_MATCH_2})
    if(CMAKE_MATCH_3 GREATER 4)
        math(EXPR minutes "${minutes} + 1")
    endif()
    set(minutes_${CMAKE_MATCH_1} ${minutes})
    math(EXPR minutes_all "${minutes_all} + ${minutes}")
endforeach()
foreach(page IN ITEMS index how_to_read)
    file(READ ${html}/${page}.html text)
    string(REGEX MATCHALL "<span class=\"book-minutes\">[^<]*</span>" places "${text}")
    list(REMOVE_DUPLICATES places)
    foreach(place IN LISTS places)
        string(REGEX REPLACE "<[^>]*>" "" asked "${place}")
        string(REPLACE "+" ";" asked "${asked}")
        set(sum 0)
        foreach(id IN LISTS asked)
            if(NOT DEFINED minutes_${id})
                message(FATAL_ERROR "${page}.html asks for the minutes of ${id}, which is no page")
            endif()
            math(EXPR sum "${sum} + ${minutes_${id}}")
        endforeach()
        string(REPLACE "${place}" "${sum}" text "${text}")
    endforeach()
    file(WRITE ${html}/${page}.html "${text}")
endforeach()

# ------------------------------------------------------------- what the pages load, beside them
# MathJax: TeX in, SVG out, and nothing else (2.3 MB of 54).
foreach(part IN ITEMS MathJax.js extensions/tex2jax.js extensions/MathEvents.js
    extensions/MathMenu.js extensions/MathZoom.js extensions/AssistiveMML.js
    extensions/toMathML.js extensions/TeX jax/input/TeX jax/element jax/output/SVG/autoload
    jax/output/SVG/config.js jax/output/SVG/jax.js jax/output/SVG/fonts/TeX)
    cmake_path(GET part PARENT_PATH folder)
    if(EXISTS ${BOOK_MATHJAX_DIR}/${part})
        file(COPY ${BOOK_MATHJAX_DIR}/${part} DESTINATION ${html}/mathjax/${folder})
    endif()
endforeach()

file(GLOB scripts ${BOOK_AWESOME_DIR}/doxygen-awesome-darkmode-toggle.js
    ${BOOK_AWESOME_DIR}/doxygen-awesome-fragment-copy-button.js
    ${BOOK_AWESOME_DIR}/doxygen-awesome-paragraph-link.js
    ${BOOK_ROOT}/docs/theme/book.js ${BOOK_ROOT}/docs/widgets/*.js)
foreach(id IN LISTS BOOK_CHAPTERS)
    file(GLOB data ${BOOK_ROOT}/chapters/${id}/expected/*.js)
    list(APPEND scripts ${data})
endforeach()
file(COPY ${scripts} DESTINATION ${html})

# The side bar's branches of files: Doxygen names a branch's variable after the file, and no
# variable may begin with a digit.
file(GLOB branches ${html}/[0-9]*.js)
set(renamed)
foreach(branch IN LISTS branches)
    cmake_path(GET branch STEM name)
    file(READ ${branch} text)
    if(text MATCHES "^var ${name} =")
        string(REGEX REPLACE "^var ${name} =" "var file_${name} =" text "${text}")
        file(WRITE ${html}/file_${name}.js "${text}")
        file(REMOVE ${branch})
        list(APPEND renamed ${name})
    endif()
endforeach()
file(GLOB branches ${html}/dir_*.js ${html}/files.js ${html}/navtreedata.js)
foreach(branch IN LISTS branches)
    file(READ ${branch} text)
    foreach(name IN LISTS renamed)
        string(REPLACE ", \"${name}\" ]" ", \"file_${name}\" ]" text "${text}")
    endforeach()
    file(WRITE ${branch} "${text}")
endforeach()

# The side bar's leaves: Doxygen 1.9.8 sends a function to the page of its file, although it is
# described on that of its namespace.
set(anchor "a[0-9a-f][0-9a-f][0-9a-f][0-9a-f]+")
file(GLOB pages RELATIVE ${html} ${html}/namespace*.html)
foreach(page IN LISTS pages)
    file(READ ${html}/${page} text)
    string(REGEX MATCHALL "id=\"${anchor}\"" places "${text}")
    foreach(place IN LISTS places)
        string(REGEX REPLACE "id=\"(.*)\"" "\\1" place "${place}")
        set(home_of_${place} ${page})
    endforeach()
endforeach()
file(GLOB branches ${html}/*_8?pp.js ${html}/navtreedata.js ${html}/navtreeindex*.js)
foreach(branch IN LISTS branches)
    file(READ ${branch} text)
    string(REGEX MATCHALL "[A-Za-z0-9_]+\\.html#${anchor}" links "${text}")
    foreach(link IN LISTS links)
        string(REPLACE "#" ";" link "${link}")
        list(GET link 0 page)
        list(GET link 1 place)
        if(NOT DEFINED text_of_${page})
            file(READ ${html}/${page} text_of_${page})
        endif()
        if(NOT DEFINED home_of_${place} OR text_of_${page} MATCHES "id=\"${place}\"")
            continue()
        endif()
        if(branch MATCHES "/navtreeindex") # which place is which leaf, sorted
            string(REGEX REPLACE "\"${page}#${place}\":[^\n]*\n" "" text "${text}")
        elseif(branch MATCHES "/navtreedata") # where each of those files begins
            string(REPLACE "${page}#${place}" "${page}" text "${text}")
        else()
            string(REPLACE "${page}#${place}" "${home_of_${place}}#${place}" text "${text}")
        endif()
    endforeach()
    file(WRITE ${branch} "${text}")
endforeach()

# The index of functions: the pages that Doxygen makes of it, as one.
file(GLOB listed RELATIVE ${html} ${html}/namespacemembers_func*.html
    ${html}/functions_func*.html)
execute_process(COMMAND ${BOOK_AWK} -f ${BOOK_ROOT}/docs/function_index.awk ${listed}
    WORKING_DIRECTORY ${html} OUTPUT_VARIABLE functions RESULT_VARIABLE status)
if(status)
    message(FATAL_ERROR "awk could not make the index of functions")
endif()
set(title "Index of functions")
string(CONCAT functions
    "<div class=\"header\"><div class=\"headertitle\"><div class=\"title\">${title}</div></div>"
    "</div>\n<div class=\"contents\"><div class=\"textblock\">\n"
    "<p>Every function of the chapters and of what they share, with its namespace or class. A "
    "name leads to its description: the shapes of its arguments and of its result, what it "
    "refuses, who calls it; and from there, by <em>Definition at line</em>, to its source, "
    "where every name is a link in turn.</p>\n"
    "${functions}</div></div><!-- contents -->\n")
file(READ ${html}/namespacemembers_func.html page)
string(FIND "${page}" "<div class=\"contents\">" begin)
string(FIND "${page}" "</div><!-- contents -->" end)
if(begin EQUAL -1 OR end LESS begin)
    message(FATAL_ERROR "Doxygen's page of functions is not made as it was")
endif()
string(LENGTH "</div><!-- contents -->" length)
math(EXPR end "${end} + ${length}")
string(SUBSTRING "${page}" 0 ${begin} before)
string(SUBSTRING "${page}" ${end} -1 after)
string(REGEX REPLACE "<title>[^<]*</title>" "<title>Attention, step by step: ${title}</title>"
    before "${before}")
file(GLOB listed ${html}/namespacemembers*.html ${html}/functions*.html)
file(REMOVE ${listed})
file(WRITE ${html}/namespacemembers_func.html "${before}${functions}${after}")

# The words of all pages, for the main page's search.
set(searched)
foreach(id IN LISTS BOOK_CHAPTERS)
    list(APPEND searched chapter_${id}.html)
    foreach(page IN LISTS BOOK_PAGES_${id})
        list(APPEND searched chapter_${page}.html)
    endforeach()
endforeach()
list(APPEND searched how_to_read.html answers.html notation.html pitfalls.html same_digits.html grammar.html resources.html
    adding_a_chapter.html index.html)
foreach(page IN LISTS searched)
    if(NOT EXISTS ${html}/${page})
        message(FATAL_ERROR "the page ${page} was not made")
    endif()
endforeach()
execute_process(COMMAND ${BOOK_AWK} -f ${BOOK_ROOT}/docs/search_index.awk ${searched}
    WORKING_DIRECTORY ${html} OUTPUT_FILE ${html}/find.data.js RESULT_VARIABLE status)
if(status)
    message(FATAL_ERROR "awk could not make the search table")
endif()

if(BOOK_FONT_DIR)
    foreach(face IN ITEMS Regular Italic Bold BoldItalic)
        file(COPY ${BOOK_FONT_DIR}/Caladea-${face}.ttf DESTINATION ${html}/fonts)
    endforeach()
endif()

# ----------------------------------------------------------------------------------- last looks
file(GLOB pages ${html}/*.html)
foreach(page IN LISTS pages)
    file(READ ${page} text)
    cmake_path(GET page FILENAME name)
    foreach(path IN ITEMS "${BOOK_ROOT}/" "${BOOK_BUILD_DIR}/")
        string(FIND "${text}" "${path}" at)
        if(NOT at EQUAL -1)
            message(FATAL_ERROR "${name} holds a path of this machine: ${path}")
        endif()
    endforeach()
    # Side bar and index point to a function on its file's page, where Doxygen 1.9.4 lists it
    # without a name to point to.
    string(REGEX MATCHALL "<tr class=\"memitem:[0-9a-z]+\">" rows "${text}")
    set(named "${text}")
    foreach(row IN LISTS rows)
        string(REGEX REPLACE ".*memitem:([0-9a-z]+).*" "\\1" place "${row}")
        string(FIND "${named}" " id=\"${place}\"" at)
        if(at EQUAL -1)
            string(FIND "${named}" "${row}" at) # the first, if it is listed twice
            string(SUBSTRING "${named}" 0 ${at} before)
            string(SUBSTRING "${named}" ${at} -1 after)
            string(LENGTH "${row}" length)
            string(SUBSTRING "${after}" ${length} -1 after)
            string(CONCAT named "${before}"
                "<tr class=\"memitem:${place}\" id=\"${place}\">" "${after}")
        endif()
    endforeach()
    if(NOT named STREQUAL text)
        file(WRITE ${page} "${named}")
    endif()
    string(REGEX MATCHALL "<script[^>]* src=\"[^\"?]*" loads "${text}")
    foreach(load IN LISTS loads)
        string(REGEX REPLACE ".* src=\"" "" load "${load}")
        if(NOT EXISTS ${html}/${load})
            message(FATAL_ERROR "${name} loads ${load}, which is not there")
        endif()
    endforeach()
endforeach()

cmake_path(IS_PREFIX BOOK_ROOT "${html}" inside)
set(shown ${html}/index.html)
if(inside)
    cmake_path(RELATIVE_PATH shown BASE_DIRECTORY ${BOOK_ROOT})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "The book is ready: open ${shown}")
