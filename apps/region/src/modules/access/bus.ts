import { type Bus, DIRECTORY } from '@sealpost/bus'
import type { Ids } from '@sealpost/kernel'
import { findHomeAsk, listSigningKeysAsk, putClientAsk, raiseEpochAsk, type RegionAddress } from '@sealpost/protocol'
import type { ClientDirectory } from './directory.ts'

export function clientDirectory(bus: Bus, ids: Ids, regions: readonly RegionAddress[]): ClientDirectory {
  return {
    putClient: ({ clientId, kind, userId, serviceId, secret }) =>
      bus.ask(putClientAsk, {
        to: DIRECTORY,
        // Another secret for the same client is another act, not a repetition of the first.
        id: `put_client:${clientId}:${ids.uuid()}`,
        body: { client_id: clientId, kind, user_id: userId, service_id: serviceId, client_secret: secret.reveal() },
      }),
    raiseEpoch: ({ clientId, userId }) =>
      bus.ask(raiseEpochAsk, {
        to: DIRECTORY,
        id: `raise_epoch:${clientId}:${ids.uuid()}`,
        body: { client_id: clientId, user_id: userId },
      }),
    async findHome(clientId) {
      const { region } = await bus.ask(findHomeAsk, { to: DIRECTORY, body: { client_id: clientId } })
      return regions.find(({ code }) => code === region)?.code ?? null
    },
    async listSigningKeys() {
      const { keys } = await bus.ask(listSigningKeysAsk, { to: DIRECTORY, body: {} })
      return keys
    },
  }
}
