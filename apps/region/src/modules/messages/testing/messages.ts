import { bodyOf, listOf, sealTo, type Calls, type Service } from '@sealpost/testkit'

export type Item = Readonly<Record<string, unknown>>

export const sentPath = (connectionId: string) => `/api/company-data/connections/${connectionId}/messages`
export const ownPath = (connectionId: string) => `/api/company-connections/${connectionId}/messages`

export interface Reader {
  readonly user: { readonly keys: { readonly publicKey: string } }
  readonly calls: Calls
}

/** Writes to a customer, with a copy for the service itself. */
export async function write(service: Service, to: Reader, connectionId: string, text: string): Promise<string> {
  const body = { body: await sealTo(to.user.keys.publicKey, text), sender_body: await service.seal(text) }
  return String((await bodyOf(service.data('POST', sentPath(connectionId), { body }), 201))['message_id'])
}

/** Writes to a service, with a copy for the customer itself. */
export async function writeBack(from: Reader, service: Service, connectionId: string, text: string): Promise<string> {
  const body = { body: await service.seal(text), sender_body: await sealTo(from.user.keys.publicKey, text) }
  return String((await bodyOf(from.calls('POST', ownPath(connectionId), { body }), 201))['message_id'])
}

/** The items of a thread, newest first. */
export async function itemsOf(calls: Calls, path: string): Promise<readonly Item[]> {
  return listOf((await bodyOf(calls('GET', path)))['items'])
}
