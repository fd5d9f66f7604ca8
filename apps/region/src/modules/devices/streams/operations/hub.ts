import type { EventStream, StreamWatch } from '@sealpost/http'
import type { UserId } from '@sealpost/kernel'
import { type Loop, startLoop } from '@sealpost/process'
import type { AccessNews, AccessWatch, Closable } from '../../../../platform/module.ts'
import type { StoredHint } from '../../model.ts'
import { readPayload } from '../../operations/wake.ts'
import { HINT_CHANNEL } from '../../store/hints.ts'
import type { HubContext } from '../context.ts'
import type { OpenStream } from '../model.ts'
import { farewellFrame, HEARTBEAT, openingFrame } from '../rules/frames.ts'
import type { Start } from '../rules/resume.ts'
import { deliverTold, deliverWanted, type Wanted } from './deliver.ts'
import { createRegister, type Register } from './register.ts'

/** The streams of one process. */
export interface Hub {
  count(): number
  isDraining(): boolean
  /** Ends the account's oldest stream when it has too many: the newest one certainly has a reader. */
  open(
    named: Pick<OpenStream, 'accountId' | 'sessionId' | 'endsAt' | 'life'>,
    start: Start,
    wire: EventStream,
  ): StreamWatch
  /** Written at once to the streams that have all hints before these; for the others they are read. */
  wake(accountId: UserId, hints: readonly StoredHint[]): void
  /** Ends all streams, whose readers go to another process, and opens no more. */
  drain(): void
  close(): Promise<void>
}

const TICK_MS = 1000
const HEARTBEAT_MS = 20_000
/** A wake-up can be lost: each account is looked at this often without one. */
const RECHECK_MS = 10_000
/** Readers who lose their server come back over this time. */
const SPREAD_MS = 5000
/** A reader whose place another device took waits this long, so that two devices do not take turns. */
const CROWDED_MS = 60_000
const GOLDEN = 0.618

export function openHub(context: HubContext): Hub {
  const { access, settings, telemetry } = context
  const streams = createRegister()
  const wanted: Wanted = { woken: new Set(), due: new Set() }
  const engine = openEngine(context, streams, wanted)
  let draining = false
  let phase = 0
  telemetry.gauge('hint_streams', 'Open streams of hints', () => streams.count())
  access.onNews((news) => endRevoked(access, streams, news))

  function want(accountId: UserId): void {
    wanted.woken.add(accountId)
    engine.wake()
  }

  return {
    count: () => streams.count(),
    isDraining: () => draining,
    wake(accountId, hints) {
      if (streams.ofAccount(accountId).length === 0) return
      const again = (): void => want(accountId)
      void deliverTold(context, streams, hints, (stream) => end(streams, stream, 0)).then(
        (isComplete) => (isComplete ? undefined : again()),
        again,
      )
    },
    open(named, start, wire) {
      engine.begin()
      const [oldest, ...others] = streams.ofAccount(named.accountId)
      if (oldest !== undefined && others.length + 1 >= settings.STREAMS_ACCOUNT) end(streams, oldest, CROWDED_MS)
      phase = (phase + GOLDEN) % 1
      const stream = { ...named, wire, position: start.seq, isBehind: false, ...timesAt(context.monotonicMs(), phase) }
      streams.add(stream)
      stream.isBehind = !wire.write(openingFrame({ life: named.life, seq: start.seq }, start.isMissingHints))
      // The position was read before: there may be newer hints, and the session may have ended.
      want(named.accountId)
      return {
        onDrain() {
          stream.isBehind = false
          want(named.accountId)
        },
        onClosed: () => void streams.remove(stream),
      }
    },
    drain() {
      draining = true
      endAll(context, streams)
    },
    close: () => engine.close(),
  }
}

/**
 * Streams that were opened together, after a restart, would all be due in the same tick, and a hint would wait for ten
 * thousand heartbeats: the first turns of each are earlier by its phase.
 */
function timesAt(nowMs: number, phase: number): Pick<OpenStream, 'wroteAtMs' | 'dueAtMs'> {
  return { wroteAtMs: nowMs - phase * HEARTBEAT_MS, dueAtMs: nowMs + (1 - phase) * RECHECK_MS }
}

interface Engine {
  /** With the first stream: a process without one neither listens nor polls. */
  begin(): void
  wake(): void
  close(): Promise<void>
}

/** The loop that sends hints, and the listener that wakes it. */
function openEngine(context: HubContext, streams: Register, wanted: Wanted): Engine {
  let tickedAtMs = 0
  let listener: Promise<Closable | null> | null = null
  let loop: Loop | null = null

  async function work(): Promise<void> {
    // Not with every wake-up: it looks at all streams. Half, because the loop may be a little early.
    if (context.monotonicMs() - tickedAtMs >= TICK_MS / 2) {
      tickedAtMs = context.monotonicMs()
      tick(context, streams, wanted.due)
    }
    await deliverWanted(context, streams, wanted, (stream) => end(streams, stream, 0))
  }
  function wakeNamed(payload: string | null): void {
    const accounts =
      payload === null ? [...streams.accounts()] : namedAccounts(streams, readPayload(payload, context.processId))
    for (const accountId of accounts) wanted.woken.add(accountId)
    if (accounts.length > 0) loop?.wake()
  }
  async function listen(): Promise<Closable | null> {
    try {
      return await context.onNotify(HINT_CHANNEL, wakeNamed)
    } catch (error) {
      context.log.warn({ err: error }, 'hints of other processes arrive by polls until the next stream: LISTEN failed')
      listener = null
      return null
    }
  }
  return {
    begin() {
      loop ??= startLoop({ name: 'sending hints', log: context.log, everyMs: TICK_MS, work })
      listener ??= listen()
    },
    wake: () => loop?.wake(),
    async close() {
      await loop?.close()
      await (await listener)?.close()
    },
  }
}

function end(streams: Register, stream: OpenStream, retryMs: number): void {
  if (streams.remove(stream)) stream.wire.end(farewellFrame(retryMs))
}

function endAll({ random }: HubContext, streams: Register): void {
  const [low = 0, high = 0] = random.bytes(2)
  let share = (low + 256 * high) / 65_536
  for (const stream of streams.all()) {
    end(streams, stream, Math.floor(share * SPREAD_MS))
    // Steps of the golden ratio are spread evenly, whatever their number.
    share = (share + GOLDEN) % 1
  }
}

function namedAccounts(streams: Register, ids: readonly string[]): readonly UserId[] {
  return ids.flatMap((id) =>
    streams
      .ofAccount(id)
      .slice(0, 1)
      .map(({ accountId }) => accountId),
  )
}

/** Ends streams whose token has expired, keeps the others alive, and looks for hints whose wake-up was lost. */
function tick({ clock, monotonicMs }: HubContext, streams: Register, due: Set<UserId>): void {
  const [now, nowMs] = [clock.now(), monotonicMs()]
  for (const stream of streams.all()) {
    if (stream.endsAt <= now) end(streams, stream, 0)
    else if (!stream.isBehind && nowMs - stream.wroteAtMs >= HEARTBEAT_MS) {
      stream.wroteAtMs = nowMs
      stream.isBehind = !stream.wire.write(HEARTBEAT)
    }
    if (nowMs >= stream.dueAtMs) {
      stream.dueAtMs = nowMs + RECHECK_MS
      due.add(stream.accountId)
    }
  }
}

function endRevoked(access: AccessWatch, streams: Register, { subjects, revokedSessions, switches }: AccessNews): void {
  if (switches.outOfOrder) for (const stream of streams.all()) end(streams, stream, 0)
  for (const { sessionId } of revokedSessions)
    for (const stream of streams.ofSession(sessionId)) end(streams, stream, 0)
  for (const subject of subjects) {
    const [known] = streams.ofAccount(subject)
    if (known !== undefined) void endIfGone(access, streams, known.accountId)
  }
}

async function endIfGone(access: AccessWatch, streams: Register, accountId: UserId): Promise<void> {
  // A failed look-up ends nothing: a hint is delivered only after the same check.
  const account = await Promise.resolve(access.findAccount(accountId)).catch(() => 'unknown')
  if (account === null) for (const stream of streams.ofAccount(accountId)) end(streams, stream, 0)
}
