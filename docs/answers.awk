# From the chapters' pages and their questions to the page of answers:
#     awk -f answers.awk chapters/01_lookup/chapter.md chapters/01_lookup/questions.md ...
# A chapter's page and its sub-pages come before its questions, the chapters in reading order. Every question
# stands there with its sentence and a link to the section that holds the sentence; where no
# section does, or a question has no sentence, a message says so and the status is 1.

# The line with every run of white space as one blank and none at its ends.
function squeezed(line) {
    gsub(/[ \t\r]+/, " ", line)
    sub(/^ /, "", line)
    sub(/ $/, "", line)
    return line
}

function joined(text, line) {
    line = squeezed(line)
    return text == "" || line == "" ? text line : text " " line
}

# "## Title {#name}" -> its name, with the title in `title`.
function name_of(heading,    name) {
    if (!match(heading, /[{]#[A-Za-z0-9_]+[}]/)) return ""
    name = substr(heading, RSTART + 2, RLENGTH - 3)
    title = squeezed(substr(heading, 1, RSTART - 1))
    sub(/^#+ /, "", title)
    gsub(/`/, "", title)
    gsub(/"/, "'", title) # it will stand in quotation marks
    return name
}

function complain(message) {
    print message > "/dev/stderr"
    failed = 1
}

# The last section that begins at or before a place in the page's text.
function section_at(place,    i, found) {
    for (i = 1; i <= n_sections && section_start[i] <= place; i++) found = i
    return found
}

function answer(    place, i, where) {
    if (question == "") return
    where = "chapters/" id "/questions.md:" question_line ": "
    if (sentence == "") {
        complain(where "there is no sentence below the question '" question "'")
    } else if ((place = index(page, sentence)) == 0) {
        complain(where pages " does not hold the sentence that answers '" \
            question "':\n  " sentence)
    } else {
        i = section_at(place)
        print "\n### " question " {#answers_" id "_" ++n_answers "}\n"
        print "> " sentence "\n"
        printf "%s", "@htmlonly[block]<div class=\"answer-place\">@endhtmlonly "
        printf "\\ref %s \"%s\"", section_name[i], section_title[i]
        print " @htmlonly[block]</div>@endhtmlonly"
    }
    question = ""
}

BEGIN {
    print "# Questions and answers {#answers}\n\n[TOC]\n"
    print "Ten questions or more a chapter, as readers ask them, each with the sentence of the"
    print "chapter that answers it. The sentences are copied; what leads up to them, and what"
    print "follows from them, stands in the section that the link below each opens."
}

FNR == 1 {
    answer()
    n = split(FILENAME, part, "/")
    id = part[n - 1]
    if (part[n] == "chapter.md") {
        page = pages = chapter_title = chapter_question = ""
        n_sections = n_answers = 0
    }
    fenced = 0
    if (part[n] != "questions.md")
        pages = pages (pages == "" ? "" : ", ") "chapters/" id "/" part[n]
}

part[n] != "questions.md" {
    if ($0 ~ /^ *(```|~~~)/) fenced = !fenced
    else if (!fenced && $0 ~ /^#+ / && (name = name_of($0)) != "") {
        section_name[++n_sections] = name
        section_title[n_sections] = title
        section_start[n_sections] = length(page) + 1
        if (chapter_title == "") chapter_title = title
    } else if (!fenced && $0 ~ /^> / && chapter_question == "") {
        chapter_question = squeezed(substr($0, 3))
    }
    gsub(/\\given|\\(from|holds|printed|tested)[{]([^{}]|[{][^{}]*[}])*[}]/, "") # where a number comes from
    page = joined(page, $0)
    next
}

FNR == 1 {
    print "\n## " chapter_title " {#answers_" id "}\n"
    print "\\Chapter{" id "} asks: " chapter_question
}

/^## / { answer(); question = squeezed(substr($0, 4)); question_line = FNR; sentence = "" }
/^> / && question != "" { sentence = joined(sentence, substr($0, 3)) }

END {
    answer()
    exit failed
}
