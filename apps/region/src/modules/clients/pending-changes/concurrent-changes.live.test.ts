import { createCryptoPlatform, createServiceKey } from '@sealpost/crypto'
import { runStatement } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import {
  addService,
  askToken,
  type Calls,
  callsWith,
  keyOf,
  logIn,
  signUp,
  startTwoRegions,
  type TestUser,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { awaitGuards, findClientState } from '../../access/index.ts'
import { eraseAccount } from '../../account/index.ts'
import type { ClientsContext } from '../context.ts'
import { type ClientsDirectory, parseClientName } from '../model.ts'
import {
  createAccountClient,
  locateAccountClient,
  regenerateAccountClientSecret,
} from '../operations/account-clients.ts'
import { backfillPatterns } from '../operations/backfill-patterns.ts'
import { locateDataClient, regenerateDataClientSecret } from '../operations/data-clients.ts'
import { endClientsOfService } from '../operations/end-clients.ts'
import { changeApp, locateApp } from '../operations/oauth-apps.ts'
import { appToWire } from '../wire.ts'
import { removeEverywhere } from './operations/reconcile.ts'

const CLIENTS = '/api/account/clients'
const APPS = '/api/account/oauth-apps'
let sites: TwoRegions
let owner: TestUser
let portal: Calls
let clients: ClientsContext

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000', DATABASE_POOL: '6' })
  clients = sites.eu.modules.clients
})
afterAll(() => sites.close())
beforeEach(async () => {
  owner = await signUp(sites, { userType: 'company', region: 'eu' })
  await sites.eu.operations.setLevel(owner.userId, 'basic')
  const login = await logIn(sites, owner)
  portal = callsWith(login.apiUrl, login.token)
})

const actor = () => ({ companyId: owner.userId, actorId: owner.userId })

/** Runs a call once, right before or right after the directory does a change. */
function meanwhile(place: {
  readonly before?: () => Promise<unknown>
  readonly after?: () => Promise<unknown>
}): ClientsContext {
  const real = clients.directory
  let isOver = false
  const directory: ClientsDirectory = {
    ...real,
    async change(change) {
      const isFirst = !isOver
      isOver = true
      if (isFirst) await place.before?.()
      const entry = await real.change(change)
      if (isFirst) await place.after?.()
      return entry
    },
  }
  return { ...clients, directory }
}

describe('whitelist:backfill', () => {
  test('never gives back a capability that the owner removes while it runs', async () => {
    const made = [await createdWith(['oauth_apps']), await createdWith(['oauth_apps'])].toSorted()
    const last = made[1] ?? expect.fail('two were made')
    await sites.eu.platform.database.transaction((tx) =>
      runStatement(tx, `update access.client set patterns = '{/api/account}' where company_id = $1`, [owner.userId]),
    )
    const withdrawn = meanwhile({
      before: () => portal('PUT', `${CLIENTS}/${last}/capabilities`, { body: { capabilities: [] } }),
    })
    await backfillPatterns(withdrawn)
    expect(await capabilitiesOf(last)).toEqual([])
    expect(await patternsOf(last)).not.toContain('/api/account/oauth-apps*')
  })

  test('never gives back a capability that the owner removes between its read and its change', async () => {
    const id = await createdWith(['oauth_apps'])
    await sites.eu.platform.database.transaction((tx) =>
      runStatement(tx, `update access.client set patterns = '{/api/account}' where company_id = $1`, [owner.userId]),
    )
    const withdrawn = meanwhile({
      before: () => portal('PUT', `${CLIENTS}/${id}/capabilities`, { body: { capabilities: [] } }),
    })
    await backfillPatterns(withdrawn)
    expect(await capabilitiesOf(id)).toEqual([])
    expect(await patternsOf(id)).not.toContain('/api/account/oauth-apps*')
  })
})

describe('two concurrent changes of a sign-in app', () => {
  test('each changes only the members that it names', async () => {
    const { body } = await portal('POST', APPS, { body: await wantedApp() })
    const id = String(body['client_id'])
    const app = await locateApp(clients, owner.userId, id)
    const concurrent = meanwhile({ after: () => portal('PUT', `${APPS}/${id}`, { body: { require_2fa: true } }) })
    const answered = await changeApp(concurrent, actor(), app, { claims_delivery: 'plaintext' })
    expect(appToWire(answered)).toMatchObject({ require_2fa: true, claims_delivery: 'plaintext' })
    const { body: now } = await portal('GET', `${APPS}/${id}`)
    expect(now).toMatchObject({ require_2fa: true, claims_delivery: 'plaintext' })
  })
})

describe('a regeneration whose caller was answered 503', () => {
  test('does nothing when it reaches the directory late: a secret issued since stays valid', async () => {
    const id = await createdWith([])
    const client = await locateAccountClient(clients, owner.userId, id)
    let issued: unknown
    const late = meanwhile({
      async before() {
        issued = (await portal('POST', `${CLIENTS}/${id}/regenerate-secret`)).body['client_secret']
        gaveUp = true
      },
    })
    let gaveUp = false
    const { directory } = late
    // The caller was answered 503: nothing that follows the ask happens.
    const change: ClientsDirectory['change'] = async (asked) => {
      const outcome = await directory.change(asked).catch(() => null)
      if (gaveUp) throw refuse('region.unreachable')
      return outcome ?? expect.fail('it was not late')
    }
    const gone = { ...late, directory: { ...directory, change } }
    await expect(regenerateAccountClientSecret(gone, actor(), client)).rejects.toThrow()
    expect((await askToken(sites, id, issued)).status).toBe(200)
  })
})

describe('many concurrent changes of one company', () => {
  test('are all done: none waits for another while it holds the lock for revisions', async () => {
    const ids = []
    for (let i = 0; i < 16; i += 1) ids.push(await createdWith([]))
    const answers = await Promise.all(
      ids.flatMap((id, place) =>
        place % 2 === 0
          ? portal('DELETE', `${CLIENTS}/${id}`)
          : portal('PUT', `${CLIENTS}/${id}/capabilities`, { body: { capabilities: ['oauth_apps'] } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(ids.map((_, place) => (place % 2 === 0 ? 204 : 200)))
  })
})

describe('a client that is deleted while it is changed', () => {
  test('stays deleted: none of its tokens is accepted and no row is left', async () => {
    const { serviceId: id } = await addService(sites, 'eu', owner.userId)
    const { body } = await portal('POST', `/api/services/${id}/client`)
    const clientId = String(body['client_id'])
    const client = await locateDataClient(clients, { companyId: owner.userId, id })
    const { database } = sites.eu.platform
    const ending = meanwhile({
      async after() {
        const revision = await database.transaction((tx) => endClientsOfService(clients, tx, owner.userId, id))
        await awaitGuards(database, revision ?? expect.fail('nothing ended'))
      },
    })
    const outcome = await regenerateDataClientSecret(ending, actor(), client).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ key: 'services.client_not_found' })
    expect(await patternsOf(clientId)).toBeNull()
  })

  test('no client is created for an account that is being erased, and no row is left', async () => {
    const { database } = sites.eu.platform
    const { account } = sites.eu.modules
    const [halfway, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stop = (): Promise<void> => {
      halfway.resolve()
      return goOn.promise
    }
    const hooks = { ...account.hooks, onAccountDeleted: [...account.hooks.onAccountDeleted, stop] }
    const erasing = eraseAccount({ ...account, hooks }, owner.userId)
    await halfway.promise
    const wanted = { name: 'Late', capabilities: [] }
    const creating = createAccountClient(clients, actor(), wanted).catch((error: unknown) => error)
    // Either it completes, or it waits for the lock until the account is deleted.
    await Promise.race([creating, waitUntil('the creation waits', 5000, hasWaiting)])
    goOn.resolve()
    await erasing
    expect(await creating).toMatchObject({ key: 'auth.token_invalid' })
    for (const table of ['clients.client', 'access.client', 'account.recovery_copy', 'account.audit']) {
      const sql = `select 1 from ${table} where company_id = $1`
      expect(await database.read((read) => runStatement(read, sql, [owner.userId]))).toEqual([])
    }
  })

  test('a client that became live meanwhile is not removed as a stopped attempt', async () => {
    const id = await createdWith([])
    await removeEverywhere(clients, parseClientName(owner.userId, id) ?? expect.fail('an id'))
    expect(await capabilitiesOf(id)).toEqual([])
    expect(keyOf(await portal('PUT', `${CLIENTS}/${id}/capabilities`, { body: { capabilities: [] } }))).toBeUndefined()
  })
})

async function hasWaiting(): Promise<boolean> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await sites.eu.platform.database.read((read) => runStatement(read, sql, []))).length > 0
}

async function createdWith(capabilities: readonly string[]): Promise<string> {
  const { body } = await portal('POST', CLIENTS, { body: { name: 'A client', capabilities } })
  return String(body['client_id'])
}

async function capabilitiesOf(id: string): Promise<unknown> {
  const { body } = await portal('GET', CLIENTS)
  return (body['items'] as Record<string, unknown>[]).find(({ client_id }) => client_id === id)?.['capabilities']
}

async function patternsOf(id: string): Promise<readonly string[] | null> {
  const { clientId } = parseClientName(owner.userId, id) ?? expect.fail('an id')
  const state = await sites.eu.platform.database.read((read) => findClientState(read, clientId))
  return state?.patterns ?? null
}

async function wantedApp(): Promise<object> {
  const key = await createServiceKey(createCryptoPlatform(globalThis))
  const { publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = key
  return { name: 'An app', redirect_uris: [], public_key, encrypted_private_key }
}
