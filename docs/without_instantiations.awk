# Doxygen's view of a .cpp: explicit instantiations, which it takes for functions that nobody
# described, are empty lines. The listings show the file as it is.
/^#define ATTN_INSTANTIATE/ { macro = 1 }
macro { if (!/\\$/) macro = 0; print ""; next }
/^#undef ATTN_INSTANTIATE/ || /^ATTN_INSTANTIATE\(/ { print ""; next }
/^(extern )?template [^<]/ { instantiation = 1 }
instantiation { if (/;$/) instantiation = 0; print ""; next }
{ print }
