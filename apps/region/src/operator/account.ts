import { parseUuid, type UserId } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'
import { type OperatorCommand, UsageError } from './command.ts'

const LEVELS: readonly Level[] = ['free', 'basic', 'pro', 'enterprise']

export const setLevel: OperatorCommand = {
  takes: `<company user id> ${LEVELS.join('|')}`,
  about: 'sets the level of a company that lives in this region',
  async run({ operations, region }, [id = '', name, ...rest]) {
    const companyId = parseUuid<UserId>(id)
    const level = LEVELS.find((known) => known === name)
    if (companyId === null || level === undefined || rest.length > 0) throw new UsageError('name a company and a level')
    if (await operations.setLevel(companyId, level)) return `${companyId} is now at level ${level}`
    throw new Error(`no company ${companyId} lives in ${region}: run this in its home region`)
  },
}
