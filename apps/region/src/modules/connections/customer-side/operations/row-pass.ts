import { refuse, type TurnPass } from '@sealpost/protocol'
import type { CustomerContext } from '../context.ts'
import type { Customer, ServiceAddress } from '../model.ts'

/** The service's side holds the plugins of its company. */
export async function passForRow(
  { messages }: Pick<CustomerContext, 'messages'>,
  { userType: customerType }: Customer,
  service: ServiceAddress,
  slug: string,
): Promise<TurnPass> {
  const pass = await messages.askForPass(service, { slug, customerType })
  if (pass === null) throw refuse('plugin.not_found')
  return pass
}
