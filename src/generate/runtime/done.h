static _Thread_local int request_done; /* what the request that was asked about is */
