import type { RegionCode, UserId } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'
import { type Answer, call } from '../people/call.ts'
import { bodyOf } from '../people/call.ts'
import { type Calls, callsWith } from '../people/client-calls.ts'
import type { Owner } from '../people/owners.ts'
import { type LoggedIn, logIn, type TestUser } from '../people/people.ts'
import type { PersonaLogin } from '../persona-logins.ts'
import { type Customer, customerPart } from './customer.ts'
import { insideOf } from './inside.ts'
import { type AccountSecrets, nextAccountSecrets } from './key-ring.ts'
import { setPassword } from './passwords.ts'
import { type Place, renewedCalls, type Site, siteOf } from './place.ts'

/** A person or a company that is logged in. `token` is the one of that login; `calls` renews its own. */
export interface Account extends TestUser, Owner, Customer {
  readonly calls: Calls
  /** As personas have it. */
  readonly login: PersonaLogin
  /** Logs in once more: another session. */
  logIn(): Promise<LoggedIn>
  erase(): Promise<void>
}

export type Person = Account

export interface Company extends Account {
  readonly companyId: UserId
  readonly companyName: string
  /** The same as `calls`. */
  readonly portal: Calls
  setLevel(level: Level): Promise<void>
  accountClient(capabilities: readonly string[]): Promise<AccountClient>
}

/** An account client of a company, with a token. */
export interface AccountClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly token: string
  readonly apiUrl: string
  readonly calls: Calls
}

export interface AccountWish {
  readonly region?: Site
  readonly displayName?: string
  readonly email?: string
  readonly level?: Level
}

let accounts = 0

/** A person with fresh id, address and share code, past the routes of the registration; in us unless told. */
export async function makePerson(place: Place, wish: AccountWish = {}): Promise<Person> {
  return openAccount(place, await makeUser(place, 'person', { region: 'us', level: 'free', ...wish }))
}

/** A company of level pro, in eu unless told. */
export async function makeCompany(place: Place, wish: AccountWish = {}): Promise<Company> {
  return openCompany(place, await makeUser(place, 'company', { region: 'eu', level: 'pro', ...wish }))
}

/** Logs a known user in. */
export async function openAccount(place: Place, user: TestUser): Promise<Account> {
  const session = await logIn(place, user)
  const enter = async (): Promise<Calls> => {
    const { apiUrl, token } = await logIn(place, user)
    return callsWith(apiUrl, token)
  }
  const calls = renewedCalls(place.clock, enter, callsWith(session.apiUrl, session.token))
  const { password, kdf, authVerifier, keys, recoveryKeys } = user
  return {
    ...user,
    ...session,
    ...(await customerPart(place, user, calls)),
    user,
    calls,
    call: (method, path, body): Promise<Answer> => call(session, method, path, { body }),
    login: { password, kdf, authVerifier, keys, recoveryKeys },
    logIn: () => logIn(place, user),
    erase: () => insideOf(place[siteOf(user.region)]).operations.eraseAccount(user.userId),
  }
}

export async function openCompany(place: Place, user: TestUser): Promise<Company> {
  const account = await openAccount(place, user)
  const { calls, userId, displayName } = account
  return {
    ...account,
    companyId: userId,
    companyName: displayName,
    portal: calls,
    async setLevel(level) {
      await insideOf(place[siteOf(user.region)]).operations.setLevel(userId, level)
    },
    async accountClient(capabilities) {
      const made = await bodyOf(calls('POST', '/api/account/clients', { body: { name: 'a test', capabilities } }), 201)
      const client = { clientId: String(made['client_id']), clientSecret: String(made['client_secret']) }
      const { apiUrl } = account
      const token = await place.token(client)
      return { ...client, token, apiUrl, calls: callsWith(apiUrl, token) }
    },
  }
}

export interface UserWish extends Required<Pick<AccountWish, 'region' | 'level'>> {
  readonly displayName?: string
  readonly email?: string
  readonly secrets?: Omit<AccountSecrets, 'recoveryKeys'> & Pick<TestUser, 'recoveryKeys'>
}

/** The account, in its region and in the directory. */
export async function makeUser(place: Place, userType: 'person' | 'company', wish: UserWish): Promise<TestUser> {
  accounts += 1
  const { operations, ids } = insideOf(place[wish.region])
  const userId = ids.uuid<UserId>()
  const email = wish.email ?? `${userType}-${process.pid}-${accounts}@accounts.example`
  const displayName = wish.displayName ?? `${userType === 'company' ? 'Company' : 'Person'} ${accounts}`
  const secrets = wish.secrets ?? (await nextAccountSecrets())
  const { kdf, keys, authVerifier } = secrets
  const recoveryKeys = userType === 'company' ? secrets.recoveryKeys : null
  const account = { id: userId, userType, email, displayName, language: 'en', level: wish.level, kdf }
  const listing = await operations.createAccount({
    ...account,
    keys: publicPart(keys),
    recoveryKeys: recoveryKeys === null ? null : publicPart(recoveryKeys),
  })
  if (listing === null) throw new Error(`the address ${email} belongs to another account`)
  await setPassword(place[wish.region], userId, authVerifier)
  return {
    userId,
    userType,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the two that every test installation has
    region: wish.region as RegionCode,
    email,
    password: secrets.password,
    displayName,
    shareCode: listing.shareCode,
    kdf,
    authVerifier,
    keys,
    recoveryKeys,
  }
}

function publicPart({ publicKey, encryptedPrivateKey }: TestUser['keys']) {
  return { publicKey, encryptedPrivateKey }
}
