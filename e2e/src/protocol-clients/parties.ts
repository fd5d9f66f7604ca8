import type { Account, Company, World } from '@sealpost/testkit'
import type { Backend } from './backend.ts'
import { type Access, call, credentialsOf, enter, must } from './http.ts'

/** A customer of the backend's service; `access` is its login, or its account client. */
export interface Customer {
  readonly access: Access
  readonly userId: string
  readonly shareCode: string
  readonly publicKey: string
  readonly privateKeyBytes: Uint8Array
  readonly connectionId: string
}

interface Deciding {
  readonly decisions?: readonly object[]
}

/** A person in us, with the session of the own app. */
export async function connectPerson(backend: Backend, person: Account, { decisions = [] }: Deciding = {}) {
  return connect(backend, person, { url: person.apiUrl, token: person.token }, decisions)
}

/** A company in us that acts as a customer by its account client. */
export async function connectCompany(world: World, backend: Backend): Promise<Customer & { readonly buyer: Company }> {
  const buyer = await world.company({ region: 'us' })
  const portal = { url: buyer.apiUrl, token: buyer.token }
  const body = { name: 'Purchasing', capabilities: ['customer_connections'] }
  const client = credentialsOf(await must(201, call(portal, 'POST', '/api/account/clients', { body })))
  return { buyer, ...(await connect(backend, buyer, await enter(world.frontDoor.url, client), [])) }
}

async function connect(
  backend: Backend,
  account: Account | Company,
  access: Access,
  decisions: readonly object[],
): Promise<Customer> {
  const body = { code: backend.code, decisions }
  const { id } = await must(201, call(access, 'POST', '/api/company-connections', { body }))
  const { userId, shareCode, keys } = account.user
  return {
    access,
    userId,
    shareCode,
    publicKey: keys.publicKey,
    privateKeyBytes: keys.privateKey.reveal(),
    connectionId: String(id),
  }
}
