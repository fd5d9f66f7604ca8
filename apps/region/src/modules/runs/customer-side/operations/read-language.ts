import { findAccount } from '../../../account/index.ts'
import { findUsableConnection, isOfSender } from '../../../connections/index.ts'
import type { CustomerContext } from '../context.ts'
import type { ConnectedName } from '../model.ts'

/** For the region of a service that the account is connected to; null for any other. */
export function readLanguage(
  { database }: Pick<CustomerContext, 'database'>,
  asked: ConnectedName,
): Promise<string | null> {
  const { accountId, connectionId } = asked
  return database.read(async (read) => {
    const connection = await findUsableConnection(read, { accountId, id: connectionId })
    if (connection === null || !isOfSender(connection, asked)) return null
    return (await findAccount(read, accountId))?.language ?? null
  })
}
