import { type Loop, startLoop } from '@sealpost/process'
import { BUS_BACKOFF } from './backoff.ts'
import type { Serving, Stoppable } from './carrier/carrier.ts'
import type { BusContext } from './context.ts'
import type { LossHandler } from './contracts.ts'
import { registerGauges } from './gauges.ts'
import type { TellHandlers } from './inbox/handlers.ts'
import { startReceiver } from './inbox/receiver.ts'
import { startRelay } from './outbox/relay.ts'
import type { Waker } from './outbox/waker.ts'
import { carrierOfAsk, carrierOfLink, DIRECTORY, FORWARDER, type Party } from './parties.ts'
import { inboxSeat, relaySeat, openSeats } from './seats.ts'
import { answerPeer } from './session/answer.ts'
import { join } from './session/meet.ts'
import { subjectOf } from './subjects.ts'
import { runUpkeep } from './upkeep.ts'

/** The roles of this process; it may always tell and ask. */
export interface BusRoles {
  readonly relay: boolean
  readonly inbox: boolean
  readonly responder: boolean
}

/** A started bus: the roles of one process. */
export interface Station {
  /** Answers pending asks and accepts no more. */
  leave(): Promise<void>
  stop(): Promise<void>
}

export interface StationOptions {
  readonly roles: BusRoles
  readonly historyHours: number
  readonly tells: TellHandlers
  readonly losses: readonly LossHandler[]
  readonly waker: Waker
  answer(asking: Party, payload: Uint8Array): Promise<Uint8Array | null>
}

const UPKEEP_EVERY_MS = 30_000

export async function startStation(context: BusContext, options: StationOptions): Promise<Station> {
  const { roles, waker } = options
  await join(context)
  const workers: { wake(): void; close(): Promise<void> }[] = []
  const wakeAll = (): void => {
    for (const worker of workers) worker.wake()
  }
  const seats = openSeats(context, seatNames(context, roles), wakeAll)
  const answering: Serving[] = []
  const listening: Stoppable[] = []
  // One subject per peer, and each at one NATS: the server of a region is believed about that region, and not when it
  // speaks in the name of another.
  for (const peer of context.peers) {
    const asking = { source: peer, target: context.self }
    const carrier = context.carrierAt(carrierOfAsk(asking))
    answering.push(
      carrier.serve(subjectOf('sync', asking), peer, (payload) => answerPeer(context, peer, payload, wakeAll)),
    )
    if (roles.responder)
      answering.push(carrier.serve(subjectOf('ask', asking), peer, (payload) => options.answer(peer, payload)))
  }
  if (roles.responder && context.self !== DIRECTORY) answering.push(serveForwarder(context, options))
  if (roles.relay) {
    for (const target of context.peers) {
      const relay = startRelay(context, target, seats)
      const link = { source: context.self, target }
      waker.listen(target, () => relay.wake())
      listening.push(context.carrierAt(carrierOfLink(link)).subscribe(subjectOf('wake', link), () => relay.wake()))
      workers.push(relay)
    }
    workers.push(startUpkeep(context, options))
  }
  if (roles.inbox)
    for (const source of context.peers) workers.push(startReceiver(context, options.tells, source, seats))
  const leave = async (): Promise<void> => {
    await Promise.all(answering.splice(0).map((serving) => serving.stop()))
  }
  return {
    leave,
    async stop() {
      await leave()
      for (const listened of listening) listened.stop()
      await Promise.all(workers.map((worker) => worker.close()))
      await seats.close()
    },
  }
}

function serveForwarder(context: BusContext, options: StationOptions): Serving {
  const asking = { source: FORWARDER, target: context.self }
  const carrier = context.carrierAt(carrierOfAsk(asking))
  return carrier.serve(subjectOf('ask', asking), FORWARDER, (payload) => options.answer(FORWARDER, payload))
}

function startUpkeep(context: BusContext, { historyHours, losses }: StationOptions): Loop {
  const refreshGauges = registerGauges(context)
  return startLoop({
    name: 'the upkeep of the bus',
    log: context.telemetry.log,
    everyMs: UPKEEP_EVERY_MS,
    backoff: BUS_BACKOFF,
    async work() {
      await refreshGauges()
      await runUpkeep(context, historyHours, losses)
    },
  })
}

function seatNames(context: BusContext, roles: BusRoles): readonly string[] {
  return [...(roles.relay ? context.peers.map(relaySeat) : []), ...(roles.inbox ? context.peers.map(inboxSeat) : [])]
}
