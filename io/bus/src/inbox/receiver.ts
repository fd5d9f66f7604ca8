import type { CarriedMessage, Stoppable } from '../carrier/carrier.ts'
import { type Loop, startLoop } from '../loop.ts'
import type { BusNeeds } from '../needs.ts'
import { carrierOfLink, type Link, type Party } from '../parties.ts'
import { inboxSeat, type Seats } from '../seats.ts'
import { readPeer, readSelf } from '../store/sessions.ts'
import { noticeSubject } from '../subjects.ts'
import { type CarriedTell, decodeTell, encodeJson, type Notice, type Notices } from '../wire.ts'
import { applyTell, type Applied } from './apply.ts'
import type { TellHandlers } from './handlers.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** Takes the messages of one source off the carrier and applies them, in order per lane, lanes in parallel. */
export interface Receiver {
  /** Looks at the seat now. */
  wake(): void
  stop(): Promise<void>
}

const LANES_AT_ONCE = 6
const MESSAGES_AT_ONCE = 512
const SEAT_POLL_MS = 500
const NOTICE_EVERY_MS = 5

export function startReceiver(needs: BusNeeds, handlers: TellHandlers, source: Party, seats: Seats): Receiver {
  const link = { source, target: needs.self }
  const carrier = needs.carrierAt(carrierOfLink(link))
  const queue = createKeyedQueue(LANES_AT_ONCE)
  const teller = collectNotices(needs, link)
  const counter = needs.telemetry.counter('bus_tells_received', 'Tells that arrived, by what became of them')
  let receiving: Stoppable | null = null

  const take = (message: CarriedMessage): void => {
    const tell = decodeOrNull(needs, message)
    if (tell === null) return
    queue.add(`${tell.incarnation} ${tell.key}`, async () => {
      const applied = await applyOrNull(needs, handlers, source, tell)
      // Not acknowledged when the database is away: the message comes again.
      if (applied === null) return
      counter.add(1, { outcome: applied.outcome, 'region.peer': source })
      if (applied.notice !== null) teller.add(tell, applied.notice)
      message.acknowledge()
    })
  }
  const announceReady = (): void => {
    if (receiving !== null) void sendReady(needs, link).catch(() => {})
  }
  carrier.onReconnect(announceReady)
  const loop: Loop = startLoop(needs.telemetry.log, `receiving from ${source}`, () => {
    const isOurs = seats.isOurs(inboxSeat(source))
    if (isOurs && receiving === null) {
      receiving = carrier.receive(link, MESSAGES_AT_ONCE, take)
      announceReady()
    }
    if (!isOurs && receiving !== null) {
      receiving.stop()
      receiving = null
    }
    return Promise.resolve(SEAT_POLL_MS)
  })
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      receiving?.stop()
      receiving = null
      await queue.drained()
      teller.flush()
    },
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
  tell: CarriedTell,
): Promise<Applied | null> {
  const attributes = { 'bus.kind': tell.kind, 'region.peer': source }
  const apply = (): Promise<Applied> => applyTell(needs, handlers, source, tell)
  try {
    return await needs.telemetry.trace('bus tell', attributes, apply, tell.traceparent)
  } catch (error) {
    needs.telemetry.log.warn({ source, error: String(error) }, 'the inbox cannot write; the tell will come again')
    return null
  }
}

interface NoticeTeller {
  add(tell: CarriedTell, notice: Notice): void
  flush(): void
}

/** Several words in one message: at full speed there is one per applied tell. */
function collectNotices(needs: BusNeeds, link: Link): NoticeTeller {
  let collected: { readonly tell: CarriedTell; readonly notice: Notice }[] = []
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    timer = null
    const bySession = Map.groupBy(collected, ({ tell }) => `${tell.fromLife} ${tell.toLife}`)
    collected = []
    for (const group of bySession.values()) {
      const [{ tell } = { tell: null }] = group
      if (tell === null) continue
      const notices = group.map(({ notice }) => notice)
      say(needs, link, { fromLife: tell.toLife, toLife: tell.fromLife, notices })
    }
  }
  return {
    add(tell, notice) {
      collected.push({ tell, notice })
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
