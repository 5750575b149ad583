static char* volatile nowhere;               /* no name: the compiler must not know */
static char* volatile unreadable = (char*)8; /* nor this */
