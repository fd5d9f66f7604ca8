import { AccountClient, AccountKey, CustomerClient, memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { type CompanyPersona, type LoggedIn, logIn, type PeoplePlace, type TestUser } from '@sealpost/testkit'

/** A company whose backend reads the values of its customers. */
export interface Company {
  readonly account: AccountClient
  readonly service: ServiceClient
  readonly key: ServiceKey
  readonly serviceId: string
  /** `COMPANYCODE/SERVICECODE` */
  readonly code: string
}

export async function openCompany(place: PeoplePlace, persona: CompanyPersona): Promise<Company> {
  const { email, login, serviceId, service, shareCode, clientId, clientSecret } = persona
  const session = await logIn(place, { email, authVerifier: login.authVerifier })
  const frontDoorUrl = place.frontDoor.url
  return {
    account: new AccountClient({ accessToken: () => Promise.resolve(session), pins: memoryPins() }),
    service: new ServiceClient({ frontDoorUrl, clientId, clientSecret, pins: memoryPins() }),
    key: await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase),
    serviceId,
    code: `${shareCode}/${service.shareCode}`,
  }
}

/** The person's app: a session, and the private key that her password opened. */
export interface Person {
  readonly user: TestUser
  readonly session: LoggedIn
  readonly app: CustomerClient
  /** The id of a field of the platform, by its slug. */
  readonly field: (slug: string) => string
}

export async function openPerson(place: PeoplePlace, user: TestUser): Promise<Person> {
  const session = await logIn(place, user)
  const key = await AccountKey.fromPkcs8(user.keys.privateKey.reveal())
  const app = new CustomerClient({ accessToken: () => Promise.resolve(session), key, pins: memoryPins() })
  const fields = new Map<string, string>()
  for await (const { slug, id } of app.contactFields.list()) fields.set(slug, id)
  return { user, session, app, field: (slug) => fields.get(slug) ?? missing(slug) }
}

/** All items of a list or a feed. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const read: T[] = []
  for await (const item of items) read.push(item)
  return read
}

function missing(slug: string): never {
  throw new Error(`no contact field ${slug}`)
}
