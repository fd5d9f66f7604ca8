import { parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import { type Suspendable, suspend } from '../../modules/messages/index.ts'
import { type OperatorCommand, readOnOff, UsageError } from './command.ts'

const PARTS: readonly Suspendable[] = ['messages', 'broadcasts']

export const suspendMessages: OperatorCommand = {
  takes: `<company user id> <service id> ${PARTS.join('|')} on|off`,
  about: 'suspends all messages of a service to its customers, or only its broadcasts; customers may still write',
  async run({ modules: { messages }, platform: { region } }, [company = '', service = '', name, ...word]) {
    const [companyId, serviceId] = [parseUuid<UserId>(company), parseUuid<ServiceId>(service)]
    const what = PARTS.find((known) => known === name)
    if (companyId === null || serviceId === null || what === undefined)
      throw new UsageError('name a company, its service, and messages or broadcasts')
    const isSuspended = readOnOff(word)
    if (!(await suspend(messages.service, { companyId, serviceId }, what, isSuspended)))
      throw new Error(`${companyId} has no service ${serviceId} in ${region}: run this in its home region`)
    return `${what} of ${serviceId} are ${isSuspended ? 'suspended' : 'allowed'}`
  },
}
