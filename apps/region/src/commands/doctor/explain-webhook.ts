import { formatInstant, type Instant, type RegionCode } from '@sealpost/kernel'
import { CHECK_FIRST_MS, expiryOf, type QueueExplanation } from '../../modules/feed/index.ts'
import type { EndpointFacts } from '../../modules/webhooks/index.ts'
import { type LastFailure, meaningOf } from './failures.ts'

export interface WebhookFacts {
  readonly now: Instant
  readonly region: RegionCode
  readonly endpoint: EndpointFacts
  readonly queue: QueueExplanation
  /** A worker holds it, or held it between the two reads. */
  readonly isWorkedOn: boolean
  readonly lastFailure: LastFailure | null
  readonly switches: { readonly writesPaused: boolean; readonly outOfOrder: boolean }
}

/** A reason, and the remedy; null when none is needed. */
interface Cause {
  readonly why: string
  readonly cure: string | null
}

/** Workers poll many times in this time. */
const LATE_MS = 5000

/** The state of a webhook, why its events wait, and what to do. */
export function explainWebhook(facts: WebhookFacts): readonly string[] {
  const causes = causesOf(facts)
  const cures = causes.map(({ cure }) => cure).filter((cure) => cure !== null)
  return [
    ...stateLines(facts),
    '',
    hasPending(facts.queue) ? 'why events wait:' : 'nothing waits:',
    ...causes.map(({ why }) => `- ${why}`),
    ...(cures.length === 0 ? [] : ['what to do:', ...cures.map((cure) => `- ${cure}`)]),
  ]
}

function stateLines({ now, endpoint, queue, lastFailure }: WebhookFacts): readonly string[] {
  const { name, url, format, authType, encryptPayload, lastError } = endpoint
  const { backlogCount, backlogOldestAt, state, since } = queue
  const failedAt = lastFailure?.at ?? null
  return [
    `webhook ${name.webhookId} of service ${name.serviceId}, company ${name.companyId}`,
    `  sends to ${hostOf(url)} as ${format}, authenticated by ${authType}${encryptPayload ? ', encrypted' : ''}`,
    `  takes ${queue.kinds === null ? 'every event' : queue.kinds.join(', ')}`,
    `  state ${state} since ${timeOf(since)} (${ageOf(now - since)})`,
    backlogOldestAt === null
      ? '  backlog empty'
      : `  backlog of ${backlogCount}, the oldest of ${timeOf(backlogOldestAt)} (${ageOf(now - backlogOldestAt)}); ` +
        `data is lost from ${timeOf(expiryOf(backlogOldestAt))} on`,
    ...(queue.purgedAt === null
      ? []
      : [`  events older than 7 days were lost, first reported at ${timeOf(queue.purgedAt)}`]),
    ...(lastError === null ? [] : [`  last error: ${lastError}${failedAt === null ? '' : ` (${timeOf(failedAt)})`}`]),
  ]
}

/** Switches set by people come first: nothing else matters until they are changed. */
function causesOf(facts: WebhookFacts): readonly Cause[] {
  const causes = [...switchCauses(facts), ...drainCauses(facts), ...endpointCauses(facts), ...workerCauses(facts)]
  if (causes.length > 0) return causes
  const why = facts.queue.cursor < facts.queue.lastNo ? 'a worker is about to send the new events' : 'it runs'
  return [{ why, cure: null }]
}

function switchCauses({ switches, queue, region }: WebhookFacts): readonly Cause[] {
  const command = (words: string): string => `npm run operate -- ${region} ${words}`
  return [
    ...(switches.outOfOrder
      ? [{ why: `${region} is out of order: nothing runs`, cure: command('platform:out-of-order off') }]
      : []),
    ...(switches.writesPaused
      ? [{ why: `writes are paused in ${region}: no worker sends`, cure: command('platform:pause-writes off') }]
      : []),
    ...(queue.isSuspended
      ? [
          {
            why: 'the level of the company is free, which has no webhooks: nothing is queued, the earlier backlog is kept',
            cure: `${command(`account:set-level ${queue.name.companyId} basic`)}, once the company has that level`,
          },
        ]
      : []),
    ...(queue.isEnabled
      ? []
      : [
          {
            why: 'the company disabled the webhook: nothing is queued, the earlier backlog is kept',
            cure: 'the company sets enabled to true; POST …/replay with a time sends the events of the meantime',
          },
        ]),
    ...(queue.isPaused
      ? [{ why: 'the company paused the webhook: events are queued and not sent', cure: 'POST …/resume' }]
      : []),
  ]
}

function drainCauses({ queue }: WebhookFacts): readonly Cause[] {
  if (queue.leasedPage === null) return []
  return [
    {
      why: `a manual drain has leased a page of the backlog until ${timeOf(queue.leasedPage.until)}: order comes before speed`,
      cure: 'nothing: it continues when the drain or its lease ends; use manual drains or the webhook, not both',
    },
  ]
}

function endpointCauses(facts: WebhookFacts): readonly Cause[] {
  const { queue, endpoint, lastFailure, now } = facts
  if (queue.flow !== 'open' || queue.state === 'running') return []
  const meaning = meaningOf(lastFailure, endpoint.lastError)
  const error = endpoint.lastError ?? 'the last delivery failed'
  const means = meaning === null ? '' : `; usually ${meaning.means}`
  if (queue.state === 'unknown') {
    const why = `it is being probed: the next event is the probe${endpoint.lastError === null ? '' : ` (before: ${error}${means})`}`
    return [{ why, cure: null }]
  }
  const isDue = queue.dueAt !== null && queue.dueAt <= now
  const next = queue.dueAt === null ? '' : `; the next probe ${isDue ? 'is due' : `comes at ${timeOf(queue.dueAt)}`}`
  return [
    {
      why: `its endpoint failed: ${error}${means}${next}`,
      cure: meaning?.cure ?? 'make sure that the endpoint answers 200',
    },
    {
      why: 'until a probe succeeds all events are parked',
      cure: 'then POST …/test, and POST …/probe instead of waiting',
    },
  ]
}

function workerCauses({ queue, isWorkedOn, switches, now }: WebhookFacts): readonly Cause[] {
  const { dueAt, isLeased, leaseUntil, flow, leasedPage } = queue
  if (isLeased && leaseUntil !== null) {
    const why = `a worker holds it until ${timeOf(leaseUntil)}, by the clock of the database, and is sending`
    return [{ why, cure: null }]
  }
  if (isWorkedOn || flow !== 'open' || leasedPage !== null || switches.writesPaused || switches.outOfOrder) return []
  const isOverdue = dueAt === null ? queue.state === 'running' && queue.cursor < queue.lastNo : dueAt <= now - LATE_MS
  if (!isOverdue) return []
  if (isCheckedFirst(queue, now)) {
    return [{ why: 'upkeep checks the age of its backlog first, within minutes; the probe follows', cure: null }]
  }
  const since = dueAt === null ? '' : ` since ${timeOf(dueAt)}`
  const lapsed = leaseUntil === null ? '' : '; the worker that held it before has died'
  return [
    {
      why: `it is due${since} and no worker has taken it${lapsed}`,
      cure: 'start a process of this region with worker in REGION_ROLES, and check the logs of the running ones',
    },
  ]
}

/** Expired events are counted before a probe skips them, unless the check is overdue for too long. */
function isCheckedFirst({ state, alertAt }: QueueExplanation, now: Instant): boolean {
  return state === 'bad' && alertAt !== null && alertAt <= now && now < alertAt + CHECK_FIRST_MS
}

function hasPending({ backlogCount, cursor, lastNo, flow }: QueueExplanation): boolean {
  return backlogCount > 0 || (cursor < lastNo && flow !== 'disabled')
}

/** The other parts of the URL may contain secrets of the receiver. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'an address that cannot be read'
}

function timeOf(at: Instant): string {
  return `${formatInstant(at).slice(0, 19).replace('T', ' ')} UTC`
}

function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 120) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`
}
