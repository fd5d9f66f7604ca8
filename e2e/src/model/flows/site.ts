import { createCryptoPlatform, importOpeningKey } from '@sealpost/crypto'
import { type Account, type Service, startWorld, waitUntil, type World } from '@sealpost/testkit'
import type { Customer } from './doors/door.ts'
import { PROFILE } from './names.ts'
import { type ModelUser, modelUser } from './user.ts'

const platform = createCryptoPlatform(globalThis)
const ARRIVAL_MS = 20_000
const PDF = 'data:application/pdf;base64,JVBERi0xLjcK'

/** Two regions, and in each a service whose runs follow each other. */
export interface Site {
  readonly world: World
  readonly lanes: readonly Lane[]
}

export interface Lane {
  readonly service: Service
  /** Opens with the key of the service. */
  readonly company: ModelUser
  readonly customers: readonly LaneCustomer[]
}

export interface LaneCustomer extends Customer {
  readonly kind: 'person' | 'company'
  readonly user: ModelUser
  /** Whether it shares a PDF. */
  readonly hasDeed: boolean
  /** Shared values by request slug; one is missing now and then. */
  readonly shared: ReadonlyMap<string, string>
}

/** Files of at most a megabyte, so that one that is too large costs little. */
const SETTINGS = { DOCUMENT_MAX_MB: '1', PHOTO_MAX_MB: '1' }

/** `accounts`: the customers, which are most of the cost; a flow has up to 19 parties beside the owner. */
export async function openSite(accounts: number): Promise<Site> {
  const world = await startWorld(SETTINGS)
  try {
    const made = await openAccounts(world, accounts)
    return {
      world,
      // The second service has fewer customers than a large flow has parties: some are bound to several.
      lanes: [await openLane(world, 'eu', made), await openLane(world, 'us', made.slice(0, 6))],
    }
  } catch (error) {
    await world.close()
    throw error
  }
}

interface Made {
  readonly kind: 'person' | 'company'
  readonly account: Account
  readonly user: ModelUser
}

/** Both kinds live in both regions. */
async function openAccounts(world: World, count: number): Promise<readonly Made[]> {
  const made: Made[] = []
  for (let place = 0; place < count; place += 1) {
    const region = place % 4 < 2 ? 'us' : 'eu'
    const kind = place % 2 === 0 ? 'person' : 'company'
    const account: Account = kind === 'person' ? await world.person({ region }) : await world.company({ region })
    const opening = await importOpeningKey(platform, account.keys.privateKey)
    if (!opening.ok) throw new Error('an account has no key')
    made.push({ kind, account, user: await modelUser(account.userId, account.keys.publicKey, opening.value) })
  }
  return made
}

async function openLane(world: World, region: 'eu' | 'us', accounts: readonly Made[]): Promise<Lane> {
  const company = await world.company({ region })
  const service = await world.service([{ slug: 'nick' }, { slug: 'town' }, { slug: 'deed', type: 'pdf_document' }], {
    company,
  })
  for (const [slug, text] of Object.entries(PROFILE)) await company.put(slug, text)
  const customers: LaneCustomer[] = []
  for (const [place, made] of accounts.entries()) customers.push(await connect(service, made, place))
  for (const { connectionId, hasDeed } of customers)
    await waitUntil('the shared values have arrived', ARRIVAL_MS, async () => {
      const values = (await service.read(connectionId))?.['values'] ?? {}
      return !hasDeed || JSON.stringify(values).includes('"deed"')
    })
  await service.drain()
  return {
    service,
    company: await modelUser(company.companyId, service.publicKey, service.openingKey),
    customers,
  }
}

async function connect(service: Service, { kind, account, user }: Made, place: number): Promise<LaneCustomer> {
  const hasDeed = place % 3 === 0
  const shared = new Map([['nick', `nick ${place}`], ...(place % 4 === 1 ? [] : [['town', `town ${place}`] as const])])
  const connectionId = await account.connected(service, [
    ...[...shared].map(([slug, text]) => ({ slug, text })),
    ...(hasDeed ? [{ slug: 'deed', kind: 'typed' as const, file: { file: PDF, original_name: 'deed.pdf' } }] : []),
  ])
  return { kind, account, user, connectionId, hasDeed, shared }
}
