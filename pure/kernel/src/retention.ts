/**
 * Events and the log of their deliveries are kept this long, then they are invisible at once and removed soon after. The wire
 * promises it, so callers may rely on it: see `docs/api`.
 */
export const EVENT_RETENTION_DAYS = 7
export const EVENT_RETENTION_MS = EVENT_RETENTION_DAYS * 86_400_000
