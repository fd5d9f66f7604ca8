import { startLoop } from '@sealpost/process'
import { BUS_BACKOFF } from '../backoff.ts'
import type { CarriedMessage, Stoppable } from '../carrier/carrier.ts'
import type { BusContext } from '../context.ts'
import { carrierOfLink, type Link, type Party } from '../parties.ts'
import { inboxSeat, type Seats } from '../seats.ts'
import { readSession } from '../store/sessions.ts'
import { subjectOf } from '../subjects.ts'
import { type CarriedTell, decodeTell, encodeJson, type Notice, type Notices } from '../wire.ts'
import { type Applied, applyTells } from './apply.ts'
import type { TellHandlers } from './handlers.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** Takes the messages of one source off the carrier and applies them, in order per lane, lanes in parallel. */
export interface Receiver {
  /** Checks the seat now. */
  wake(): void
  close(): Promise<void>
}

const LANES_AT_ONCE = 6
/** In one transaction; more would hold its locks for long. */
const TELLS_AT_ONCE = 32
const MESSAGES_AT_ONCE = 512
const SEAT_POLL_MS = 500
/** A confirmation is a transaction of the sender, which does not wait for it: up to 64 rows of a lane are sent before. */
const NOTICE_EVERY_MS = 20

interface Arrival {
  readonly tell: CarriedTell
  readonly message: CarriedMessage
}

export function startReceiver(context: BusContext, handlers: TellHandlers, source: Party, seats: Seats): Receiver {
  const link = { source, target: context.self }
  const carrier = context.carrierAt(carrierOfLink(link))
  const teller = collectNotices(context, link)
  const counter = context.telemetry.counter('bus_tells_received', 'Tells that arrived, by outcome')
  let receiving: Stoppable | null = null

  const stopReceiving = (): void => {
    receiving?.stop()
    receiving = null
  }
  const queue = createKeyedQueue<Arrival>({
    keysAtOnce: LANES_AT_ONCE,
    itemsAtOnce: TELLS_AT_ONCE,
    async work(arrivals) {
      if (await isPaused(context)) {
        stopReceiving()
        for (const { message } of arrivals) message.giveBack()
        return
      }
      const tells = arrivals.map(({ tell }) => tell)
      const outcomes = await applyOrNull(context, handlers, source, tells)
      // Not acknowledged when the database is unreachable: the messages are redelivered.
      if (outcomes === null) return
      for (const { outcome } of outcomes) counter.add(1, { outcome, 'region.peer': source })
      teller.add(tells, outcomes)
      for (const { message } of arrivals) message.acknowledge()
    },
  })
  const take = (message: CarriedMessage): void => {
    const tell = decodeOrNull(context, message)
    if (tell === null) counter.add(1, { outcome: 'malformed', 'region.peer': source })
    else queue.add(laneOf(tell), { tell, message })
  }
  const announceReady = (): void => {
    if (receiving !== null) void sendReady(context, link).catch(() => {})
  }
  carrier.onReconnect(announceReady)
  const checkSeat = async (): Promise<void> => {
    const mayReceive = seats.isOurs(inboxSeat(source)) && !(await isPaused(context))
    if (mayReceive && receiving === null) {
      receiving = carrier.receive(link, MESSAGES_AT_ONCE, take)
      announceReady()
    }
    if (!mayReceive) stopReceiving()
  }
  const { log } = context.telemetry
  const name = `receiving from ${source}`
  const loop = startLoop({ name, log, everyMs: SEAT_POLL_MS, backoff: BUS_BACKOFF, work: checkSeat })
  return {
    wake: () => loop.wake(),
    async close() {
      await loop.close()
      stopReceiving()
      await queue.drained()
      teller.flush()
    },
  }
}

/** One session's tells at a time: their notices go to one incarnation of the source. */
function laneOf({ fromLife, toLife, incarnation, key }: CarriedTell): string {
  return [fromLife, toLife, incarnation, key].join(' ')
}

/** A process that cannot read the switches has no database, and without one nothing can be applied either. */
async function isPaused({ switches }: BusContext): Promise<boolean> {
  try {
    return await switches.isPaused()
  } catch {
    return true
  }
}

function decodeOrNull(context: BusContext, message: CarriedMessage): CarriedTell | null {
  try {
    return decodeTell(message.payload)
  } catch (error) {
    // The outbox of its sender still has the tell, and sends it again.
    context.telemetry.log.error({ error: String(error) }, 'a malformed message was discarded')
    message.acknowledge()
    return null
  }
}

async function applyOrNull(
  context: BusContext,
  handlers: TellHandlers,
  source: Party,
  tells: readonly CarriedTell[],
): Promise<readonly Applied[] | null> {
  try {
    return await applyTells(context, handlers, source, tells)
  } catch (error) {
    context.telemetry.log.warn(
      { source, error: String(error) },
      'the inbox cannot write; its tells will be redelivered',
    )
    return null
  }
}

interface NoticeTeller {
  /** The results of tells of one lane in one session. */
  add(tells: readonly CarriedTell[], outcomes: readonly Applied[]): void
  flush(): void
}

interface Collected {
  readonly lives: Pick<Notices, 'fromLife' | 'toLife'>
  readonly notices: Notice[]
}

/** Several notices in one message, and of several cursors of one lane only the last. */
function collectNotices(context: BusContext, link: Link): NoticeTeller {
  const collected = new Map<string, Collected>()
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    timer = null
    for (const { lives, notices } of collected.values()) say(context, link, { ...lives, notices })
    collected.clear()
  }
  return {
    add([tell], outcomes) {
      const words = outcomes.flatMap(({ notice }) => (notice === null ? [] : [notice]))
      const kept = words.filter((notice, n) => notice.outcome !== 'applied' || n === words.length - 1)
      if (tell === undefined || kept.length === 0) return
      const session = `${tell.fromLife} ${tell.toLife}`
      const lives = { fromLife: tell.toLife, toLife: tell.fromLife }
      const known: Collected = collected.get(session) ?? { lives, notices: [] }
      known.notices.push(...kept)
      collected.set(session, known)
      timer ??= setTimeout(flush, NOTICE_EVERY_MS)
    },
    flush,
  }
}

/** After a start or a reconnection the sender should not wait for notices that were lost. */
async function sendReady(context: BusContext, link: Link): Promise<void> {
  const session = await context.database.read((read) => readSession(read, link.source))
  if (session !== null)
    say(context, link, { fromLife: session.own, toLife: session.peer.incarnation, ready: true, notices: [] })
}

function say(context: BusContext, link: Link, notices: Notices): void {
  context.carrierAt(carrierOfLink(link)).publish(subjectOf('notice', link), encodeJson(notices))
}
