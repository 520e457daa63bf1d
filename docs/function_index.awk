# From Doxygen's pages of functions and of member functions to one list of both:
#     awk -f function_index.awk namespacemembers_func*.html functions_func*.html
# Doxygen makes a page a letter when there are many functions, and names the namespaces of a
# function behind it as its links; here all letters are on one page, and each function is a line
# whose name is the link. Destructors and assignments, which nobody looks up, are left out.

function add(name, place, scope,    i, key) {
    if (name ~ /^~|^operator=\(/ || (name, scope) in seen) return
    seen[name, scope] = 1
    # insert where it belongs in the order of names, then of namespaces
    key = tolower(name) " " scope
    for (i = n++; i > 0 && keys[i] > key; i--) {
        keys[i + 1] = keys[i]
        lines[i + 1] = lines[i]
    }
    keys[i + 1] = key
    lines[i + 1] = "<li><a class=\"el\" href=\"" place "\">" name "</a> <span>" scope \
        "</span></li>"
}

/^<li>.*&#160;:&#160;<a class="el" href="/ {
    at = index($0, "&#160;:&#160;")
    name = substr($0, 5, at - 5)
    rest = substr($0, at)
    while (match(rest, /href="[^"]*">[^<]*/)) {
        link = substr(rest, RSTART + 6, RLENGTH - 6)
        rest = substr(rest, RSTART + RLENGTH)
        at = index(link, "\">")
        add(name, substr(link, 1, at - 1), substr(link, at + 2))
    }
}

END {
    if (n == 0) {
        print "there are no functions" > "/dev/stderr"
        exit 1
    }
    for (i = 1; i <= n; i++) {
        letter = substr(keys[i], 1, 1)
        if (letter != last) letters = letters "<a href=\"#index_" letter "\">" letter "</a> "
        last = letter
    }
    print "<p class=\"function-letters\">" letters "</p>"
    last = ""
    for (i = 1; i <= n; i++) {
        letter = substr(keys[i], 1, 1)
        if (letter != last) {
            if (last != "") print "</ul>"
            print "<h2 id=\"index_" letter "\">" letter "</h2>"
            print "<ul class=\"function-index\">"
        }
        last = letter
        print lines[i]
    }
    print "</ul>"
}
