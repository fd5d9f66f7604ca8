import { parseUuid, type UserId } from '@sealpost/kernel'
import { backfillPatterns, createManagedClient } from '../modules/clients/index.ts'
import { type OperatorCommand, UsageError } from './command.ts'

/** A client's patterns are a snapshot: after a release that adds paths, this brings the older ones up to date. */
export const backfillWhitelist: OperatorCommand = {
  takes: '',
  about: 'gives every client of this region the present path patterns of its kind and capabilities',
  async run({ clients }, args) {
    if (args.length > 0) throw new UsageError('it takes nothing')
    const changed = await backfillPatterns(clients)
    return changed === 0 ? 'every client has the present patterns' : `brought ${changed} clients up to date`
  },
}

/** The secret is printed once, like everywhere else; its copy lies under the company's recovery key. */
export const createManaged: OperatorCommand = {
  takes: '<company user id> <purpose> <name> [capability …]',
  about: 'creates an account client with a reserved purpose, which its owner may only list and delete',
  async run({ clients }, [id = '', purpose, name, ...capabilities]) {
    const companyId = parseUuid<UserId>(id)
    if (companyId === null || purpose === undefined || name === undefined)
      throw new UsageError('name a company, a purpose and a name')
    return JSON.stringify(await createManagedClient(clients, companyId, { name, purpose, capabilities }))
  },
}
