import { readSettings, type RegionCode, type UserId } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { openRegionOperations, type RegionOperations, regionSettings } from '@sealpost/region'
import { type Calls, callsWith, forge, type Installation, loginClaims, mara, northwind } from '@sealpost/testkit'
import { importKey, sealTo } from './sealing.ts'

type UserType = 'person' | 'company'

/** The operations of a region without its routes: for creating accounts and services in numbers. */
export function openOperations(
  { environment }: Pick<Installation, 'environment'>,
  region: 'eu' | 'us',
): ReturnType<typeof openRegionOperations> {
  const platform = { clock: systemClock, ids: systemIds(), random: systemRandom }
  return openRegionOperations(readSettings(regionSettings, environment[region]), platform)
}

/** Creates an account whose keys are those of a persona, because making keys is slow. Returns its share code. */
export async function createAccount(
  operations: RegionOperations,
  { id, userType, name }: { readonly id: UserId; readonly userType: UserType; readonly name: string },
): Promise<string> {
  const { kdf, keys, recoveryKeys } = (userType === 'company' ? northwind : mara).login
  const code = `C${id.replaceAll('-', '').slice(-10).toUpperCase()}`.slice(0, 8)
  const level = userType === 'company' ? 'pro' : 'free'
  const account = { id, userType, email: `${name}@chaos.example`, displayName: name, language: 'en', level } as const
  await operations.createAccount({ ...account, kdf, keys, recoveryKeys }, code)
  return code
}

/** Calls with a token as the front door signs it after a login. */
export async function loginCalls(site: ForgingSite, apiUrl: string, user: LoginUser): Promise<Calls> {
  return callsWith(apiUrl, await loginToken(site, user))
}

type ForgingSite = Pick<Installation, 'environment' | 'frontDoor'>

interface LoginUser {
  readonly userId: UserId
  readonly userType: UserType
  readonly region: 'eu' | 'us'
}

/** A token as the front door signs it after a login. */
export function loginToken(site: ForgingSite, user: LoginUser): Promise<string> {
  const place = { environment: site.environment, frontDoor: site.frontDoor, clock: systemClock }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the two regions of the installation
  const region = user.region as RegionCode
  return forge(place, loginClaims({ ...user, region, sid: `chaos ${user.userId}` }))
}

/** Seals to the account key that all persons of a run share. */
export async function sealToSelf(text: string): Promise<string> {
  ownKey ??= importKey(mara.login.keys.publicKey)
  return sealTo(await ownKey, text)
}

let ownKey: ReturnType<typeof importKey> | null = null
