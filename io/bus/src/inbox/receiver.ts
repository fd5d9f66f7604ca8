import type { CarriedMessage, Stoppable } from '../carrier/carrier.ts'
import { type Loop, startLoop } from '../loop.ts'
import type { BusNeeds } from '../needs.ts'
import { carrierOfLink, type Link, type Party } from '../parties.ts'
import { inboxSeat, type Seats } from '../seats.ts'
import { readPeer, readSelf } from '../store/sessions.ts'
import { noticeSubject } from '../subjects.ts'
import { type CarriedTell, decodeTell, encodeJson, type Notice, type Notices } from '../wire.ts'
import { type Applied, applyTells } from './apply.ts'
import type { TellHandlers } from './handlers.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** Takes the messages of one source off the carrier and applies them, in order per lane, lanes in parallel. */
export interface Receiver {
  /** Looks at the seat now. */
  wake(): void
  stop(): Promise<void>
}

const LANES_AT_ONCE = 6
/** In one transaction; more would hold its locks for long. */
const TELLS_AT_ONCE = 32
const MESSAGES_AT_ONCE = 512
const SEAT_POLL_MS = 500
const NOTICE_EVERY_MS = 5

interface Arrival {
  readonly tell: CarriedTell
  readonly message: CarriedMessage
}

export function startReceiver(needs: BusNeeds, handlers: TellHandlers, source: Party, seats: Seats): Receiver {
  const link = { source, target: needs.self }
  const carrier = needs.carrierAt(carrierOfLink(link))
  const teller = collectNotices(needs, link)
  const counter = needs.telemetry.counter('bus_tells_received', 'Tells that arrived, by what became of them')
  let receiving: Stoppable | null = null

  const stopReceiving = (): void => {
    receiving?.stop()
    receiving = null
  }
  const queue = createKeyedQueue<Arrival>({
    keysAtOnce: LANES_AT_ONCE,
    itemsAtOnce: TELLS_AT_ONCE,
    async work(arrivals) {
      if (await isPaused(needs)) {
        stopReceiving()
        for (const { message } of arrivals) message.giveBack()
        return
      }
      const tells = arrivals.map(({ tell }) => tell)
      const outcomes = await applyOrNull(needs, handlers, source, tells)
      // Not acknowledged when the database is away: the messages come again.
      if (outcomes === null) return
      for (const { outcome } of outcomes) counter.add(1, { outcome, 'region.peer': source })
      teller.add(tells, outcomes)
      for (const { message } of arrivals) message.acknowledge()
    },
  })
  const take = (message: CarriedMessage): void => {
    const tell = decodeOrNull(needs, message)
    // One session's tells at a time: what is said about them goes to one life of the source.
    if (tell !== null) queue.add([tell.fromLife, tell.toLife, tell.incarnation, tell.key].join(' '), { tell, message })
  }
  const announceReady = (): void => {
    if (receiving !== null) void sendReady(needs, link).catch(() => {})
  }
  carrier.onReconnect(announceReady)
  const loop: Loop = startLoop(needs.telemetry.log, `receiving from ${source}`, async () => {
    const mayReceive = seats.isOurs(inboxSeat(source)) && !(await isPaused(needs))
    if (mayReceive && receiving === null) {
      receiving = carrier.receive(link, MESSAGES_AT_ONCE, take)
      announceReady()
    }
    if (!mayReceive) stopReceiving()
    return SEAT_POLL_MS
  })
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      stopReceiving()
      await queue.drained()
      teller.flush()
    },
  }
}

/** Who cannot say so has no database, and without one nothing can be applied either. */
async function isPaused({ switches }: BusNeeds): Promise<boolean> {
  try {
    return await switches.isPaused()
  } catch {
    return true
  }
}

function decodeOrNull(needs: BusNeeds, message: CarriedMessage): CarriedTell | null {
  try {
    return decodeTell(message.payload)
  } catch (error) {
    needs.telemetry.log.error({ error: String(error) }, 'a message that no bus has sent was thrown away')
    message.acknowledge()
    return null
  }
}

async function applyOrNull(
  needs: BusNeeds,
  handlers: TellHandlers,
  source: Party,
  tells: readonly CarriedTell[],
): Promise<readonly Applied[] | null> {
  try {
    return await applyTells(needs, handlers, source, tells)
  } catch (error) {
    needs.telemetry.log.warn({ source, error: String(error) }, 'the inbox cannot write; the tells will come again')
    return null
  }
}

interface NoticeTeller {
  /** What became of tells of one lane in one session. */
  add(tells: readonly CarriedTell[], outcomes: readonly Applied[]): void
  flush(): void
}

interface Collected {
  readonly lives: Pick<Notices, 'fromLife' | 'toLife'>
  readonly notices: Notice[]
}

/** Several words in one message, and of several cursors of one lane only the last. */
function collectNotices(needs: BusNeeds, link: Link): NoticeTeller {
  const collected = new Map<string, Collected>()
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    timer = null
    for (const { lives, notices } of collected.values()) say(needs, link, { ...lives, notices })
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

/** After a start or a lost connection the sender need not wait in vain for words that were lost. */
async function sendReady(needs: BusNeeds, link: Link): Promise<void> {
  const [self, peer] = await needs.database.read(async (read) => [
    await readSelf(read),
    await readPeer(read, link.source),
  ])
  if (self !== null && peer !== null)
    say(needs, link, { fromLife: self.incarnation, toLife: peer.incarnation, ready: true, notices: [] })
}

function say(needs: BusNeeds, link: Link, notices: Notices): void {
  needs.carrierAt(carrierOfLink(link)).publish(noticeSubject(link), encodeJson(notices))
}
