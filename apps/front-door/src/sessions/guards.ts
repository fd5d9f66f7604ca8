import type { Call } from '@sealpost/http'
import { refuse } from '@sealpost/protocol'
import type { SessionNeeds } from './needs.ts'

/** A cookie is sent along whoever asks the browser to: only pages of the web apps may use the session routes. */
export function checkOrigin({ appOrigins }: SessionNeeds, { origin }: Call): void {
  if (origin !== null && appOrigins.includes(origin)) return
  throw refuse('auth.client_endpoint_forbidden', undefined, {
    sentence: 'Sessions belong to the web apps; this page is none of them',
  })
}

/** Enough for whoever looks for a mail; each one brings five more tries of its code, and maybe annoys a stranger. */
const MAILS_PER_HOUR = 10

/** One bucket per address, whether it has an account or not; without Redis nobody is let through. */
export function takeFromAccount(needs: SessionNeeds, emailHash: string): Promise<void> {
  return take(needs, [accountBucket(needs, emailHash)])
}

/** For what ends in a mail to an address that anybody could have named. */
export function takeMail(needs: SessionNeeds, emailHash: string): Promise<void> {
  const mails = { key: `mail:${emailHash}`, quota: MAILS_PER_HOUR, windowSeconds: 3600 }
  return take(needs, [accountBucket(needs, emailHash), mails])
}

interface Bucket {
  readonly key: string
  readonly quota: number
  readonly windowSeconds: number
}

function accountBucket({ accountQuota }: SessionNeeds, emailHash: string): Bucket {
  return { key: `account:${emailHash}`, quota: accountQuota, windowSeconds: 60 }
}

async function take({ limiter }: SessionNeeds, buckets: readonly Bucket[]): Promise<void> {
  const answer = await limiter.take(buckets.map((bucket) => ({ policy: 'login', ...bucket, failClosed: true })))
  if (answer.outcome === 'unavailable') throw refuse('rate.unavailable')
  if (answer.outcome === 'allowed') return
  const retryAfterSeconds = Math.max(1, ...answer.states.map((state) => state.retryAfterSeconds))
  throw refuse('rate.limited', undefined, { retryAfterSeconds })
}
