# What a reader of a generated page meets without opening anything, and the minutes it takes:
#     awk -f page_minutes.awk chapter_*.html > page_minutes.txt
# 200 words of prose, 12 lines of code or 20 lines of output a minute. A fold is a <details> that
# is closed. One line a page: its name, words, lines of code, lines of output, minutes. What the
# book does not allow on a page is said on stderr, and the status is 1.

function complain(message) {
    print page ": " message > "/dev/stderr"
    failed = 1
}

# Lines that are not blank, of a text that is no longer tagged.
function count_lines(text,    i, n, line, lines) {
    gsub(/&#10;/, "\n", text)
    n = split(text, line, "\n")
    for (i = 1; i <= n; i++) if (line[i] ~ /[^ \t\r]/) lines++
    return lines + 0
}

function count_words(text,    at, stop, start) {
    while ((at = match(text, /\\[(\[]/)) > 0) { # a formula is a word
        start = at
        stop = match(substr(text, start), /\\[)\]]/)
        if (stop == 0) break
        text = substr(text, 1, start - 1) " f " substr(text, start + stop + 1)
    }
    gsub(/&[A-Za-z0-9#]+;/, " ", text)
    return gsub(/[A-Za-z0-9][A-Za-z0-9_'.-]*/, "", text)
}

# A listing or an output that ends.
function close_block(mode,    lines) {
    lines = count_lines(block)
    if (mode == "output") output += lines
    else {
        code += lines
        if (lines > most_at_a_time)
            complain("a listing of " lines " lines is open, at most " most_at_a_time " may be")
        if (block ~ /TEST_CASE/) complain("the code of a test is open")
    }
    block = ""
}

function open_tag(tag, attributes,    mode, classes) {
    classes = " "
    if (match(attributes, /class="[^"]*"/))
        classes = " " substr(attributes, RSTART + 7, RLENGTH - 8) " "
    mode = depth ? modes[depth] : "skip"
    if (classes ~ / contents /) mode = "prose"
    if (tag ~ /^(script|style|svg)$/ || classes ~ / (toc|ttc) / || attributes ~ / hidden/ ||
        (tag == "details" && attributes !~ / open/)) mode = "skip"
    if (mode == "prose" && tag == "div" && classes ~ / fragment /) { mode = "code"; block = "" }
    if (mode == "prose" && tag == "pre") { mode = "output"; block = "" }
    if (mode == "code" && tag == "div" && classes ~ / line /) block = block "\n"
    tags[++depth] = tag
    modes[depth] = mode
}

function close_tag(tag,    mode, closed) {
    while (depth > 0) {
        mode = modes[depth]
        closed = tags[depth--]
        if ((mode == "code" || mode == "output") && (depth ? modes[depth] : "skip") != mode)
            close_block(mode)
        if (closed == tag) return
    }
}

function weigh(    n, i, piece, end, tag, text, attributes) {
    words = code = output = depth = 0
    n = split(whole, piece, "<")
    for (i = 2; i <= n; i++) {
        if (inside_script != "") { # up to its end nothing is a tag
            if (index(piece[i], "/" inside_script) != 1) continue
            inside_script = ""
        }
        end = index(piece[i], ">")
        tag = tolower(substr(piece[i], 1, end - 1))
        text = substr(piece[i], end + 1)
        attributes = " " tag
        sub(/[ \t\n\/].*$/, "", tag)
        if (substr(piece[i], 1, 1) == "/") {
            tag = tolower(substr(piece[i], 2, end - 2))
            close_tag(tag)
        } else if (tag ~ /^(br|img|input|hr|meta|link|source|col|area|wbr|base|embed|param|track)$/) {
            if (tag == "br" && depth && modes[depth] ~ /code|output/) block = block "\n"
        } else if (tag !~ /^[!?]/) {
            open_tag(tag, attributes)
            if (tag ~ /^(script|style)$/) inside_script = tag
            if (attributes ~ /\/$/) close_tag(tag)
        }
        if (!depth) continue
        if (modes[depth] == "prose") words += count_words(text)
        else if (modes[depth] != "skip") block = block text
    }
    minutes = words / 200 + code / 12 + output / 20
    printf "%s %d %d %d %.1f\n", page, words, code, output, minutes
    if (minutes > most_minutes + .5)
        complain(sprintf("%.0f minutes, at most %d may be open", minutes, most_minutes))
    if (code > most_lines)
        complain(code " lines of code are open, at most " most_lines " may be")
}

BEGIN { most_minutes = 20; most_lines = 120; most_at_a_time = 25 }
FNR == 1 {
    if (page != "") weigh()
    page = FILENAME
    sub(/^.*\//, "", page)
    sub(/\.html$/, "", page)
    whole = ""
}
{ whole = whole $0 "\n" }
END {
    if (page != "") weigh()
    exit failed
}
