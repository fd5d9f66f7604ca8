import { capabilities, type Capability } from '@sealpost/protocol'
import { harborline, logIn, northwind, startTwoRegions, type TwoRegions, UNLIMITED_RATES } from '@sealpost/testkit'
import type { KnownCaller, MatrixCaller, UnknownCaller } from './callers.ts'
import {
  actFor,
  addDataClient,
  addService,
  requireAs,
  logOut,
  newCompany,
  newPerson,
  personaOwner,
  requestToken,
  type WorldOwner,
} from './owners.ts'
import { addApp, revoke, type SignInApp, signInWith } from './sign-in.ts'
import type { Who } from './who.ts'

export type { WorldOwner } from './owners.ts'

/** Two regions with accounts for every column of the matrix. */
export interface World {
  readonly sites: TwoRegions
  readonly urls: { readonly frontDoor: string; readonly eu: string; readonly us: string }
  /** The owner of the objects in requests without a known caller. */
  readonly owner: WorldOwner
  /** An account that companies add and remove as a delegate. */
  readonly visitor: WorldOwner
  readonly app: SignInApp
  readonly callers: readonly MatrixCaller<WorldOwner>[]
  /** The owners whose objects a caller must not learn of. */
  foreignOwnersOf(caller: KnownCaller<WorldOwner>): readonly WorldOwner[]
  close(): Promise<void>
}

const HOUR_MS = 3_600_000

export async function buildWorld(settings: Readonly<Record<string, string>> = {}): Promise<World> {
  const sites = await startTwoRegions({ ...UNLIMITED_RATES, ...settings })
  try {
    return await populate(sites)
  } catch (error) {
    await sites.close()
    throw error
  }
}

async function populate(sites: TwoRegions): Promise<World> {
  const expired = await sites.token(northwind)
  sites.clock.advance(HOUR_MS + 1000)
  const owner = await personaOwner(sites, 'northwind', northwind)
  const abroad = await personaOwner(sites, 'a company abroad', harborline)
  const otherCompany = await newCompany(sites, 'another company', 'eu')
  const person = await newPerson(sites, 'a person', 'eu')
  const otherPerson = await newPerson(sites, 'another person', 'eu')
  const visitor = await newPerson(sites, 'a visitor', 'us')
  const sibling = await siblingOf(sites, owner)
  const hidden = await hiddenFrom(sites, owner)
  const app = await addApp(owner)
  const companies = [owner, sibling, otherCompany, abroad]
  const callers = [
    { name: 'no token', token: null, refusal: 'auth.token_missing' } as const,
    { name: 'garbage', token: 'garbage', refusal: 'auth.token_invalid' } as const,
    { name: 'an expired token', token: expired, refusal: 'auth.expired' } as const,
    ...(await revokedCallers(sites, owner)),
    ...(await serviceCallers(sites, companies)),
    ...(await accountCallers(sites, owner, otherCompany)),
    client('a sign-in app', (await signInWith(sites, app, person)).token, ['app'], owner),
    await revokedApp(sites, app, person, owner),
    session('the portal', owner.session.token, ['portal'], owner),
    session("another company's portal", otherCompany.session.token, ['portal'], otherCompany),
    ...(await delegateCallers(sites, owner)),
    session('a person', person.session.token, ['person'], person),
    session('another person', otherPerson.session.token, ['person'], otherPerson),
  ]
  return {
    sites,
    urls: { frontDoor: sites.frontDoor.url, eu: sites.eu.url ?? '', us: sites.us.url ?? '' },
    owner,
    visitor,
    app,
    callers,
    foreignOwnersOf: (caller) => foreignOwnersOf(caller, { companies, persons: [person, otherPerson], hidden }),
    close: () => sites.close(),
  }
}

/** The same company with its other service. */
async function siblingOf(sites: TwoRegions, owner: WorldOwner): Promise<WorldOwner> {
  const serviceId = await addService(sites, owner.home, owner.userId, 'Sibling')
  return { ...owner, name: 'a sibling service', serviceId, ...(await addDataClient(owner, serviceId)) }
}

/** The same company with a service that its delegates have no access to. */
async function hiddenFrom(sites: TwoRegions, owner: WorldOwner): Promise<WorldOwner> {
  const spareServiceId = await addService(sites, owner.home, owner.userId, 'Hidden')
  const dataClient = await addDataClient(owner, spareServiceId)
  return { ...owner, name: 'a hidden service', serviceId: spareServiceId, spareServiceId, ...dataClient }
}

function client(name: string, token: string, is: readonly Who[], owner: WorldOwner): KnownCaller<WorldOwner> {
  return { name, token, is, by: 'client', owner }
}

function session(name: string, token: string, is: readonly Who[], owner: WorldOwner): KnownCaller<WorldOwner> {
  return { name, token, is, by: 'session', owner }
}

function serviceCallers(
  sites: TwoRegions,
  companies: readonly WorldOwner[],
): Promise<readonly KnownCaller<WorldOwner>[]> {
  return Promise.all(
    companies.map(async (owner) =>
      client(`the data client of ${owner.name}`, await requestToken(sites, owner), ['service'], owner),
    ),
  )
}

async function accountCallers(
  sites: TwoRegions,
  owner: WorldOwner,
  otherCompany: WorldOwner,
): Promise<readonly KnownCaller<WorldOwner>[]> {
  const groups: readonly (readonly Capability[])[] = [[], ...capabilities.map((name) => [name])]
  const own = groups.map(async (held) => {
    const token = await accountToken(sites, owner, held)
    return client(`an account client with ${held.join() || 'nothing'}`, token, accountWords(held), owner)
  })
  const all = await accountToken(sites, otherCompany, capabilities)
  return [
    ...(await Promise.all(own)),
    client("another company's account client with everything", all, accountWords(capabilities), otherCompany),
  ]
}

function accountWords(held: readonly Capability[]): readonly Who[] {
  return ['account', ...held.map((name) => `account:${name}` as const)]
}

async function accountToken(sites: TwoRegions, owner: WorldOwner, held: readonly Capability[]): Promise<string> {
  return requestToken(sites, await accountClient(owner, held))
}

async function accountClient(owner: WorldOwner, held: readonly Capability[]) {
  const made = await requireAs(owner, 'POST', '/api/account/clients', { name: 'Matrix', capabilities: held })
  return { clientId: String(made['client_id']), clientSecret: String(made['client_secret']) }
}

/** One delegate lives in another region than the company. */
async function delegateCallers(sites: TwoRegions, owner: WorldOwner): Promise<readonly KnownCaller<WorldOwner>[]> {
  const users = {
    admin: await newPerson(sites, 'an admin', 'us'),
    operator: await newCompany(sites, 'an operator', 'eu'),
  } as const
  const callers: KnownCaller<WorldOwner>[] = []
  for (const role of ['admin', 'operator'] as const) {
    await letIn(owner, users[role], role)
    callers.push(session(`a delegate as ${role}`, await actFor(sites, users[role], owner), [role], owner))
  }
  return callers
}

async function letIn(owner: WorldOwner, user: WorldOwner, role: 'admin' | 'operator'): Promise<string> {
  const shareCode = await shareCodeOf(user)
  const services = [owner.serviceId, owner.spareServiceId]
  const made = await requireAs(owner, 'POST', '/api/delegates', { share_code: shareCode, role, services })
  return String(made['id'])
}

export async function shareCodeOf(user: WorldOwner): Promise<string> {
  return String((await requireAs(user, 'GET', '/api/account'))['share_code'])
}

/** Tokens that were revoked and have not expired. */
async function revokedCallers(sites: TwoRegions, owner: WorldOwner): Promise<readonly UnknownCaller<WorldOwner>[]> {
  const refusal = 'auth.token_invalid'
  const regenerated = await accountClient(owner, capabilities)
  const deleted = await accountClient(owner, capabilities)
  const tokens = [await requestToken(sites, regenerated), await requestToken(sites, deleted)] as const
  await requireAs(owner, 'POST', `/api/account/clients/${regenerated.clientId}/regenerate-secret`)
  await requireAs(owner, 'DELETE', `/api/account/clients/${deleted.clientId}`)
  const over = await logIn(sites, owner.login)
  await logOut(sites, over, owner.type)
  const former = await newPerson(sites, 'a former delegate', 'eu')
  const id = await letIn(owner, former, 'admin')
  const acting = await actFor(sites, former, owner)
  await requireAs(owner, 'DELETE', `/api/delegates/${id}`)
  const wasClient = { is: accountWords(capabilities), by: 'client', owner } as const
  return [
    { name: 'a client before its new secret', token: tokens[0], refusal, was: wasClient },
    { name: 'a deleted client', token: tokens[1], refusal, was: wasClient },
    { name: 'a portal after logout', token: over.token, refusal, was: { is: ['portal'], by: 'session', owner } },
    { name: 'a former delegate', token: acting, refusal, was: { is: ['admin'], by: 'session', owner } },
  ]
}

/** The person has revoked the grant. */
async function revokedApp(
  sites: TwoRegions,
  app: SignInApp,
  person: WorldOwner,
  owner: WorldOwner,
): Promise<UnknownCaller<WorldOwner>> {
  const { token, refreshToken } = await signInWith(sites, app, person)
  await revoke(sites, app, refreshToken)
  const was = { is: ['app'], by: 'client', owner } as const
  return { name: 'a sign-in app after its end', token, refusal: 'auth.token_invalid', was }
}

interface ForeignOwners {
  readonly companies: readonly WorldOwner[]
  readonly persons: readonly WorldOwner[]
  readonly hidden: WorldOwner
}

/** To a data client other services of its company are foreign, and to delegates the services they have no access to. */
function foreignOwnersOf(caller: KnownCaller<WorldOwner>, { companies, persons, hidden }: ForeignOwners): WorldOwner[] {
  const all = caller.owner.type === 'company' ? companies : persons
  const isDataClient = caller.is.includes('service')
  const isDelegate = caller.is.includes('admin') || caller.is.includes('operator')
  const others = all.filter((other) => other !== caller.owner && (isDataClient || other.userId !== caller.owner.userId))
  return isDelegate ? [...others, hidden] : others
}
