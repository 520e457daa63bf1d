# Lines of the pages that begin with a number and a full stop although they go on with a paragraph:
# Doxygen makes a list of them, and the number is lost. awk -f lost_numbers.awk page.md ...
# A list's own lines follow a blank line or one another; what is fenced or indented by four is code.
FNR == 1 { fenced = in_list = in_paragraph = 0 }
/^ *(```|~~~)/ { fenced = !fenced; next }
fenced { next }
/^[ \t]*$/ { in_paragraph = 0; next }
/^    / && !in_paragraph { next }
/^ *[0-9]+[.] / {
    if (in_paragraph && !in_list) {
        print FILENAME ":" FNR ": '" substr($0, 1, 40) "'" > "/dev/stderr"
        failed = 1
    }
    if (!in_paragraph) in_list = 1
    in_paragraph = 1
    next
}
/^[-*+] / { in_list = 0 }
!in_paragraph && !/^ / { in_list = 0 }
{ in_paragraph = 1 }
END { exit failed }
