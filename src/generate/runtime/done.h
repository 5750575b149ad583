// provides: done
static _Thread_local int done; /* what the request that was asked about is */
