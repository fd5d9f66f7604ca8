import { parseUuid, type UserId } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'
import { backfillPatterns, createManagedClient, newAccountClientToWire } from '../../modules/clients/index.ts'
import { type OperatorCommand, UsageError } from './command.ts'

const LEVELS: readonly Level[] = ['free', 'basic', 'pro', 'enterprise']

export const setLevel: OperatorCommand = {
  takes: `<company user id> ${LEVELS.join('|')}`,
  about: 'sets the level of a company that lives in this region',
  async run({ operations, platform: { region } }, [id = '', name, ...rest]) {
    const companyId = parseUuid<UserId>(id)
    const level = LEVELS.find((known) => known === name)
    if (companyId === null || level === undefined || rest.length > 0) throw new UsageError('name a company and a level')
    if (await operations.setLevel(companyId, level)) return `${companyId} is now at level ${level}`
    throw new Error(`no company ${companyId} lives in ${region}: run this in its home region`)
  },
}

/** Each client stores its patterns: after a release that adds paths, this updates the stored ones. */
export const backfillWhitelist: OperatorCommand = {
  takes: '',
  about: 'gives every client of this region the present path patterns of its kind and capabilities',
  async run({ modules: { clients } }, args) {
    if (args.length > 0) throw new UsageError('it takes nothing')
    const changed = await backfillPatterns(clients)
    return changed === 0 ? 'every client has the present patterns' : `brought ${changed} clients up to date`
  },
}

/** The secret is printed once; the company can recover it with its recovery key. */
export const createManaged: OperatorCommand = {
  takes: '<company user id> <purpose> <name> [capability …]',
  about: 'creates an account client with a reserved purpose, which its owner may only list and delete',
  async run({ modules: { clients } }, [id = '', purpose, name, ...capabilities]) {
    const companyId = parseUuid<UserId>(id)
    if (companyId === null || purpose === undefined || name === undefined)
      throw new UsageError('name a company, a purpose and a name')
    const created = await createManagedClient(clients, companyId, { name, purpose, capabilities })
    return JSON.stringify(newAccountClientToWire(created))
  },
}
