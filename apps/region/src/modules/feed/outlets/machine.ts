import { type Instant, instant } from '@sealpost/kernel'
import { advance, NONE, type Progress, type Ranges, rangesOf, span, subtract } from '../ranges.ts'
import type { OutletFlow, OutletReport, OutletState } from './contract.ts'

/** A backlog's age is not looked at before: nothing in it grows old that fast. */
const FIRST_LOOK_MS = 3_600_000
/** How long others wait for an overdue look, which may find that rows are lost: after this nobody seems to look. */
export const LOOK_FIRST_MS = 300_000

/** Later than every number. */
export const END = Number.POSITIVE_INFINITY

/**
 * [Note: outlets] Everything about a webhook's queue that is not an event. Numbers up to `cursor` and in `gone` are done
 * with. Up to `parkedTo` lies the backlog, which is collapsed and told under durable ids; beyond it is live. Up to
 * `replayTo` somebody asked for everything, so nothing is collapsed there.
 */
export interface Outlet extends Progress {
  readonly parkedTo: number
  readonly replayTo: number
  readonly state: OutletState
  readonly since: Instant
  readonly isEnabled: boolean
  readonly isPaused: boolean
  readonly isSuspended: boolean
  /** When a worker should look; null when there is nothing to do or somebody is at it. */
  readonly dueAt: Instant | null
  readonly isLeased: boolean
  readonly token: number
  readonly epoch: number
  /** The epoch in which somebody last asked for another try: how an earlier POST ends says nothing of the endpoint. */
  readonly askedEpoch: number
  /** When the age of the backlog has to be looked at; null without a backlog that stands still. */
  readonly alertAt: Instant | null
  /** When loss was told of, since the outlet last ran. */
  readonly purgedAt: Instant | null
}

export type Act =
  /** Events were appended. */
  | { readonly act: 'wake' }
  | { readonly act: 'claim'; readonly isLapsed: boolean }
  | ({ readonly act: 'settle' } & Pick<OutletReport, 'token' | 'epoch' | 'sent' | 'end' | 'isRelease'>)
  | { readonly act: 'switch'; readonly to: Partial<Switches>; readonly hasBacklog: boolean }
  | { readonly act: 'retarget'; readonly hasBacklog: boolean }
  | { readonly act: 'probe' }
  | { readonly act: 'replay'; readonly hasBacklog: boolean; readonly after: number | null }
  | { readonly act: 'touch' }
  /** Somebody who drains by hand has taken some of the backlog. */
  | { readonly act: 'lend' }
  /** Their answer got out, or not. */
  | { readonly act: 'return'; readonly gone: Ranges }
  | { readonly act: 'purge'; readonly to: number; readonly alertAt: Instant | null; readonly purgedAt: Instant | null }

type Switches = Pick<Outlet, 'isEnabled' | 'isPaused' | 'isSuspended'>

export interface Moment {
  readonly now: Instant
  /** The last number of the service's feed, read after the outlet was locked. */
  readonly lastNo: number
  readonly graceMs: number
}

export interface Step {
  readonly outlet: Outlet
  /** False for whoever does not hold the outlet. */
  readonly isMine: boolean
  /** It stays with whoever holds it. */
  readonly mayGoOn: boolean
}

type ActOf<Name extends Act['act']> = Extract<Act, { readonly act: Name }>
type Handlers = { readonly [Name in Act['act']]: (outlet: Outlet, act: ActOf<Name>, at: Moment) => Step }

const HANDLERS: Handlers = {
  wake: (outlet, _act, { now }) =>
    kept(isReady(outlet) && outlet.state === 'running' && outlet.dueAt === null ? { ...outlet, dueAt: now } : outlet),
  claim,
  settle,
  switch: switched,
  retarget: (outlet, { hasBacklog }, at) => kept(tryAgain(outlet, hasBacklog, at)),
  probe: (outlet, _act, { now }) =>
    kept(isReady(outlet) && outlet.state === 'bad' ? asked({ ...outlet, dueAt: now }) : outlet),
  replay,
  touch: (outlet) => kept(raised(outlet)),
  lend: (outlet) => kept(raised(outlet)),
  // A worker that has seen the page and is about to wait for it must look again.
  return: (outlet, { gone }, { now }) => kept(unblocked(raised({ ...outlet, ...advance(outlet, gone) }), now)),
  purge: (outlet, { to, alertAt, purgedAt }) =>
    kept(
      raised({
        ...outlet,
        ...advance(outlet, span(outlet.cursor, to)),
        alertAt,
        purgedAt: alertAt === null ? null : purgedAt,
      }),
    ),
}

/** The only way in which an outlet changes: pure, so that histories of any kind can be tried on it. */
export function step(outlet: Outlet, act: Act, at: Moment): Step {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has the handler of its own act
  const handle = HANDLERS[act.act] as (outlet: Outlet, act: Act, at: Moment) => Step
  return handle(outlet, act, at)
}

export function flowOf({ isEnabled, isSuspended, isPaused }: Switches): OutletFlow {
  if (!isEnabled || isSuspended) return 'disabled'
  return isPaused ? 'paused' : 'open'
}

export function freshOutlet(switches: Switches, { now, lastNo }: Moment): Outlet {
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
    askedEpoch: 0,
    alertAt: isOpen ? null : instant(now + FIRST_LOOK_MS),
    purgedAt: null,
  }
}

/** Whoever comes for an outlet whose time has not come, or that another holds, gets nothing. */
function claim(outlet: Outlet, { isLapsed }: ActOf<'claim'>, { now }: Moment): Step {
  const isFree = outlet.isLeased ? isLapsed : outlet.dueAt !== null && outlet.dueAt <= now
  if (!isFree || isLookFirst(outlet, now)) return { outlet, isMine: false, mayGoOn: false }
  if (flowOf(outlet) !== 'open') return { outlet: released(outlet, null), isMine: false, mayGoOn: false }
  const held = { ...outlet, isLeased: true, dueAt: null, token: outlet.token + 1 }
  return { outlet: outlet.state === 'bad' ? inState(held, 'unknown', now) : held, isMine: true, mayGoOn: true }
}

/** A probe that succeeds passes over what is too old: whoever counts the loss goes first. */
function isLookFirst({ state, alertAt }: Outlet, now: Instant): boolean {
  return state === 'bad' && alertAt !== null && alertAt <= now && now < alertAt + LOOK_FIRST_MS
}

function settle(outlet: Outlet, report: ActOf<'settle'>, at: Moment): Step {
  const { token, epoch, sent, end, isRelease } = report
  if (!outlet.isLeased || outlet.token !== token) return { outlet, isMine: false, mayGoOn: false }
  const isFresh = epoch === outlet.epoch
  const told = sent === null ? outlet : conclude(outlet, sent, { isFresh, isAsked: epoch < outlet.askedEpoch }, at)
  if (!told.isLeased) return { outlet: told, isMine: true, mayGoOn: false }
  if (flowOf(told) !== 'open') return { outlet: released(told, null), isMine: true, mayGoOn: false }
  if (isFresh && end !== null) return finishBatch(told, end, isRelease, at)
  return isRelease
    ? { outlet: released(told, at.now), isMine: true, mayGoOn: false }
    : { outlet: told, isMine: true, mayGoOn: true }
}

/** What a POST that has ended says of its event and of the endpoint. */
function conclude(
  outlet: Outlet,
  { no, outcome }: NonNullable<OutletReport['sent']>,
  { isFresh, isAsked }: { readonly isFresh: boolean; readonly isAsked: boolean },
  at: Moment,
): Outlet {
  if (outcome === 'failed') return isAsked ? outlet : broken(outlet, at)
  // What lies before it was passed over on the way, unless something has been put there since.
  const done = { ...outlet, ...advance(outlet, isFresh ? passed(outlet, no, at) : rangesOf([no])) }
  return outcome === 'delivered' && outlet.state === 'unknown' && !isAsked ? healthy(done, at) : done
}

function finishBatch(
  outlet: Outlet,
  { lookedTo, blockedForMs }: NonNullable<OutletReport['end']>,
  isRelease: boolean,
  at: Moment,
): Step {
  const looked = { ...outlet, ...advance(outlet, passed(outlet, lookedTo, at)) }
  const letGo = (dueAt: Instant | null, left = looked): Step => ({
    outlet: released(left, dueAt),
    isMine: true,
    mayGoOn: false,
  })
  if (blockedForMs !== null) return letGo(instant(at.now + blockedForMs))
  const isAtEnd = advance(outlet, span(outlet.cursor, lookedTo)).cursor >= at.lastNo
  if (isAtEnd) return letGo(null, looked.state === 'unknown' ? unproved(outlet, at) : looked)
  return isRelease ? letGo(at.now) : { outlet: looked, isMine: true, mayGoOn: true }
}

/** What is done with, up to a number. What was lost before the outlet ran again is not, until somebody has counted it. */
function passed({ cursor, parkedTo, state, alertAt }: Outlet, to: number, { now }: Moment): Ranges {
  const isUncounted = state === 'running' && alertAt !== null && now < alertAt + LOOK_FIRST_MS
  return span(isUncounted && to > parkedTo ? Math.max(cursor, parkedTo) : cursor, to)
}

function switched(outlet: Outlet, { to, hasBacklog }: ActOf<'switch'>, at: Moment): Step {
  const next = { ...outlet, ...to }
  const [before, after] = [flowOf(outlet), flowOf(next)]
  if (before === after) return kept(next)
  if (after === 'open') return kept(tryAgain(next, hasBacklog, at))
  return kept(raised({ ...parked(next, at), dueAt: null }))
}

/** With `after`: everything from there on once more, also what is gone. */
function replay(outlet: Outlet, { hasBacklog, after }: ActOf<'replay'>, at: Moment): Step {
  const rewound =
    after === null
      ? outlet
      : {
          ...outlet,
          cursor: Math.min(outlet.cursor, after),
          gone: subtract(outlet.gone, [[after + 1, END]]),
          replayTo: at.lastNo,
          parkedTo: Math.max(outlet.parkedTo, at.lastNo),
          // What is back may be older than anything that waited when its age was last looked at.
          alertAt: outlet.alertAt === null ? null : at.now,
        }
  if (flowOf(outlet) !== 'open' || outlet.state !== 'running') return kept(tryAgain(rewound, hasBacklog, at))
  return kept(raised({ ...rewound, dueAt: outlet.isLeased ? null : at.now }))
}

/** The endpoint may be well again: an outlet that has nothing to try it with is taken to run. */
function tryAgain(outlet: Outlet, hasBacklog: boolean, at: Moment): Outlet {
  if (flowOf(outlet) !== 'open') return raised(outlet)
  if (outlet.state === 'running' && !hasBacklog && outlet.parkedTo !== END) return asked(outlet)
  if (!hasBacklog) return asked({ ...unproved(outlet, at), dueAt: null })
  const unknown = outlet.state === 'unknown' ? outlet : inState(outlet, 'unknown', at.now)
  return asked({ ...parked(unknown, at), dueAt: outlet.isLeased ? null : at.now })
}

function broken(outlet: Outlet, at: Moment): Outlet {
  const bad = parked(inState(outlet, 'bad', at.now), at)
  return released(bad, flowOf(outlet) === 'open' ? instant(at.now + at.graceMs) : null)
}

function healthy(outlet: Outlet, { now, lastNo }: Moment): Outlet {
  const running = outlet.state === 'running' ? outlet : inState(outlet, 'running', now)
  if (flowOf(outlet) !== 'open') return running
  return { ...running, parkedTo: lastNo, alertAt: null, purgedAt: null }
}

/** Nothing is left to try it with. If that is so because it grew too old, somebody still has to count what was lost. */
function unproved(outlet: Outlet, at: Moment): Outlet {
  const { alertAt, purgedAt } = outlet
  return { ...healthy(outlet, at), alertAt: alertAt === null ? null : at.now, purgedAt }
}

/** What waits and what comes is backlog from now on. */
function parked(outlet: Outlet, { now }: Moment): Outlet {
  return outlet.parkedTo === END
    ? outlet
    : { ...outlet, parkedTo: END, alertAt: outlet.alertAt ?? instant(now + FIRST_LOOK_MS) }
}

function inState(outlet: Outlet, state: OutletState, since: Instant): Outlet {
  return { ...outlet, state, since }
}

function released(outlet: Outlet, dueAt: Instant | null): Outlet {
  return { ...outlet, isLeased: false, dueAt }
}

function unblocked(outlet: Outlet, now: Instant): Outlet {
  return isReady(outlet) && outlet.state !== 'bad' ? { ...outlet, dueAt: now } : outlet
}

function isReady(outlet: Outlet): boolean {
  return flowOf(outlet) === 'open' && !outlet.isLeased
}

function asked(outlet: Outlet): Outlet {
  return { ...outlet, epoch: outlet.epoch + 1, askedEpoch: outlet.epoch + 1 }
}

function raised(outlet: Outlet): Outlet {
  return { ...outlet, epoch: outlet.epoch + 1 }
}

function kept(outlet: Outlet): Step {
  return { outlet, isMine: true, mayGoOn: outlet.isLeased }
}
