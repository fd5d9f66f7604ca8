import type { ClientId, RegionCode, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { raiseEpoch } from '../store/clients.ts'

/** Ends all tokens that the client has. Only the home region of the owner may ask. */
export async function endTokens(
  tx: Tx,
  from: RegionCode,
  clientId: ClientId,
  userId: UserId,
): Promise<{ epoch: number }> {
  const epoch = await raiseEpoch(tx, from, clientId, userId)
  if (epoch === null) throw refuse('services.client_not_found')
  return { epoch }
}
