import { type Link, parseParty, type Party } from './parties.ts'

/** Every subject of the bus. All begin with `sealpost`, so that one NATS can serve other programs too. */
export function tellSubject({ source, target }: Link): string {
  return `sealpost.tell.${source}.${target}`
}

/** From the target back to the source. */
export function noticeSubject({ source, target }: Link): string {
  return `sealpost.notice.${source}.${target}`
}

/** Wakes the relay in another process of the same party: there is something to send. */
export function wakeSubject({ source, target }: Link): string {
  return `sealpost.wake.${source}.${target}`
}

/** Both parties are part of the subject, so that NATS permissions can restrict a party to its own name. */
export function askSubject(asked: Party, asking: Party | '*'): string {
  return `sealpost.ask.${asked}.${asking}`
}

/** Between the buses themselves. */
export function syncSubject(asked: Party, asking: Party | '*'): string {
  return `sealpost.sync.${asked}.${asking}`
}

export function askingParty(subject: string): Party {
  return parseParty(subject.slice(subject.lastIndexOf('.') + 1))
}
