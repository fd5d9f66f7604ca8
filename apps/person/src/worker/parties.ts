import type { OwnConnection } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import type { PersonContext } from './context.ts'

/** The other side of a connection. */
export interface Party {
  readonly companyId: string
  readonly companyName: string
  readonly serviceName: string
}

/** By the id of the connection; those that have ended are not among them. */
export async function listParties(context: PersonContext): Promise<ReadonlyMap<string, Party>> {
  const parties = new Map<string, Party>()
  for await (const connection of requireOpen(context).client.connections.list())
    parties.set(connection.id, partyOf(connection))
  return parties
}

export async function readParty(context: PersonContext, connectionId: string): Promise<Party> {
  return partyOf(await requireOpen(context).client.connections.get(connectionId))
}

function partyOf({ company, services }: OwnConnection): Party {
  const [link] = services
  return { companyId: company.user_id, companyName: company.display_name, serviceName: link?.service_name ?? '' }
}
