import { type Loop, startLoop } from '../loop.ts'
import type { BusNeeds } from '../needs.ts'
import { carrierOfLink, type Link, type Party } from '../parties.ts'
import { relaySeat, type Seats } from '../seats.ts'
import { settle } from '../session/exchange.ts'
import { isSettled, type Lives } from '../session/rules.ts'
import { PeerUnreachable } from '../session/sync.ts'
import { readPendingLanes } from '../store/outbox.ts'
import { readPeer, readSelf } from '../store/sessions.ts'
import { noticeSubject } from '../subjects.ts'
import { decodeNotices } from '../wire.ts'
import { hearNotices } from './confirmations.ts'
import { departRows } from './departures.ts'
import { board, createFlight, hasRoomForLanes, quietLanes, rewind, rewindAll, rowsUnderWay } from './flight.ts'
import type { RelayState } from './relay-state.ts'

/** Brings the outbox rows for one target onto the carrier, and keeps sending them until the target has applied them. */
export interface Relay {
  wake(): void
  stop(): Promise<void>
}

const POLL_MS = 1000
const BUSY_POLL_MS = 100
const UNSETTLED_MS = 1000
const GREET_EVERY_MS = 10_000
const SCAN_LANES = 256
const LINK_QUIET_MS = 3000

export function startRelay(needs: BusNeeds, target: Party, seats: Seats): Relay {
  const link = { source: needs.self, target }
  const carrier = needs.carrierAt(carrierOfLink(link))
  const state: RelayState = {
    link,
    flight: createFlight(),
    run: needs.ids.uuid(),
    heard: [],
    lives: null,
    scannedKey: '',
    lastNoticeAtMs: 0,
    greetAtMs: 0,
    pausedUntilMs: 0,
    isRewindDue: false,
    wake: () => loop.wake(),
  }
  const loop: Loop = startLoop(needs.telemetry.log, `relaying to ${target}`, () => runRound(needs, state, seats))
  const listening = carrier.subscribe(noticeSubject(link), (payload) => {
    state.heard.push(decodeNotices(payload))
    loop.wake()
  })
  carrier.onReconnect(() => {
    state.isRewindDue = true
    loop.wake()
  })
  return {
    wake: () => loop.wake(),
    stop() {
      listening.stop()
      return loop.stop()
    },
  }
}

async function runRound(needs: BusNeeds, state: RelayState, seats: Seats): Promise<number> {
  const { link, flight } = state
  if (!seats.isOurs(relaySeat(link.target))) {
    flight.lanes.clear()
    state.heard.length = 0
    return POLL_MS
  }
  const lives = await currentLives(needs, state)
  // What was sent in another session counts for nothing, and the exchange may have moved lanes backwards.
  if (lives?.own !== state.lives?.own || lives?.peer !== state.lives?.peer) flight.lanes.clear()
  state.lives = lives
  if (lives === null) return UNSETTLED_MS
  await hearNotices(needs, state, lives)
  if (state.isRewindDue) {
    state.isRewindDue = false
    rewindAll(flight, performance.now())
  }
  if (performance.now() < state.pausedUntilMs) return BUSY_POLL_MS
  await boardLanes(needs, state)
  const sent = await departRows(needs, state, lives)
  await resendQuiet(needs, state)
  if (sent > 0) return 0
  return rowsUnderWay(flight) > 0 ? BUSY_POLL_MS : POLL_MS
}

/** The session to send in; null while there is none. An established one survives the peer being away. */
async function currentLives(needs: BusNeeds, state: RelayState): Promise<Lives | null> {
  const peer = state.link.target
  const { self, known } = await needs.database.read(async (read) => ({
    self: await readSelf(read),
    known: await readPeer(read, peer),
  }))
  if (self === null || known === null) return settleOrWait(needs, peer)
  const isGreetingDue = performance.now() > state.greetAtMs
  if (known.held !== null) return isGreetingDue ? greet(needs, state) : null
  if (!isSettled(known, self.incarnation)) return settleOrWait(needs, peer)
  if (isGreetingDue) void greet(needs, state).catch(() => {})
  return { own: self.incarnation, peer: known.incarnation }
}

function greet(needs: BusNeeds, state: RelayState): Promise<Lives | null> {
  state.greetAtMs = performance.now() + GREET_EVERY_MS
  return settleOrWait(needs, state.link.target)
}

async function settleOrWait(needs: BusNeeds, peer: Party): Promise<Lives | null> {
  try {
    return await settle(needs, peer)
  } catch (error) {
    if (error instanceof PeerUnreachable) return null
    throw error
  }
}

async function boardLanes(needs: BusNeeds, state: RelayState): Promise<void> {
  if (!hasRoomForLanes(state.flight)) return
  const { target } = state.link
  const lanes = await needs.database.read((read) =>
    readPendingLanes(read, target, state.scannedKey, needs.clock.now(), SCAN_LANES),
  )
  const nowMs = performance.now()
  for (const lane of lanes) board(state.flight, lane, nowMs)
  state.scannedKey = lanes.length < SCAN_LANES ? '' : (lanes.at(-1)?.key ?? '')
}

/**
 * Silence has two reasons. The target has not taken our messages yet: they wait at the carrier, and sending them again
 * would only pile them up. Or they, or the notices about them, were lost: then one row of the lane goes again.
 */
async function resendQuiet(needs: BusNeeds, state: RelayState): Promise<void> {
  const nowMs = performance.now()
  const quiet = quietLanes(state.flight, nowMs)
  if (quiet.length === 0) return
  const isTargetQuiet = nowMs - state.lastNoticeAtMs > LINK_QUIET_MS
  if (isTargetQuiet && (await waitsAtCarrier(needs, state.link))) {
    for (const lane of quiet) lane.movedAtMs = nowMs
    return
  }
  for (const lane of quiet) rewind(state.flight, lane, nowMs, 1)
  state.wake()
}

async function waitsAtCarrier(needs: BusNeeds, link: Link): Promise<boolean> {
  const carrier = needs.carrierAt(carrierOfLink(link))
  // Out of reach they wait in this process, and coming back sends everything again anyway.
  return !carrier.isConnected() || (await carrier.unacknowledged(link).catch(() => 0)) > 0
}
