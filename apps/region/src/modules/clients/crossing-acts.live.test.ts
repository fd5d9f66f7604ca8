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
import { awaitGuards, findClientState } from '../access/index.ts'
import { eraseAccount } from '../account/index.ts'
import { createAccountClient, locateAccountClient, regenerateAccountClientSecret } from './account-clients.ts'
import { removeEverywhere } from './acts/settle.ts'
import { backfillPatterns } from './backfill.ts'
import { locateDataClient, regenerateDataClientSecret } from './data-clients.ts'
import type { ClientsDirectory } from './directory.ts'
import { endClientsOfService } from './ending.ts'
import { readClientName } from './names.ts'
import type { ClientsNeeds } from './needs.ts'
import { changeApp, locateApp } from './oauth-apps.ts'

const CLIENTS = '/api/account/clients'
const APPS = '/api/account/oauth-apps'
const keepNothing = () => Promise.resolve()
let sites: TwoRegions
let owner: TestUser
let portal: Calls
let needs: ClientsNeeds

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000', DATABASE_POOL: '6' })
  needs = sites.eu.core.clients
})
afterAll(() => sites.close())
beforeEach(async () => {
  owner = await signUp(sites, { userType: 'company', region: 'eu' })
  await sites.eu.core.operations.setLevel(owner.userId, 'basic')
  const login = await logIn(sites, owner)
  portal = callsWith(login.apiUrl, login.token)
})

const actor = () => ({ companyId: owner.userId, actorId: owner.userId })

/** Something else happens once, right before or after the directory does a change. */
function meanwhile(place: {
  readonly before?: () => Promise<unknown>
  readonly after?: () => Promise<unknown>
}): ClientsNeeds {
  const real = needs.directory
  let isOver = false
  const directory: ClientsDirectory = {
    ...real,
    async change(change) {
      const isFirst = !isOver
      isOver = true
      if (isFirst) await place.before?.()
      const shown = await real.change(change)
      if (isFirst) await place.after?.()
      return shown
    },
  }
  return { ...needs, directory }
}

describe('whitelist:backfill', () => {
  test('never gives back a capability that the owner takes away while it runs', async () => {
    const made = [await createdWith(['oauth_apps']), await createdWith(['oauth_apps'])].toSorted()
    const last = made[1] ?? expect.fail('two were made')
    await sites.eu.core.database.transaction((tx) =>
      runStatement(tx, `update access.client set patterns = '{/api/account}' where company_id = $1`, [owner.userId]),
    )
    const withdrawn = meanwhile({
      before: () => portal('PUT', `${CLIENTS}/${last}/capabilities`, { body: { capabilities: [] } }),
    })
    await backfillPatterns(withdrawn)
    expect(await capabilitiesOf(last)).toEqual([])
    expect(await patternsOf(last)).not.toContain('/api/account/oauth-apps*')
  })

  test('nor in the moment between its look and its act', async () => {
    const id = await createdWith(['oauth_apps'])
    await sites.eu.core.database.transaction((tx) =>
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

describe('two changes of a sign-in app at once', () => {
  test('each change only what they name', async () => {
    const { body } = await portal('POST', APPS, { body: await appWish() })
    const id = String(body['client_id'])
    const app = await locateApp(needs, owner.userId, id)
    const crossed = meanwhile({ after: () => portal('PUT', `${APPS}/${id}`, { body: { require_2fa: true } }) })
    const answered = await changeApp(crossed, actor(), app, { claims_delivery: 'plaintext' })
    expect(answered).toMatchObject({ require_2fa: true, claims_delivery: 'plaintext' })
    const { body: now } = await portal('GET', `${APPS}/${id}`)
    expect(now).toMatchObject({ require_2fa: true, claims_delivery: 'plaintext' })
  })
})

describe('a regeneration that nobody waits for any more', () => {
  test('does nothing when the directory comes to it late: the secret that was shown since goes on', async () => {
    const id = await createdWith([])
    const client = await locateAccountClient(needs, owner.userId, id)
    let shown: unknown
    const late = meanwhile({
      async before() {
        shown = (await portal('POST', `${CLIENTS}/${id}/regenerate-secret`)).body['client_secret']
        gaveUp = true
      },
    })
    let gaveUp = false
    const { directory } = late
    // The asker was told 503 and has gone: what comes after the ask does not happen any more.
    const change: ClientsDirectory['change'] = async (asked) => {
      const outcome = await directory.change(asked).catch(() => null)
      if (gaveUp) throw refuse('region.unreachable')
      return outcome ?? expect.fail('it was not late')
    }
    const gone = { ...late, directory: { ...directory, change } }
    await expect(regenerateAccountClientSecret(gone, actor(), client, keepNothing)).rejects.toThrow()
    expect((await askToken(sites, id, shown)).status).toBe(200)
  })
})

describe('many acts of one company at once', () => {
  test('wait for each other nowhere: each is done, and no revocation of the region stands behind them', async () => {
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

describe('a client that ends while it is changed', () => {
  test('stays ended: no token of it is accepted and nothing of it is left', async () => {
    const { serviceId: id } = await addService(sites, 'eu', owner.userId)
    const { body } = await portal('POST', `/api/services/${id}/client`)
    const clientId = String(body['client_id'])
    const client = await locateDataClient(needs, { accountId: owner.userId, services: null }, id)
    const { database } = sites.eu.core
    const ending = meanwhile({
      async after() {
        const revision = await database.transaction((tx) => endClientsOfService(tx, needs, owner.userId, id))
        await awaitGuards(database, revision ?? expect.fail('nothing ended'))
      },
    })
    const outcome = await regenerateDataClientSecret(ending, actor(), client, keepNothing).catch(
      (error: unknown) => error,
    )
    expect(outcome).toMatchObject({ key: 'services.client_not_found' })
    expect(await patternsOf(clientId)).toBeNull()
  })

  test('none is made for an account that is being erased, and nothing of it is left behind', async () => {
    const { account, database } = sites.eu.core
    const [halfway, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stop = (): Promise<void> => {
      halfway.resolve()
      return goOn.promise
    }
    const hooks = { ...account.hooks, onAccountDeleted: [...account.hooks.onAccountDeleted, stop] }
    const erasing = eraseAccount({ ...account, hooks }, owner.userId)
    await halfway.promise
    const wish = { name: 'Late', capabilities: [] }
    const creating = createAccountClient(needs, actor(), wish, keepNothing).catch((error: unknown) => error)
    // Either it gets through, or it stands in line until the account is gone.
    await Promise.race([creating, waitUntil('the creation waits', 5000, hasWaiting)])
    goOn.resolve()
    await erasing
    expect(await creating).toMatchObject({ key: 'auth.token_invalid' })
    for (const table of ['clients.client', 'access.client', 'account.recovery_copy', 'account.audit']) {
      const sql = `select 1 from ${table} where company_id = $1`
      expect(await database.read((read) => runStatement(read, sql, [owner.userId]))).toEqual([])
    }
  })

  test('a client that came to life meanwhile is not taken for a lost attempt', async () => {
    const id = await createdWith([])
    await removeEverywhere(needs, readClientName(owner.userId, id) ?? expect.fail('an id'))
    expect(await capabilitiesOf(id)).toEqual([])
    expect(keyOf(await portal('PUT', `${CLIENTS}/${id}/capabilities`, { body: { capabilities: [] } }))).toBeUndefined()
  })
})

async function hasWaiting(): Promise<boolean> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await sites.eu.core.database.read((read) => runStatement(read, sql, []))).length > 0
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
  const { clientId } = readClientName(owner.userId, id) ?? expect.fail('an id')
  const state = await sites.eu.core.database.read((read) => findClientState(read, clientId))
  return state?.patterns ?? null
}

async function appWish(): Promise<object> {
  const key = await createServiceKey(createCryptoPlatform(globalThis))
  const { publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = key
  return { name: 'An app', redirect_uris: [], public_key, encrypted_private_key }
}
