import type { EventStream, StreamWatch } from '@sealpost/http'
import type { UserId } from '@sealpost/kernel'
import { type Loop, startLoop } from '@sealpost/process'
import type { AccessNews, AccessWatch, Closable, Platform } from '../../../../platform/module.ts'
import { HINT_CHANNEL } from '../../store/hints.ts'
import type { OpenStream } from '../model.ts'
import { farewellFrame, HEARTBEAT, openingFrame } from '../rules/frames.ts'
import type { Start } from '../rules/resume.ts'
import { deliverWanted } from './deliver.ts'
import { createRegister, type Register } from './register.ts'

export type HubContext = Pick<
  Platform,
  'database' | 'clock' | 'random' | 'log' | 'telemetry' | 'monotonicMs' | 'onNotify' | 'settings'
> & { readonly access: AccessWatch }

/** The streams of one process. */
export interface Hub {
  count(): number
  isDraining(): boolean
  /** Ends the account's oldest stream when it has too many: the newest one certainly has a reader. */
  open(named: Pick<OpenStream, 'accountId' | 'sessionId' | 'endsAt' | 'life'>, start: Start, wire: EventStream): StreamWatch
  wake(accountId: UserId): void
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

export function openHub(context: HubContext): Hub {
  const { monotonicMs, settings, telemetry } = context
  const streams = createRegister()
  const wanted = new Set<UserId>()
  let draining = false
  let listener: Promise<Closable> | null = null
  let loop: Loop | null = null
  telemetry.gauge('hint_streams', 'Open streams of hints', () => streams.count())

  function end(stream: OpenStream, retryMs: number): void {
    if (streams.remove(stream)) stream.wire.end(farewellFrame(retryMs))
  }
  function want(accountId: UserId): void {
    wanted.add(accountId)
    loop?.wake()
  }
  function wakeNamed(payload: string | null): void {
    const accounts = payload === null ? [...streams.accounts()] : namedAccounts(streams, payload)
    for (const accountId of accounts) wanted.add(accountId)
    if (accounts.length > 0) loop?.wake()
  }
  async function work(): Promise<void> {
    tick(context, streams, wanted, (stream) => end(stream, 0))
    await deliverWanted(context, streams, wanted, (stream) => end(stream, 0))
  }
  function begin(): void {
    loop ??= startLoop({ name: 'sending hints', log: context.log, everyMs: TICK_MS, work })
    listener ??= context.onNotify(HINT_CHANNEL, wakeNamed)
    listener.catch((error: unknown) => {
      listener = null
      context.log.warn({ err: error }, 'hints of other processes arrive by polls: LISTEN failed')
    })
  }
  context.access.onNews((news) => endRevoked(context.access, streams, news, (stream) => end(stream, 0)))

  return {
    count: () => streams.count(),
    isDraining: () => draining,
    wake(accountId) {
      if (streams.ofAccount(accountId).length > 0) want(accountId)
    },
    open(named, start, wire) {
      begin()
      const [oldest, ...others] = streams.ofAccount(named.accountId)
      if (oldest !== undefined && others.length + 1 >= settings.STREAMS_ACCOUNT) end(oldest, CROWDED_MS)
      const now = monotonicMs()
      const stream = { ...named, wire, position: start.seq, isBehind: false, wroteAtMs: now, checkedAtMs: now }
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
      const [low = 0, high = 0] = context.random.bytes(2)
      let share = (low + 256 * high) / 65_536
      for (const stream of [...streams.all()]) {
        end(stream, Math.floor(share * SPREAD_MS))
        // Steps of the golden ratio are spread evenly, whatever their number.
        share = (share + 0.618) % 1
      }
    },
    async close() {
      await loop?.close()
      await (await listener?.catch(() => null))?.close()
    },
  }
}

function namedAccounts(streams: Register, payload: string): readonly UserId[] {
  return payload.split(',').flatMap((id) => streams.ofAccount(id).slice(0, 1).map(({ accountId }) => accountId))
}

/** Ends streams whose token has expired, keeps the others alive, and looks for hints whose wake-up was lost. */
function tick(
  { clock, monotonicMs }: HubContext,
  streams: Register,
  wanted: Set<UserId>,
  end: (stream: OpenStream) => void,
): void {
  const [now, nowMs] = [clock.now(), monotonicMs()]
  for (const stream of [...streams.all()]) {
    if (stream.endsAt <= now) end(stream)
    else if (!stream.isBehind && nowMs - stream.wroteAtMs >= HEARTBEAT_MS) {
      stream.wroteAtMs = nowMs
      stream.isBehind = !stream.wire.write(HEARTBEAT)
    }
    if (nowMs - stream.checkedAtMs >= RECHECK_MS) wanted.add(stream.accountId)
  }
}

function endRevoked(
  access: AccessWatch,
  streams: Register,
  { subjects, revokedSessions, switches }: AccessNews,
  end: (stream: OpenStream) => void,
): void {
  if (switches.outOfOrder) for (const stream of [...streams.all()]) end(stream)
  for (const { sessionId } of revokedSessions) for (const stream of streams.ofSession(sessionId)) end(stream)
  for (const subject of subjects) {
    const [known] = streams.ofAccount(subject)
    if (known !== undefined) void endIfGone(access, streams, known.accountId, end)
  }
}

async function endIfGone(
  access: AccessWatch,
  streams: Register,
  accountId: UserId,
  end: (stream: OpenStream) => void,
): Promise<void> {
  // A failed look-up ends nothing: a hint is delivered only after the same check.
  const account = await Promise.resolve(access.findAccount(accountId)).catch(() => 'unknown')
  if (account === null) for (const stream of streams.ofAccount(accountId)) end(stream)
}
