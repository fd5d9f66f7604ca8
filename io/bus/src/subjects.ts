import type { Link, Party } from './parties.ts'

/** Every subject of the bus. All begin with `sealpost`, so that one NATS can serve other programs too. */
export function tellSubject({ source, target }: Link): string {
  return `sealpost.tell.${source}.${target}`
}

/** From the target back to the source. */
export function noticeSubject({ source, target }: Link): string {
  return `sealpost.notice.${source}.${target}`
}

/** Tells the relay, in another process of the same party, that there is something to send. */
export function wakeSubject({ source, target }: Link): string {
  return `sealpost.wake.${source}.${target}`
}

export function askSubject(party: Party): string {
  return `sealpost.ask.${party}`
}

/** Between the buses themselves. */
export function syncSubject(party: Party): string {
  return `sealpost.sync.${party}`
}
