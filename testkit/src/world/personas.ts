import { type RegionCode, Secret } from '@sealpost/kernel'
import { deriveLogin, openPrivateKey, type WrapPurpose } from '@sealpost/vault'
import { type Calls, clientCalls } from '../people/client-calls.ts'
import type { TestUser } from '../people/people.ts'
import type { PersonaKeys, PersonaLogin } from '../persona-logins.ts'
import { type CompanyPersona, harborline, mara, northwind, type PersonPersona } from '../personas.ts'
import { type Company, makeUser, openAccount, openCompany, type Person } from './account.ts'
import { insideOf } from './inside.ts'
import { type Place, renewedCalls, siteOf } from './place.ts'

export interface PersonaCompany extends CompanyPersona, Company {
  readonly region: RegionCode
  readonly email: string
  readonly shareCode: string
  readonly login: PersonaLogin
  /** Calls of the data client of its service. */
  readonly data: Calls
}

/** Companies with one service each and a person, all logged in. northwind is in eu, harborline and mara are in us. */
export interface Personas {
  readonly northwind: PersonaCompany
  readonly harborline: PersonaCompany
  readonly mara: PersonPersona & Person
}

/** Those that are named, or all three. */
export type OpenPersonas = <Name extends keyof Personas = keyof Personas>(
  ...names: readonly Name[]
) => Promise<Pick<Personas, Name>>

/** The fixed personas where they were seeded; elsewhere fresh accounts and services with their names and keys. */
export function personaOpener(place: Place): OpenPersonas {
  const opening: { -readonly [Name in keyof Personas]?: Promise<Personas[Name]> } = {}
  const open = {
    northwind: () => (opening.northwind ??= companyLike(place, northwind)),
    harborline: () => (opening.harborline ??= companyLike(place, harborline)),
    mara: () => (opening.mara ??= personLike(place, mara)),
  }
  return async (...names) => {
    const wanted = names.length === 0 ? (['northwind', 'harborline', 'mara'] as const) : names
    const pairs = await Promise.all(wanted.map(async (name) => [name, await open[name]()] as const))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has its own persona
    return Object.fromEntries(pairs) as unknown as Personas
  }
}

async function companyLike(place: Place, persona: CompanyPersona): Promise<PersonaCompany> {
  const { companyName: displayName, companyId: userId } = persona
  const seeded = await userOf({ ...persona, displayName, userId }, 'company')
  const user = place.isShared ? await likeUser(place, seeded) : seeded
  const own = place.isShared ? { ...persona, ...(await addService(place, user.userId, persona)) } : persona
  const data = renewedCalls(place.clock, () => clientCalls(place, own.clientId, own.clientSecret))
  return { ...own, ...(await openCompany(place, user)), data }
}

async function personLike(place: Place, persona: PersonPersona): Promise<PersonPersona & Person> {
  const seeded = await userOf(persona, 'person')
  return openAccount(place, place.isShared ? await likeUser(place, seeded) : seeded)
}

async function likeUser(place: Place, user: TestUser): Promise<TestUser> {
  const { userType, displayName, region } = user
  const level = userType === 'company' ? 'pro' : 'free'
  return makeUser(place, userType, { region: siteOf(region), level, displayName, secrets: user })
}

async function addService(place: Place, companyId: TestUser['userId'], persona: CompanyPersona) {
  const { operations, ids } = insideOf(place[siteOf(persona.region)])
  const own = {
    serviceId: ids.uuid<CompanyPersona['serviceId']>(),
    clientId: ids.clientId('svc'),
    clientSecret: ids.clientSecret(),
  }
  const { passphrase: _, ...facts } = persona.service
  await operations.createService({ companyId, id: own.serviceId, name: persona.serviceName, ...facts })
  const client = { clientId: own.clientId, secret: new Secret(own.clientSecret) }
  await operations.registerDataClient(companyId, own.serviceId, client)
  return own
}

async function userOf(persona: PersonPersona, userType: TestUser['userType']): Promise<TestUser> {
  const { userId, region, email, displayName, shareCode, login } = persona
  const opened = await openLogin(login)
  return { userId, userType, region, email, displayName, shareCode, ...opened }
}

type OpenedLogin = Pick<TestUser, 'password' | 'kdf' | 'authVerifier' | 'keys' | 'recoveryKeys'>

/** Deriving a key is slow, so a process does it once for each persona. */
const opened = new Map<PersonaLogin, Promise<OpenedLogin>>()

function openLogin(login: PersonaLogin): Promise<OpenedLogin> {
  const opening = opened.get(login) ?? deriveKeys(login)
  opened.set(login, opening)
  return opening
}

async function deriveKeys(login: PersonaLogin): Promise<OpenedLogin> {
  const { password, kdf, authVerifier } = login
  const { wrapKey } = await deriveLogin(password, kdf)
  const open = async (keys: PersonaKeys, purpose: WrapPurpose) => ({
    ...keys,
    privateKey: await openPrivateKey(keys.encryptedPrivateKey, wrapKey, purpose),
  })
  return {
    password,
    kdf,
    authVerifier,
    keys: await open(login.keys, 'account'),
    recoveryKeys: login.recoveryKeys === null ? null : await open(login.recoveryKeys, 'recovery'),
  }
}
