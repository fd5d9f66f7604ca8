import { type ConnectionId, type FieldId, type ServiceId, type UserId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import type { ServiceFacts } from '@sealpost/protocol'
import {
  demand,
  openCustomer,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccount } from '../../account/index.ts'
import { findContactField } from '../../registry/index.ts'
import { findVaultValue } from '../../vault/index.ts'
import type { Connection, RenamedCustomer } from './model.ts'
import { confirmConnection } from './operations/confirm-connection.ts'
import { hearServiceEnded, learnFacts } from './operations/learn-facts.ts'
import { lockSources } from './operations/prepare-decisions.ts'
import { tellRenamed } from './operations/tell-renamed.ts'
import type { Content, Planned } from './rules/decisions.ts'
import { findConnection, insertConnection } from './store/connections.ts'
import { countConnections } from './store/customers.ts'

let two: TwoRegions
let person: TestCustomer
let accountId: UserId

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await openCustomer(two)
  accountId = person.owner.user.userId
})
afterAll(() => two.close())

const serviceOf = (no: number) => ({
  companyId: `019a0000-0000-7000-8000-00000000a${no}00` as UserId,
  serviceId: `019a0000-0000-7000-8000-00000000b${no}00` as ServiceId,
  companyRegion: 'eu',
})

function factsOf({ companyId, serviceId }: ReturnType<typeof serviceOf>): ServiceFacts {
  const company = { display_name: 'A company', share_code: 'ABCDEF' }
  const shown = { name: 'A service', code: 'S', audience: 'both', public_key: 'a key' } as const
  return { company_id: companyId, service_id: serviceId, rev: 1, company, ...shown, rows: [], card: [], photo_ids: [] }
}

/** A connection in state `opening`: the service was asked and has not replied. */
async function open(no: number, owner: UserId, displayName: string): Promise<Connection> {
  const service = serviceOf(no)
  const connection: Connection = {
    ...service,
    accountId: owner,
    id: `019a0000-0000-7000-8000-00000000c${no}00` as ConnectionId,
    userType: 'person',
    state: 'opening',
    companyPublicKey: null,
    servicePublicKey: 'a key',
    displayName,
    openedBy: null,
    requestId: null,
    rev: 1,
    createdAt: two.clock.now(),
    connectedAt: null,
  }
  await two.us.platform.database.transaction(async (tx) => {
    await learnFacts(two.us.platform, tx, service, factsOf(service))
    await insertConnection(tx, connection)
  })
  return connection
}

/** Starts the second transaction after the work of the first and before its commit. */
async function overlap(first: (tx: Tx) => Promise<unknown>, second: (tx: Tx) => Promise<unknown>): Promise<void> {
  const { database } = two.us.platform
  const isDone = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const running = database.transaction(async (tx) => {
    await first(tx)
    isDone.resolve()
    await release.promise
  })
  await isDone.promise
  let isOver = false
  const other = database.transaction(second).then(() => (isOver = true))
  await waitUntil('the second one waits or is over', 10_000, async () => isOver || (await isLockAwaited()))
  await two.us.platform.jobs.runDue()
  release.resolve()
  await Promise.all([running, other])
}

async function isLockAwaited(): Promise<boolean> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await two.us.platform.database.read((read) => runStatement(read, sql, []))).length > 0
}

test('no connection is left when its service ends while it opens', async () => {
  const { database } = two.us.platform
  const { connections } = two.us.modules
  const opening = await open(1, accountId, 'Ada')
  await overlap(
    (tx) => confirmConnection(connections.customer, tx, opening, two.clock.now(), opening),
    (tx) => hearServiceEnded(two.us.platform, tx, opening),
  )
  await two.us.platform.jobs.runDue()
  await waitUntil('the connection is gone', 5000, async () => {
    return (await database.read((read) => findConnection(read, opening))) === null
  })
  expect(await database.read((read) => countConnections(read, accountId))).toBe(0)
})

test('a rename while a connection opens reaches the service', async () => {
  const { customer } = two.us.modules.connections
  const owner = (await openCustomer(two)).owner.user.userId
  const account = await two.us.platform.database.read((read) => findAccount(read, owner))
  const opening = await open(2, owner, account?.displayName ?? '')
  const renames: RenamedCustomer[] = []
  const messages = {
    ...customer.messages,
    tellRenamed: async (_tx: Tx, _region: string, renamed: RenamedCustomer) => void renames.push(renamed),
  }
  await overlap(
    async (tx) => {
      await runStatement(tx, `update account.account set display_name = 'Grace' where id = $1`, [owner])
      await tellRenamed({ ...customer, messages }, tx, { id: owner, displayName: 'Grace' })
    },
    (tx) => confirmConnection({ ...customer, messages }, tx, opening, two.clock.now(), opening),
  )
  expect(renames.map(({ displayName }) => displayName)).toEqual(['Grace'])
})

test('a sealed value of a changed field is refused, also beside other decisions with the same field', async () => {
  const { database } = two.us.platform
  await demand(person.put('first_name', 'Ada'))
  const fieldId = person.field('first_name') as FieldId
  const source = await database.read(async (read) => ({
    field: await findContactField(read, accountId, fieldId),
    value: await findVaultValue(read, accountId, fieldId),
    attestation: null,
  }))
  const decide = (content: Content) => ({ kind: 'linked', live: true, source, content }) as unknown as Planned
  await demand(person.put('first_name', 'Grace'))
  for (const others of [[{ from: 'kept' }], []] as const) {
    const planned = [decide({ from: 'wrapper', wrapper: 'over Ada' }), ...others.map(decide)]
    const first = database.transaction((tx) => lockSources(tx, { accountId, userType: 'person' }, planned))
    await expect(first).rejects.toMatchObject({ key: 'company_connections.source_changed' })
  }
})
