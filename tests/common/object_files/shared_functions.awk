# Names the functions that more than one instruction set's object file defines: the linker keeps one
# copy for everybody, and it might be one that this processor cannot run. Reads what `nm -A -P` prints
# of the objects, each named <instruction set>.cpp.o or probe_<instruction set>.cpp.o; all other
# objects are the rest of the program. Prints a line for each such function.
{
    object = $1
    sub(/:$/, "", object)
    set = object
    sub(/^.*\//, "", set)
    sub(/^probe_/, "", set)
    sub(/\..*$/, "", set)
    if (set !~ /^(scalar|scalar_fma|sse4_2|avx2|avx512|neon)$/) {
        set = "the rest of the program"
    } else {
        n_sets += !(set in seen)
        seen[set]
    }
    # T: a function; W, V, u: what several objects may define, as inline functions are. Names of types
    # (_ZTI, _ZTS) are no code; sanitizers write them everywhere.
    if ($3 !~ /^[TWVu]$/ || $2 ~ /^_ZT[IS]/) {
        next
    }
    if (!($2 in first)) {
        first[$2] = set
        file[$2] = object
    } else if (first[$2] != set) {
        printf "%s is defined for %s and for %s:\n  %s\n  %s\n", $2, first[$2], set, file[$2], object
    }
}
END {
    if (n_sets == 0) {
        print "nm has named no instruction set's object"
    }
}
