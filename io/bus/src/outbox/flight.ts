import type { LaneStretch, PendingLane } from '../store/outbox.ts'

/** One lane with rows in flight. Nothing here is needed after a crash: it is rebuilt from the tables. */
export interface LaneFlight {
  readonly key: string
  readonly incarnation: number
  confirmedSeq: number
  sentSeq: number
  lastSeq: number
  /** See `PendingLane`. */
  hasFailed: boolean
  /** Unique among the attempts of this process; a new one with every rewind. */
  attempt: number
  /** Rewinds since the last confirmation. */
  rewinds: number
  /** How many rows may be unconfirmed: one after a silence, doubling with every confirmation. */
  window: number
  /** Rows sent since the lane was added; above the quota other lanes get the place. */
  sentThisTurn: number
  movedAtMs: number
}

/** The lanes of one link with rows in flight; bounded, so that a large lane and a large backlog both leave room. */
export interface Flight {
  readonly limits: FlightLimits
  readonly lanes: Map<string, LaneFlight>
  attempts: number
}

export interface FlightLimits {
  readonly lanes: number
  readonly rows: number
  readonly rowsPerLane: number
  readonly rowsPerTurn: number
}

const LIMITS: FlightLimits = { lanes: 512, rows: 1024, rowsPerLane: 64, rowsPerTurn: 512 }

export function createFlight(limits: FlightLimits = LIMITS): Flight {
  return { limits, lanes: new Map(), attempts: 0 }
}

export function hasRoomForLanes({ lanes, limits }: Flight): boolean {
  return lanes.size < limits.lanes
}

export function board(flight: Flight, lane: PendingLane, nowMs: number): void {
  const known = findLane(flight, lane)
  if (known !== null) {
    known.lastSeq = Math.max(known.lastSeq, lane.lastSeq)
    return
  }
  if (!hasRoomForLanes(flight)) return
  flight.lanes.set(nameOf(lane), {
    ...lane,
    sentSeq: lane.confirmedSeq,
    attempt: nextAttempt(flight),
    rewinds: 0,
    window: flight.limits.rowsPerLane,
    sentThisTurn: 0,
    movedAtMs: nowMs,
  })
}

/** The rows that may be sent now: an equal share first for the lanes that have waited longest. */
export function nextStretches(flight: Flight): readonly LaneStretch[] {
  const { limits, lanes } = flight
  const waiting = [...lanes.values()].filter((lane) => roomOf(lane, limits) > 0)
  let left = limits.rows - rowsUnderWay(flight)
  const share = Math.max(1, Math.floor(left / Math.max(1, waiting.length)))
  const stretches: LaneStretch[] = []
  for (const lane of waiting) {
    const room = Math.min(roomOf(lane, limits), share, left)
    if (room <= 0) break
    left -= room
    stretches.push({ key: lane.key, incarnation: lane.incarnation, afterSeq: lane.sentSeq, room })
  }
  return stretches
}

export function rowsUnderWay({ lanes }: Flight): number {
  let rows = 0
  for (const lane of lanes.values()) rows += lane.sentSeq - lane.confirmedSeq
  return rows
}

/** False when the row is not the next one of its lane: the lane was rewound meanwhile. */
export function depart(lane: LaneFlight, seq: number): boolean {
  if (seq !== lane.sentSeq + 1) return false
  lane.sentSeq = seq
  lane.sentThisTurn += 1
  return true
}

/** Advances the lane; it is removed when it has no row in flight and none left to send within its quota. */
export function arrive(flight: Flight, lane: LaneFlight, appliedSeq: number, nowMs: number): void {
  if (appliedSeq > lane.confirmedSeq) {
    lane.confirmedSeq = appliedSeq
    lane.sentSeq = Math.max(lane.sentSeq, appliedSeq)
    lane.window = Math.min(flight.limits.rowsPerLane, lane.window * 2)
    lane.rewinds = 0
    lane.hasFailed = false
    lane.movedAtMs = nowMs
  }
  const isIdle = lane.sentSeq <= lane.confirmedSeq
  const isDone = lane.sentSeq >= lane.lastSeq || lane.sentThisTurn >= flight.limits.rowsPerTurn
  if (isIdle && isDone) leave(flight, lane)
}

/** Sends again from the confirmed row on. */
export function rewind(flight: Flight, lane: LaneFlight, nowMs: number, window = flight.limits.rowsPerLane): void {
  lane.sentSeq = lane.confirmedSeq
  lane.attempt = nextAttempt(flight)
  lane.rewinds += 1
  lane.window = window
  lane.movedAtMs = nowMs
}

export function rewindAll(flight: Flight, nowMs: number): void {
  for (const lane of flight.lanes.values()) rewind(flight, lane, nowMs)
}

const QUIET_MS = 4000
const LONGEST_QUIET_MS = 60_000

/** Lanes with rows in flight and no notice for long; longer with every rewind. */
export function quietLanes({ lanes }: Flight, nowMs: number): readonly LaneFlight[] {
  return [...lanes.values()].filter((lane) => {
    const patienceMs = Math.min(LONGEST_QUIET_MS, QUIET_MS * 2 ** Math.min(lane.rewinds, 10))
    return lane.sentSeq > lane.confirmedSeq && nowMs - lane.movedAtMs > patienceMs
  })
}

export function leave({ lanes }: Flight, lane: LaneName): void {
  lanes.delete(nameOf(lane))
}

export interface LaneName {
  readonly key: string
  readonly incarnation: number
}

export function findLane({ lanes }: Flight, lane: LaneName): LaneFlight | null {
  return lanes.get(nameOf(lane)) ?? null
}

function nextAttempt(flight: Flight): number {
  flight.attempts += 1
  return flight.attempts
}

function nameOf({ key, incarnation }: LaneName): string {
  return `${incarnation} ${key}`
}

function roomOf(lane: LaneFlight, { rowsPerLane, rowsPerTurn }: FlightLimits): number {
  const window = Math.min(lane.window, rowsPerLane) - (lane.sentSeq - lane.confirmedSeq)
  return Math.min(window, lane.lastSeq - lane.sentSeq, rowsPerTurn - lane.sentThisTurn)
}
