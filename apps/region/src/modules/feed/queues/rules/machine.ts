import { type Instant, instant } from '@sealpost/kernel'
import { advance, END, NONE, type Ranges, rangesOf, span, subtract } from '../../rules/ranges.ts'
import { flowOf, type OutcomeReport, type QueueSwitches, type WebhookQueue } from '../model.ts'
import {
  FIRST_CHECK_MS,
  type Moment,
  park,
  parkAsBad,
  raiseEpoch,
  raiseRetryEpoch,
  release,
  retry,
  unpark,
  unparkUnproved,
  withState,
} from './parking.ts'

/** How long a probe waits for an overdue check of the backlog's age; later than that no process seems to run it. */
export const CHECK_FIRST_MS = 300_000

export type Command =
  /** Events were appended. */
  | { readonly command: 'wake' }
  | { readonly command: 'claim'; readonly isLapsed: boolean }
  | ({ readonly command: 'report' } & Pick<OutcomeReport, 'token' | 'epoch' | 'sent' | 'end' | 'isRelease'>)
  | { readonly command: 'switch'; readonly to: Partial<QueueSwitches>; readonly hasBacklog: boolean }
  | { readonly command: 'retarget'; readonly hasBacklog: boolean }
  | { readonly command: 'probe' }
  | { readonly command: 'replay'; readonly hasBacklog: boolean; readonly after: number | null }
  | { readonly command: 'touch' }
  /** A manual drain leased a page of the backlog. */
  | { readonly command: 'lend' }
  /** A manual drain ended: its events are gone, or free again. */
  | { readonly command: 'return'; readonly gone: Ranges }
  | {
      readonly command: 'purge'
      readonly to: number
      readonly alertAt: Instant | null
      readonly purgedAt: Instant | null
    }

export interface Step {
  readonly queue: WebhookQueue
  /** False when the worker does not hold the queue. */
  readonly isMine: boolean
  /** The worker keeps the queue. */
  readonly mayGoOn: boolean
}

type CommandOf<Name extends Command['command']> = Extract<Command, { readonly command: Name }>
type Handlers = {
  readonly [Name in Command['command']]: (queue: WebhookQueue, command: CommandOf<Name>, at: Moment) => Step
}

const HANDLERS: Handlers = {
  wake: (queue, _command, { now }) =>
    kept(isReady(queue) && queue.state === 'running' && queue.dueAt === null ? { ...queue, dueAt: now } : queue),
  claim,
  report,
  switch: switchFlow,
  retarget: (queue, { hasBacklog }, at) => kept(retry(queue, hasBacklog, at)),
  probe: (queue, _command, { now }) =>
    kept(isReady(queue) && queue.state === 'bad' ? raiseRetryEpoch({ ...queue, dueAt: now }) : queue),
  replay,
  touch: (queue) => kept(raiseEpoch(queue)),
  lend: (queue) => kept(raiseEpoch(queue)),
  // The new epoch makes a worker read again that has seen the page and is about to wait for it.
  return: (queue, { gone }, { now }) => kept(unblock(raiseEpoch({ ...queue, ...advance(queue, gone) }), now)),
  purge: (queue, { to, alertAt, purgedAt }) =>
    kept(
      raiseEpoch({
        ...queue,
        ...advance(queue, span(queue.cursor, to)),
        alertAt,
        purgedAt: alertAt === null ? null : purgedAt,
      }),
    ),
}

/** The only way in which a webhook queue changes. It is pure, so that the model test can run random histories on it. */
export function step(queue: WebhookQueue, command: Command, at: Moment): Step {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has the handler of its own command
  const handle = HANDLERS[command.command] as (queue: WebhookQueue, command: Command, at: Moment) => Step
  return handle(queue, command, at)
}

export function newQueue(switches: QueueSwitches, { now, lastNo }: Moment): WebhookQueue {
  const isOpen = flowOf(switches) === 'open'
  return {
    ...switches,
    cursor: lastNo,
    gone: NONE,
    parkedTo: isOpen ? lastNo : END,
    replayTo: 0,
    state: 'running',
    since: now,
    dueAt: null,
    isLeased: false,
    token: 0,
    epoch: 0,
    retryEpoch: 0,
    alertAt: isOpen ? null : instant(now + FIRST_CHECK_MS),
    purgedAt: null,
  }
}

/** Refused for a queue that is not due or that another worker holds. */
function claim(queue: WebhookQueue, { isLapsed }: CommandOf<'claim'>, { now }: Moment): Step {
  const isFree = queue.isLeased ? isLapsed : queue.dueAt !== null && queue.dueAt <= now
  if (!isFree || isCheckFirst(queue, now)) return { queue, isMine: false, mayGoOn: false }
  if (flowOf(queue) !== 'open') return { queue: release(queue, null), isMine: false, mayGoOn: false }
  const held = { ...queue, isLeased: true, dueAt: null, token: queue.token + 1 }
  return { queue: queue.state === 'bad' ? withState(held, 'unknown', now) : held, isMine: true, mayGoOn: true }
}

/** A successful probe moves the cursor over expired events, so an overdue check counts them first. */
function isCheckFirst({ state, alertAt }: WebhookQueue, now: Instant): boolean {
  return state === 'bad' && alertAt !== null && alertAt <= now && now < alertAt + CHECK_FIRST_MS
}

function report(queue: WebhookQueue, { token, epoch, sent, end, isRelease }: CommandOf<'report'>, at: Moment): Step {
  if (!queue.isLeased || queue.token !== token) return { queue, isMine: false, mayGoOn: false }
  const isFresh = epoch === queue.epoch
  const isRetried = epoch < queue.retryEpoch
  const after = sent === null ? queue : applyOutcome(queue, sent, { isFresh, isRetried }, at)
  if (!after.isLeased) return { queue: after, isMine: true, mayGoOn: false }
  if (flowOf(after) !== 'open') return { queue: release(after, null), isMine: true, mayGoOn: false }
  if (isFresh && end !== null) return finishBatch(after, end, isRelease, at)
  return isRelease
    ? { queue: release(after, at.now), isMine: true, mayGoOn: false }
    : { queue: after, isMine: true, mayGoOn: true }
}

/** The effect of a finished POST on its event and on the state of the endpoint. */
function applyOutcome(
  queue: WebhookQueue,
  { no, outcome }: NonNullable<OutcomeReport['sent']>,
  { isFresh, isRetried }: { readonly isFresh: boolean; readonly isRetried: boolean },
  at: Moment,
): WebhookQueue {
  if (outcome === 'failed') return isRetried ? queue : parkAsBad(queue, at)
  // Numbers before it were skipped on the way, unless a change since then put events there.
  const done = { ...queue, ...advance(queue, isFresh ? passed(queue, no, at) : rangesOf([no])) }
  return outcome === 'delivered' && queue.state === 'unknown' && !isRetried ? unpark(done, at) : done
}

function finishBatch(
  queue: WebhookQueue,
  { scannedTo, blockedForMs }: NonNullable<OutcomeReport['end']>,
  isRelease: boolean,
  at: Moment,
): Step {
  const scanned = { ...queue, ...advance(queue, passed(queue, scannedTo, at)) }
  const letGo = (dueAt: Instant | null, left = scanned): Step => ({
    queue: release(left, dueAt),
    isMine: true,
    mayGoOn: false,
  })
  if (blockedForMs !== null) return letGo(instant(at.now + blockedForMs))
  const isAtEnd = advance(queue, span(queue.cursor, scannedTo)).cursor >= at.lastNo
  if (isAtEnd) return letGo(null, scanned.state === 'unknown' ? unparkUnproved(queue, at) : scanned)
  return isRelease ? letGo(at.now) : { queue: scanned, isMine: true, mayGoOn: true }
}

/** The numbers up to `to` that are done. Events that expired before the queue ran again stay until they are counted. */
function passed({ cursor, parkedTo, state, alertAt }: WebhookQueue, to: number, { now }: Moment): Ranges {
  const isUncounted = state === 'running' && alertAt !== null && now < alertAt + CHECK_FIRST_MS
  return span(isUncounted && to > parkedTo ? Math.max(cursor, parkedTo) : cursor, to)
}

function switchFlow(queue: WebhookQueue, { to, hasBacklog }: CommandOf<'switch'>, at: Moment): Step {
  const next = { ...queue, ...to }
  const [before, after] = [flowOf(queue), flowOf(next)]
  if (before === after) return kept(next)
  if (after === 'open') return kept(retry(next, hasBacklog, at))
  return kept(raiseEpoch({ ...park(next, at), dueAt: null }))
}

/** With `after`: all events beyond that number once more, also those that are gone. */
function replay(queue: WebhookQueue, { hasBacklog, after }: CommandOf<'replay'>, at: Moment): Step {
  const rewound =
    after === null
      ? queue
      : {
          ...queue,
          cursor: Math.min(queue.cursor, after),
          gone: subtract(queue.gone, [[after + 1, END]]),
          replayTo: at.lastNo,
          parkedTo: Math.max(queue.parkedTo, at.lastNo),
          // Replayed events may predate the measured backlog, so measure its age again.
          alertAt: queue.alertAt === null ? null : at.now,
        }
  if (flowOf(queue) !== 'open' || queue.state !== 'running') return kept(retry(rewound, hasBacklog, at))
  return kept(raiseEpoch({ ...rewound, dueAt: queue.isLeased ? null : at.now }))
}

function unblock(queue: WebhookQueue, now: Instant): WebhookQueue {
  return isReady(queue) && queue.state !== 'bad' ? { ...queue, dueAt: now } : queue
}

function isReady(queue: WebhookQueue): boolean {
  return flowOf(queue) === 'open' && !queue.isLeased
}

function kept(queue: WebhookQueue): Step {
  return { queue, isMine: true, mayGoOn: queue.isLeased }
}
