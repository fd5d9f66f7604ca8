import { type Bus, DIRECTORY } from '@sealpost/bus'
import type { Ids } from '@sealpost/kernel'
import {
  findHomeAsk,
  flagRegionAsk,
  listSigningKeysAsk,
  raiseEpochAsk,
  type RegionAddress,
  relayTokenAsk,
} from '@sealpost/protocol'
import type { ClientDirectory } from './model.ts'

export function clientDirectory(bus: Bus, ids: Ids, regions: readonly RegionAddress[]): ClientDirectory {
  return {
    raiseEpoch: ({ clientId, userId }) =>
      bus.ask(raiseEpochAsk, {
        to: DIRECTORY,
        id: `raise_epoch:${clientId}:${ids.uuid()}`,
        body: { client_id: clientId, user_id: userId },
      }),
    async findHome({ userId, clientId }) {
      const { region } = await bus.ask(findHomeAsk, { to: DIRECTORY, body: { user_id: userId, client_id: clientId } })
      return regions.find(({ code }) => code === region)?.code ?? null
    },
    async flagRegion(outOfOrder) {
      await bus.ask(flagRegionAsk, {
        to: DIRECTORY,
        id: `flag_region:${ids.uuid()}`,
        body: { out_of_order: outOfOrder },
      })
    },
    async relayToken({ form, authorization }) {
      const body = { form: { ...form }, authorization }
      const { retry_after_seconds: retryAfterSeconds, ...answer } = await bus.ask(relayTokenAsk, {
        to: DIRECTORY,
        body,
      })
      return { ...answer, retryAfterSeconds }
    },
    async listSigningKeys() {
      const { keys } = await bus.ask(listSigningKeysAsk, { to: DIRECTORY, body: {} })
      return keys
    },
  }
}
