import { formatInstant, type Instant, instant, type RegionCode } from '@sealpost/kernel'
import type { OutletExplained } from '../modules/feed/index.ts'
import type { EndpointFacts } from '../modules/webhooks/index.ts'
import { type LastFailure, meaningOf } from './failures.ts'

export interface WebhookFacts {
  readonly now: Instant
  readonly region: RegionCode
  readonly endpoint: EndpointFacts
  readonly outlet: OutletExplained
  /** A worker holds it, or has held it between two looks. */
  readonly isWorkedOn: boolean
  readonly lastFailure: LastFailure | null
  readonly switches: { readonly writesPaused: boolean; readonly outOfOrder: boolean }
}

/** A reason, and what to do about it; null when there is nothing to do. */
interface Cause {
  readonly why: string
  readonly cure: string | null
}

const KEPT_MS = 7 * 86_400_000
/** A worker looks for work many times in this time. */
const LATE_MS = 5000
/** So long a probe waits for upkeep to look at the age of a backlog. */
const LOOK_FIRST_MS = 300_000

/** In words: how it stands, why events wait, and what to do. */
export function explainWebhook(facts: WebhookFacts): readonly string[] {
  const causes = causesOf(facts)
  const cures = causes.map(({ cure }) => cure).filter((cure) => cure !== null)
  return [
    ...standing(facts),
    '',
    hasWaiting(facts.outlet) ? 'why events wait:' : 'nothing waits:',
    ...causes.map(({ why }) => `- ${why}`),
    ...(cures.length === 0 ? [] : ['what to do:', ...cures.map((cure) => `- ${cure}`)]),
  ]
}

function standing({ now, endpoint, outlet, lastFailure }: WebhookFacts): readonly string[] {
  const { name, url, format, authType, encryptPayload, lastError } = endpoint
  const { backlogCount, backlogOldestAt, state, since } = outlet
  const failedAt = lastFailure?.at ?? null
  return [
    `webhook ${name.webhookId} of service ${name.serviceId}, company ${name.companyId}`,
    `  sends to ${hostOf(url)} as ${format}, authenticated by ${authType}${encryptPayload ? ', encrypted' : ''}`,
    `  takes ${outlet.kinds === null ? 'every event' : outlet.kinds.join(', ')}`,
    `  state ${state} since ${timeOf(since)} (${ageOf(now - since)})`,
    backlogOldestAt === null
      ? '  backlog empty'
      : `  backlog of ${backlogCount}, the oldest of ${timeOf(backlogOldestAt)} (${ageOf(now - backlogOldestAt)}); ` +
        `data is lost from ${timeOf(instant(backlogOldestAt + KEPT_MS))} on`,
    ...(outlet.purgedAt === null
      ? []
      : [`  events older than 7 days were lost, first told of ${timeOf(outlet.purgedAt)}`]),
    ...(lastError === null ? [] : [`  last error: ${lastError}${failedAt === null ? '' : ` (${timeOf(failedAt)})`}`]),
  ]
}

/** What somebody has set goes before what the endpoint does: nothing else matters until it is changed. */
function causesOf(facts: WebhookFacts): readonly Cause[] {
  const causes = [...setByPeople(facts), ...heldByHand(facts), ...ofTheEndpoint(facts), ...ofTheWorkers(facts)]
  if (causes.length > 0) return causes
  const why = facts.outlet.cursor < facts.outlet.lastNo ? 'a worker is about to send what has come' : 'it runs'
  return [{ why, cure: null }]
}

function setByPeople({ switches, outlet, region }: WebhookFacts): readonly Cause[] {
  const command = (words: string): string => `npm run operate -- ${region} ${words}`
  return [
    ...(switches.outOfOrder
      ? [{ why: `${region} is out of order: nothing runs`, cure: command('platform:out-of-order off') }]
      : []),
    ...(switches.writesPaused
      ? [{ why: `writes are paused in ${region}: no worker sends`, cure: command('platform:pause-writes off') }]
      : []),
    ...(outlet.isSuspended
      ? [
          {
            why: 'the level of the company is free, which has no webhooks: nothing is queued, what was queued is kept',
            cure: `${command(`account:set-level ${outlet.name.companyId} basic`)}, once the company has that level`,
          },
        ]
      : []),
    ...(outlet.isEnabled
      ? []
      : [
          {
            why: 'the company switched the webhook off: nothing is queued, what was queued before is kept',
            cure: 'the company sets enabled to true; what happened meanwhile comes with POST …/replay and a time',
          },
        ]),
    ...(outlet.isPaused
      ? [{ why: 'the company paused the webhook: events are queued and not sent', cure: 'POST …/resume' }]
      : []),
  ]
}

function heldByHand({ outlet }: WebhookFacts): readonly Cause[] {
  if (outlet.heldPage === null) return []
  return [
    {
      why: `somebody drains the backlog by hand and holds a page until ${timeOf(outlet.heldPage.until)}: order goes before speed`,
      cure: 'nothing: it goes on when the page is done with or its minute is over; drain by hand or by webhook, not both',
    },
  ]
}

function ofTheEndpoint(facts: WebhookFacts): readonly Cause[] {
  const { outlet, endpoint, lastFailure, now } = facts
  if (outlet.flow !== 'open' || outlet.state === 'running') return []
  const meaning = meaningOf(lastFailure, endpoint.lastError)
  const error = endpoint.lastError ?? 'the last delivery failed'
  const means = meaning === null ? '' : `; usually ${meaning.means}`
  if (outlet.state === 'unknown') {
    const why = `it is being tried again: the next event is the probe${endpoint.lastError === null ? '' : ` (before: ${error}${means})`}`
    return [{ why, cure: null }]
  }
  const isDue = outlet.dueAt !== null && outlet.dueAt <= now
  const next = outlet.dueAt === null ? '' : `; the next probe ${isDue ? 'is due' : `comes at ${timeOf(outlet.dueAt)}`}`
  return [
    { why: `its endpoint failed: ${error}${means}${next}`, cure: meaning?.cure ?? 'see that the endpoint answers 200' },
    {
      why: 'until a probe succeeds every event is kept and none is sent',
      cure: 'then POST …/test, and POST …/probe instead of waiting',
    },
  ]
}

function ofTheWorkers({ outlet, isWorkedOn, switches, now }: WebhookFacts): readonly Cause[] {
  const { dueAt, isLeased, leaseUntil, flow, heldPage } = outlet
  if (isLeased && leaseUntil !== null) {
    const why = `a worker holds it until ${timeOf(leaseUntil)}, by the clock of the database, and is sending`
    return [{ why, cure: null }]
  }
  if (isWorkedOn || flow !== 'open' || heldPage !== null || switches.writesPaused || switches.outOfOrder) return []
  const isOverdue =
    dueAt === null ? outlet.state === 'running' && outlet.cursor < outlet.lastNo : dueAt <= now - LATE_MS
  if (!isOverdue) return []
  if (isLookedAtFirst(outlet, now)) {
    return [{ why: 'upkeep looks at the age of its backlog first, within minutes; the probe follows', cure: null }]
  }
  const since = dueAt === null ? '' : ` since ${timeOf(dueAt)}`
  const lapsed = leaseUntil === null ? '' : '; the worker that held it before has died'
  return [
    {
      why: `it is due${since} and no worker has taken it${lapsed}`,
      cure: 'start a process of this region with worker in REGION_ROLES, and look into the log of those that run',
    },
  ]
}

/** What is too old is counted and told of before a probe passes over it, unless that takes too long. */
function isLookedAtFirst({ state, alertAt }: OutletExplained, now: Instant): boolean {
  return state === 'bad' && alertAt !== null && alertAt <= now && now < alertAt + LOOK_FIRST_MS
}

function hasWaiting({ backlogCount, cursor, lastNo, flow }: OutletExplained): boolean {
  return backlogCount > 0 || (cursor < lastNo && flow !== 'disabled')
}

/** The rest of the URL may carry what only the receiver should see. */
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
