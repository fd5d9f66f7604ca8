/** The time of this device, for words such as “2 minutes ago”. */
export function nowMs(): number {
  // oxlint-disable-next-line sealpost/time-and-chance -- the pages' own clock; nothing is decided by it
  return Date.now()
}
