import { type ConnectionId, type FieldId, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import type { ServiceFacts } from '@sealpost/protocol'
import { holdTransaction, openWorld, scaled, untilBlocked } from '@sealpost/testkit'
import { expect, test } from 'vitest'
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

const world = await openWorld()
const { platform } = world.us
const { database, ids } = platform
const { customer: context } = world.us.modules.connections
const person = await world.person()
const accountId = person.userId

function factsOf({ companyId, serviceId }: Pick<Connection, 'companyId' | 'serviceId'>): ServiceFacts {
  const company = { display_name: 'A company', share_code: 'ABCDEF' }
  const shown = { name: 'A service', code: 'S', audience: 'both', public_key: 'a key' } as const
  return { company_id: companyId, service_id: serviceId, rev: 1, company, ...shown, rows: [], card: [], photo_ids: [] }
}

/** A connection in state `opening`: the service was asked and has not replied. */
async function open(owner: UserId, displayName: string): Promise<Connection> {
  const service = { companyId: ids.uuid<UserId>(), serviceId: ids.uuid<ServiceId>(), companyRegion: 'eu' }
  const connection: Connection = {
    ...service,
    accountId: owner,
    id: ids.uuid<ConnectionId>(),
    userType: 'person',
    state: 'opening',
    companyPublicKey: null,
    servicePublicKey: 'a key',
    displayName,
    openedBy: null,
    requestId: null,
    deviceRecord: null,
    rev: 1,
    createdAt: world.clock.now(),
    connectedAt: null,
  }
  await database.transaction(async (tx) => {
    await learnFacts(platform, tx, service, factsOf(service))
    await insertConnection(tx, connection)
  })
  return connection
}

/** Starts the second transaction after the work of the first and before its commit. */
async function overlap(first: (tx: Tx) => Promise<unknown>, second: (tx: Tx) => Promise<unknown>): Promise<void> {
  const held = await holdTransaction(database, first)
  const other = await untilBlocked(database, database.transaction(second))
  await platform.jobs.runDue()
  await Promise.all([held.finish(), other.result])
}

test('no connection is left when its service ends while it opens', async () => {
  const opening = await open(accountId, 'Ada')
  await overlap(
    (tx) => confirmConnection(context, tx, opening, world.clock.now(), opening),
    (tx) => hearServiceEnded(context, tx, opening),
  )
  await platform.jobs.runDue()
  const found = () => database.read((read) => findConnection(read, opening))
  await expect.poll(found, { timeout: scaled(5000) }).toBeNull()
  expect(await database.read((read) => countConnections(read, accountId))).toBe(0)
})

test('a rename while a connection opens reaches the service', async () => {
  const { userId: owner, displayName: before } = await world.person()
  const opening = await open(owner, before)
  const renames: RenamedCustomer[] = []
  const messages = {
    ...context.messages,
    tellRenamed: async (_tx: Tx, _region: string, renamed: RenamedCustomer) => void renames.push(renamed),
  }
  await overlap(
    async (tx) => {
      await runStatement(tx, `update account.account set display_name = 'Grace' where id = $1`, [owner])
      await tellRenamed({ ...context, messages }, tx, { id: owner, displayName: 'Grace' })
    },
    (tx) => confirmConnection({ ...context, messages }, tx, opening, world.clock.now(), opening),
  )
  expect(renames.map(({ displayName }) => displayName)).toEqual(['Grace'])
})

test('a sealed value of a changed field is refused, also beside other decisions with the same field', async () => {
  expect(await person.put('first_name', 'Ada')).toMatchObject({ status: 200 })
  const fieldId = parseUuid<FieldId>(person.field('first_name')) ?? expect.fail('no field')
  const source = await database.read(async (read) => ({
    field: await findContactField(read, accountId, fieldId),
    value: await findVaultValue(read, accountId, fieldId),
    attestation: null,
  }))
  const decide = (content: Content) => ({ kind: 'linked', live: true, source, content }) as unknown as Planned
  expect(await person.put('first_name', 'Grace')).toMatchObject({ status: 200 })
  for (const others of [[{ from: 'kept' }], []] as const) {
    const planned = [decide({ from: 'wrapper', wrapper: 'over Ada' }), ...others.map(decide)]
    const first = database.transaction((tx) => lockSources(tx, { accountId, userType: 'person' }, planned))
    await expect(first).rejects.toMatchObject({ key: 'company_connections.source_changed' })
  }
})
