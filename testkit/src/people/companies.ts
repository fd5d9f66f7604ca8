import type { TwoRegions } from '../two-regions.ts'
import { type Calls, callsWith, clientCalls } from './client-calls.ts'
import { logIn, signUp, type TestUser } from './people.ts'
import { newServiceKey, type TestServiceKey } from './services.ts'

/** A company of its own, logged in. */
export interface TestCompany {
  readonly user: TestUser
  readonly portal: Calls
}

export async function newCompany(two: TwoRegions, region: 'eu' | 'us' = 'eu'): Promise<TestCompany> {
  const user = await signUp(two, { userType: 'company', region })
  await two[region].operations.setLevel(user.userId, 'pro')
  const { apiUrl, token } = await logIn(two, user)
  return { user, portal: callsWith(apiUrl, token) }
}

export interface ServiceWish {
  readonly name?: unknown
  readonly admin_email?: unknown
  readonly public_key?: unknown
  readonly encrypted_private_key?: unknown
  readonly share_code?: unknown
  readonly audience?: unknown
}

/** What makes a service; `change` replaces members, undefined leaves one out. */
export async function serviceBody(change: ServiceWish = {}, key?: TestServiceKey): Promise<ServiceWish> {
  const { publicKey, encryptedPrivateKey } = key ?? (await newServiceKey())
  return {
    name: 'Patient intake',
    admin_email: 'ops@company.example',
    public_key: publicKey,
    encrypted_private_key: encryptedPrivateKey,
    ...change,
  }
}

/** The path of a service that was made by its route just now. */
export async function makeService(calls: Calls, change: ServiceWish = {}): Promise<string> {
  const made = await calls('POST', '/api/services', { body: await serviceBody(change) })
  if (made.status !== 201) throw new Error(`no service: ${made.text}`)
  return `/api/services/${String(made.body['id'])}`
}

/** The data client of a service, and calls as that client. */
export async function dataClientOf(two: TwoRegions, portal: Calls, path: string): Promise<Calls> {
  const { body, text } = await portal('POST', `${path}/client`)
  if (typeof body['client_id'] !== 'string') throw new Error(`no data client: ${text}`)
  return clientCalls(two, body['client_id'], body['client_secret'])
}
