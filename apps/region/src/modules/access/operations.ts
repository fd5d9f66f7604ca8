import type { ClientId, UserId } from '@sealpost/kernel'
import type { ClientDirectory } from './directory.ts'
import { applyEpoch, type RevocationNeeds } from './guard/index.ts'

export interface AccessNeeds extends RevocationNeeds {
  readonly directory: ClientDirectory
}

/** Ends every token of a client: when this resolves, no process of the home region accepts one any more. */
export async function revokeClientTokens(needs: AccessNeeds, companyId: UserId, clientId: ClientId): Promise<void> {
  const { epoch } = await needs.directory.raiseEpoch({ clientId, userId: companyId })
  await applyEpoch(needs, companyId, clientId, epoch)
}
