import { type Loop, startLoop } from '@sealpost/process'
import { BUS_BACKOFF } from '../backoff.ts'
import type { BusContext } from '../context.ts'
import { carrierOfLink, type Link, type Party } from '../parties.ts'
import { relaySeat, type Seats } from '../seats.ts'
import { reconcile } from '../session/exchange.ts'
import { isReconciled, type Lives } from '../session/rules.ts'
import { PeerUnreachable } from '../session/sync.ts'
import { readPendingLanes } from '../store/outbox.ts'
import { readSession } from '../store/sessions.ts'
import { subjectOf } from '../subjects.ts'
import { decodeNotices } from '../wire.ts'
import { hearNotices } from './confirmations.ts'
import { departRows } from './departures.ts'
import {
  board,
  createFlight,
  hasRoomForLanes,
  nextStretches,
  quietLanes,
  rewind,
  rewindAll,
  rowsUnderWay,
} from './flight.ts'
import type { RelayState } from './relay-state.ts'

/** Sends the outbox rows for one target, and repeats them until the target has applied them. */
export interface Relay {
  wake(): void
  close(): Promise<void>
}

/** Commits wake the relay; this finds tells whose wake-up was lost, and lanes that wait after a failure. */
const POLL_MS = 2000
const BUSY_POLL_MS = 100
const UNSETTLED_MS = 1000
const GREET_EVERY_MS = 10_000
const SCAN_LANES = 256
const LINK_QUIET_MS = 3000

export function startRelay(context: BusContext, target: Party, seats: Seats): Relay {
  const link = { source: context.self, target }
  const carrier = context.carrierAt(carrierOfLink(link))
  const state: RelayState = {
    link,
    flight: createFlight(),
    run: context.ids.uuid(),
    heard: [],
    stored: new Map(),
    lives: null,
    scannedKey: '',
    lastNoticeAtMs: 0,
    greetAtMs: 0,
    pausedUntilMs: 0,
    isRewindDue: false,
    wake: () => loop.wake(),
  }
  const loop: Loop = startLoop({
    name: `relaying to ${target}`,
    log: context.telemetry.log,
    everyMs: POLL_MS,
    backoff: BUS_BACKOFF,
    work: () => relayOnce(context, state, seats),
  })
  carrier.prepare(link)
  const listening = carrier.subscribe(subjectOf('notice', link), (payload) => {
    state.heard.push(decodeNotices(payload))
    loop.wake()
  })
  carrier.onReconnect(() => {
    state.isRewindDue = true
    loop.wake()
  })
  return {
    wake: () => loop.wake(),
    close() {
      listening.stop()
      return loop.close()
    },
  }
}

/** Returns how long to wait. */
async function relayOnce(context: BusContext, state: RelayState, seats: Seats): Promise<number> {
  const { link, flight } = state
  if (!seats.isOurs(relaySeat(link.target))) {
    flight.lanes.clear()
    state.heard.length = 0
    return POLL_MS
  }
  const lives = await currentLives(context, state)
  // Confirmations of another session do not count, and the exchange may have moved lanes backwards.
  if (lives?.own !== state.lives?.own || lives?.peer !== state.lives?.peer) flight.lanes.clear()
  state.lives = lives
  if (lives === null) return UNSETTLED_MS
  await hearNotices(context, state, lives)
  if (state.isRewindDue) {
    state.isRewindDue = false
    rewindAll(flight, performance.now())
  }
  if (performance.now() < state.pausedUntilMs) return BUSY_POLL_MS
  await boardLanes(context, state)
  const sent = await departRows(context, state, lives)
  await resendQuiet(context, state)
  // Later commits and confirmations wake the relay.
  const hasMore = state.scannedKey !== '' || nextStretches(flight).length > 0
  if (sent > 0 && hasMore) return 0
  return rowsUnderWay(flight) > 0 ? BUSY_POLL_MS : POLL_MS
}

/** The session to send in; null while there is none. An established one survives an unreachable peer. */
async function currentLives(context: BusContext, state: RelayState): Promise<Lives | null> {
  const peer = state.link.target
  const session = await context.database.read((read) => readSession(read, peer))
  if (session === null) return reconcileOrWait(context, peer)
  const isGreetingDue = performance.now() > state.greetAtMs
  if (session.peer.held !== null) return isGreetingDue ? greet(context, state) : null
  if (!isReconciled(session.peer, session.own)) return reconcileOrWait(context, peer)
  if (isGreetingDue) void greet(context, state).catch(() => {})
  return { own: session.own, peer: session.peer.incarnation }
}

function greet(context: BusContext, state: RelayState): Promise<Lives | null> {
  state.greetAtMs = performance.now() + GREET_EVERY_MS
  return reconcileOrWait(context, state.link.target)
}

async function reconcileOrWait(context: BusContext, peer: Party): Promise<Lives | null> {
  try {
    return await reconcile(context, peer)
  } catch (error) {
    if (error instanceof PeerUnreachable) return null
    throw error
  }
}

async function boardLanes(context: BusContext, state: RelayState): Promise<void> {
  if (!hasRoomForLanes(state.flight)) return
  const { target } = state.link
  const lanes = await context.database.read((read) =>
    readPendingLanes(read, target, state.scannedKey, context.clock.now(), SCAN_LANES),
  )
  const nowMs = performance.now()
  for (const lane of lanes) board(state.flight, lane, nowMs)
  state.scannedKey = lanes.length < SCAN_LANES ? '' : (lanes.at(-1)?.key ?? '')
}

/**
 * Silence has two reasons. The target has not taken our messages yet: they wait at the carrier, and sending them again
 * would only add copies. Or they, or their notices, were lost: then one row of the lane is sent again.
 */
async function resendQuiet(context: BusContext, state: RelayState): Promise<void> {
  const nowMs = performance.now()
  const quiet = quietLanes(state.flight, nowMs)
  if (quiet.length === 0) return
  const isTargetQuiet = nowMs - state.lastNoticeAtMs > LINK_QUIET_MS
  if (isTargetQuiet && (await waitsAtCarrier(context, state.link))) {
    for (const lane of quiet) lane.movedAtMs = nowMs
    return
  }
  for (const lane of quiet) rewind(state.flight, lane, nowMs, 1)
  state.wake()
}

async function waitsAtCarrier(context: BusContext, link: Link): Promise<boolean> {
  const carrier = context.carrierAt(carrierOfLink(link))
  // While NATS is unreachable they wait in this process, and a reconnection sends everything again anyway.
  return !carrier.isConnected() || (await carrier.unacknowledged(link).catch(() => 0)) > 0
}
