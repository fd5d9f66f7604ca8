/** After a failed iteration of any loop of the bus: constant, because peers wait for it. */
export const BUS_BACKOFF = { firstMs: 1000, longestMs: 1000 }
