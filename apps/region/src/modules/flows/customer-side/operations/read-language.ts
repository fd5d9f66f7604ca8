import { findAccount } from '../../../account/index.ts'
import { findUsableConnection } from '../../../connections/index.ts'
import type { CustomerContext } from '../context.ts'
import type { ConnectedName } from '../model.ts'

/** For the region of a service that the account is connected to; null for any other. */
export function readLanguage(
  { database }: Pick<CustomerContext, 'database'>,
  { accountId, connectionId, companyRegion, serviceId }: ConnectedName,
): Promise<string | null> {
  return database.read(async (read) => {
    const connection = await findUsableConnection(read, { accountId, id: connectionId })
    const isMeant = connection?.companyRegion === companyRegion && connection.serviceId === serviceId
    return isMeant ? ((await findAccount(read, accountId))?.language ?? null) : null
  })
}
