# From the finished pages to the table that the main page's search reads:
#     awk -f search_index.awk *.html > find.data.js
# One entry a section: [page, anchor, page's title, heading, text]. Doxygen's own search finds
# names that begin with what was typed; this one finds words in the text.

function without(text, from, to,    out, start, stop) { # cut every from...to
    out = ""
    while ((start = index(text, from)) > 0) {
        out = out substr(text, 1, start - 1) " "
        text = substr(text, start)
        stop = index(text, to)
        if (stop == 0) return out
        text = substr(text, stop + length(to))
    }
    return out text
}

function plain(text) {
    text = without(without(text, "<svg", "</svg>"), "<script", "</script>")
    text = without(without(text, "\\(", "\\)"), "\\[", "\\]")
    gsub(/<\/(p|li|td|th|div|h[1-6]|dd|dt|pre)>/, " ", text)
    gsub(/<[^>]*>/, "", text)
    gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text)
    gsub(/&#39;|&rsquo;/, "'", text); gsub(/&(nbsp|#160|zwj|#8205);/, " ", text)
    gsub(/&ndash;/, "–", text); gsub(/&mdash;/, "—", text); gsub(/&amp;/, "\\&", text)
    gsub(/[ \t\r\n]+/, " ", text)
    sub(/^ /, "", text); sub(/ $/, "", text)
    return text
}

function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

function entry(heading_html, body,    anchor, heading, text) {
    anchor = ""
    if (match(heading_html, /id="[^"]*"/))
        anchor = substr(heading_html, RSTART + 4, RLENGTH - 5)
    heading = plain(heading_html)
    text = plain(body)
    if (heading == "" && text == "") return
    printf "%s[%s, %s, %s, ", separator, quoted(page), quoted(anchor), quoted(title)
    printf "%s, %s]", quoted(heading), quoted(text)
    separator = ",\n"
}

function flush_page(    at, rest, heading, stop, name) {
    if (page == "") return
    title = whole
    sub(/^.*<div class="title">/, "", title)
    sub(/<\/div>.*$/, "", title)
    title = plain(title)
    rest = substr(whole, index(whole, "<div class=\"contents\">"))
    rest = without(rest, "<div class=\"toc", "</div>")
    sub(/<nav class="chapter-nav".*$/, "", rest)
    sub(/<!-- contents -->.*$/, "", rest)
    heading = ""
    while (match(rest, /<h[123][ >]/)) {
        at = RSTART
        entry(heading, substr(rest, 1, at - 1))
        rest = substr(rest, at)
        stop = index(rest, "</h")
        heading = substr(rest, 1, stop - 1)
        rest = substr(rest, stop + 5)
    }
    entry(heading, rest)
}

BEGIN {
    print "window.bookData = window.bookData || {};"
    print "window.bookData[\"find\"] = ["
}
FNR == 1 { flush_page(); whole = ""; page = FILENAME; sub(/^.*\//, "", page) }
{ whole = whole $0 "\n" }
END { flush_page(); print "\n];" }
