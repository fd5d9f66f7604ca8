import type { Serving, Stoppable } from './carrier/carrier.ts'
import type { LossHandler } from './contracts.ts'
import { registerGauges } from './gauges.ts'
import type { TellHandlers } from './inbox/handlers.ts'
import { startReceiver } from './inbox/receiver.ts'
import { startLoop } from './loop.ts'
import type { BusNeeds } from './needs.ts'
import { startRelay } from './outbox/relay.ts'
import type { Waker } from './outbox/waker.ts'
import { carrierOfLink, DIRECTORY, type Party } from './parties.ts'
import { inboxSeat, relaySeat, takeSeats } from './seats.ts'
import { answerPeer } from './session/answer.ts'
import { join } from './session/meet.ts'
import { askingParty, askSubject, syncSubject, wakeSubject } from './subjects.ts'
import { prepareDays, runUpkeep } from './upkeep.ts'

/** What this process does for its party; telling and asking it may always. */
export interface BusRoles {
  readonly relay: boolean
  readonly inbox: boolean
  readonly responder: boolean
}

/** A started bus: the roles of one process. */
export interface Station {
  /** Answers what had been asked, and nothing more. */
  leave(): Promise<void>
  stop(): Promise<void>
}

export interface StationOptions {
  readonly roles: BusRoles
  readonly historyHours: number
  readonly tells: TellHandlers
  readonly losses: readonly LossHandler[]
  readonly waker: Waker
  answer(asking: Party, payload: Uint8Array): Promise<Uint8Array>
}

const UPKEEP_EVERY_MS = 30_000

export async function startStation(needs: BusNeeds, options: StationOptions): Promise<Station> {
  const { roles, waker } = options
  await join(needs)
  await prepareDays(needs)
  const workers: { wake(): void; stop(): Promise<void> }[] = []
  const wakeAll = (): void => {
    for (const worker of workers) worker.wake()
  }
  const seats = takeSeats(needs, seatNames(needs, roles), wakeAll)
  const answering: Serving[] = []
  const listening: Stoppable[] = []
  for (const region of answeringAt(needs)) {
    const carrier = needs.carrierAt(region)
    answering.push(
      carrier.serve(syncSubject(needs.self, '*'), (payload, subject) =>
        answerPeer(needs, askingParty(subject), payload, wakeAll),
      ),
    )
    if (roles.responder)
      answering.push(
        carrier.serve(askSubject(needs.self, '*'), (payload, subject) => options.answer(askingParty(subject), payload)),
      )
  }
  if (roles.relay) {
    for (const target of needs.peers) {
      const relay = startRelay(needs, target, seats)
      const link = { source: needs.self, target }
      waker.listen(target, () => relay.wake())
      listening.push(needs.carrierAt(carrierOfLink(link)).subscribe(wakeSubject(link), () => relay.wake()))
      workers.push(relay)
    }
    const refreshGauges = registerGauges(needs)
    const upkeep = async (): Promise<number> => {
      await refreshGauges()
      await runUpkeep(needs, options.historyHours, options.losses)
      return UPKEEP_EVERY_MS
    }
    workers.push(startLoop(needs.telemetry.log, 'the upkeep of the bus', upkeep))
  }
  if (roles.inbox) for (const source of needs.peers) workers.push(startReceiver(needs, options.tells, source, seats))
  const leave = async (): Promise<void> => {
    await Promise.all(answering.splice(0).map((serving) => serving.stop()))
  }
  return {
    leave,
    async stop() {
      await leave()
      for (const listened of listening) listened.stop()
      await Promise.all(workers.map((worker) => worker.stop()))
      await seats.stop()
    },
  }
}

function seatNames(needs: BusNeeds, roles: BusRoles): readonly string[] {
  return [...(roles.relay ? needs.peers.map(relaySeat) : []), ...(roles.inbox ? needs.peers.map(inboxSeat) : [])]
}

/** A region answers at home; the directory, which has no NATS, answers at every region's. */
function answeringAt({ self, peers }: BusNeeds): readonly Party[] {
  return self === DIRECTORY ? peers : [self]
}
