import { createCryptoPlatform, importSealingKey, sealWrapper } from '@sealpost/crypto'
import type { ServiceId, UserId } from '@sealpost/kernel'
import {
  addService as addTestService,
  callSession,
  type CompanyPersona,
  type Credentials,
  type LoggedIn,
  logIn,
  signUp,
  type TwoRegions,
} from '@sealpost/testkit'
import { createServiceKey, type ServiceKey } from '@sealpost/vault'
import type { Owner, RegionName } from './callers.ts'
import { membersOf, send } from './send.ts'

/** An account, with everything that the examples need to make calls for it. */
export interface WorldOwner extends Owner {
  readonly type: 'company' | 'person'
  readonly userId: UserId
  readonly login: Credentials
  readonly session: LoggedIn
  readonly publicKey: string
  readonly encryptedPrivateKey: object
  /** For a company: the service of its data client. */
  readonly serviceId: ServiceId | null
  /** A second service, whose data client is created and deleted. */
  readonly spareServiceId: ServiceId | null
  readonly clientId: string
  readonly clientSecret: string
  /** For sign-in apps and recovery copies; any key pair will do. */
  readonly key: ServiceKey
}

/** The answer to a call of an account. */
export async function callAs(
  owner: WorldOwner,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const answer = await send({
    method,
    url: `${owner.session.apiUrl}${path}`,
    headers: {
      authorization: `Bearer ${owner.session.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: answer.status, body: membersOf(answer) }
}

/** The same, but throws on anything but success. */
export async function requireAs(
  owner: WorldOwner,
  method: string,
  path: string,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await callAs(owner, method, path, body)
  if (answer.status >= 200 && answer.status < 300) return answer.body
  throw new Error(`${owner.name}: ${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
}

const platform = createCryptoPlatform(globalThis)

export async function sealTo(publicKey: string, text: string): Promise<string> {
  const key = await importSealingKey(platform, publicKey)
  if (!key.ok) throw new Error(`invalid public key: ${publicKey}`)
  const sealed = await sealWrapper(platform, key.value, text)
  if (!sealed.ok) throw new Error('not sealed')
  return sealed.value
}

/** A persona of the installation, with a second service. */
export async function personaOwner(sites: TwoRegions, name: string, persona: CompanyPersona): Promise<WorldOwner> {
  const home = persona.region === 'eu' ? 'eu' : 'us'
  const login = { email: persona.email, authVerifier: persona.login.authVerifier }
  return {
    name,
    type: 'company',
    home,
    userId: persona.companyId,
    login,
    session: await logIn(sites, login),
    publicKey: persona.login.keys.publicKey,
    encryptedPrivateKey: persona.login.keys.encryptedPrivateKey,
    serviceId: persona.serviceId,
    spareServiceId: await addService(sites, home, persona.companyId, 'Spare'),
    clientId: persona.clientId,
    clientSecret: persona.clientSecret,
    key: await createServiceKey(),
  }
}

/** A company that signs up, with two services and a data client for the first. */
export async function newCompany(sites: TwoRegions, name: string, home: RegionName): Promise<WorldOwner> {
  const user = await signUp(sites, { userType: 'company', region: home, displayName: name })
  await sites[home].operations.setLevel(user.userId, 'pro')
  const bare = await ownerOf(sites, name, home, user)
  const serviceId = await addService(sites, home, user.userId, 'Own')
  const spareServiceId = await addService(sites, home, user.userId, 'Spare')
  return { ...bare, serviceId, spareServiceId, ...(await addDataClient(bare, serviceId)) }
}

export async function newPerson(sites: TwoRegions, name: string, home: RegionName): Promise<WorldOwner> {
  const user = await signUp(sites, { userType: 'person', region: home, displayName: name })
  return ownerOf(sites, name, home, user)
}

async function ownerOf(
  sites: TwoRegions,
  name: string,
  home: RegionName,
  user: Awaited<ReturnType<typeof signUp>>,
): Promise<WorldOwner> {
  return {
    name,
    type: user.userType,
    home,
    userId: user.userId,
    login: user,
    session: await logIn(sites, user),
    publicKey: user.keys.publicKey,
    encryptedPrivateKey: user.keys.encryptedPrivateKey,
    serviceId: null,
    spareServiceId: null,
    clientId: '',
    clientSecret: '',
    key: await createServiceKey(),
  }
}

export async function addService(
  sites: TwoRegions,
  home: RegionName,
  companyId: UserId,
  name: string,
): Promise<ServiceId> {
  return (await addTestService(sites, home, companyId, name)).serviceId
}

export async function addDataClient(
  owner: WorldOwner,
  serviceId: ServiceId,
): Promise<{ readonly clientId: string; readonly clientSecret: string }> {
  const made = await requireAs(owner, 'POST', `/api/services/${serviceId}/client`, {})
  return { clientId: String(made['client_id']), clientSecret: String(made['client_secret']) }
}

/** A token for the portal of another company. */
export async function actFor(sites: TwoRegions, user: WorldOwner, company: WorldOwner): Promise<string> {
  const fresh = await logIn(sites, user.login)
  const body = { user_type: user.type, acting_for: company.userId }
  const { cookies } = fresh
  const reply = await callSession(sites.frontDoor.url, 'POST', '/api/session/refresh', { body, cookies })
  if (reply.status !== 200) throw new Error(`${user.name} got no token: ${reply.status} ${JSON.stringify(reply.body)}`)
  return String(reply.body['access_token'])
}

export async function logOut(sites: TwoRegions, { cookies }: LoggedIn, userType: string): Promise<void> {
  const path = `/api/session?user_type=${userType}`
  const reply = await callSession(sites.frontDoor.url, 'DELETE', path, { cookies })
  if (reply.status !== 204) throw new Error(`could not log out: ${reply.status} ${JSON.stringify(reply.body)}`)
}

export async function requestToken(
  sites: TwoRegions,
  client: { readonly clientId: string; readonly clientSecret: string },
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.clientSecret }
  const answer = await send({
    method: 'POST',
    url: `${sites.frontDoor.url}/oauth2/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const token = membersOf(answer)['access_token']
  if (typeof token === 'string') return token
  throw new Error(`no token for ${client.clientId}: ${answer.status} ${answer.text}`)
}
