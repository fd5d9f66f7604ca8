import { runStatement } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { askToken, type Company, keyOf, listOf, newServiceKey, openWorld, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { awaitGuards, findClientState } from '../../access/index.ts'
import { eraseAccount } from '../../account/index.ts'
import { backfillPatterns, type ClientsContext, type ClientsDirectory, endClientsOfService } from '../index.ts'
import { parseClientName } from '../model.ts'
import {
  createAccountClient,
  locateAccountClient,
  regenerateAccountClientSecret,
} from '../operations/account-clients.ts'
import { locateDataClient, regenerateDataClientSecret } from '../operations/data-clients.ts'
import { changeApp, locateApp } from '../operations/oauth-apps.ts'
import { appToWire } from '../wire.ts'
import { removeEverywhere } from './index.ts'

const CLIENTS = '/api/account/clients'
const APPS = '/api/account/oauth-apps'

const world = await openWorld({ settings: { DATABASE_POOL: '6' } })
const { clients } = world.eu.modules
const { database } = world.eu.platform

const newOwner = (): Promise<Company> => world.company({ level: 'basic' })
const actorOf = ({ companyId }: Company) => ({ companyId, actorId: companyId })

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
    const owner = await newOwner()
    const { portal } = owner
    const made = [await createdWith(owner, ['oauth_apps']), await createdWith(owner, ['oauth_apps'])].toSorted()
    const last = made[1] ?? expect.fail('two were made')
    await outdatePatterns(owner)
    const withdrawn = meanwhile({
      before: () => portal('PUT', `${CLIENTS}/${last}/capabilities`, { body: { capabilities: [] } }),
    })
    await backfillPatterns(withdrawn)
    expect(await capabilitiesOf(owner, last)).toEqual([])
    expect(await patternsOf(owner, last)).not.toContain('/api/account/oauth-apps*')
  })

  test('never gives back a capability that the owner removes between its read and its change', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const id = await createdWith(owner, ['oauth_apps'])
    await outdatePatterns(owner)
    const withdrawn = meanwhile({
      before: () => portal('PUT', `${CLIENTS}/${id}/capabilities`, { body: { capabilities: [] } }),
    })
    await backfillPatterns(withdrawn)
    expect(await capabilitiesOf(owner, id)).toEqual([])
    expect(await patternsOf(owner, id)).not.toContain('/api/account/oauth-apps*')
  })
})

describe('two concurrent changes of a sign-in app', () => {
  test('each changes only the members that it names', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const { body } = await portal('POST', APPS, { body: await wantedApp() })
    const id = String(body['client_id'])
    const app = await locateApp(clients, owner.userId, id)
    const concurrent = meanwhile({ after: () => portal('PUT', `${APPS}/${id}`, { body: { require_2fa: true } }) })
    const answered = await changeApp(concurrent, actorOf(owner), app, { claims_delivery: 'plaintext' })
    expect(appToWire(answered)).toMatchObject({ require_2fa: true, claims_delivery: 'plaintext' })
    const { body: now } = await portal('GET', `${APPS}/${id}`)
    expect(now).toMatchObject({ require_2fa: true, claims_delivery: 'plaintext' })
  })
})

describe('a regeneration whose caller was answered 503', () => {
  test('does nothing when it reaches the directory late: a secret issued since stays valid', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const id = await createdWith(owner, [])
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
    await expect(regenerateAccountClientSecret(gone, actorOf(owner), client)).rejects.toThrow()
    expect((await askToken(world, id, issued)).status).toBe(200)
  })
})

describe('many concurrent changes of one company', () => {
  test('are all done: none waits for another while it holds the lock for revisions', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const ids = []
    for (let i = 0; i < 16; i += 1) ids.push(await createdWith(owner, []))
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
    const owner = await newOwner()
    const { serviceId: id, client: own } = await world.service([], { company: owner })
    const { clientId } = own
    const client = await locateDataClient(clients, { companyId: owner.userId, id })
    const ending = meanwhile({
      async after() {
        const revision = await database.transaction((tx) => endClientsOfService(clients, tx, owner.userId, id))
        await awaitGuards(database, revision ?? expect.fail('nothing ended'))
      },
    })
    const outcome = await regenerateDataClientSecret(ending, actorOf(owner), client).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ key: 'services.client_not_found' })
    expect(await patternsOf(owner, clientId)).toBeNull()
  })

  test('no client is created for an account that is being erased, and no row is left', async () => {
    const owner = await newOwner()
    const { account } = world.eu.modules
    const [halfway, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stop = (): Promise<void> => {
      halfway.resolve()
      return goOn.promise
    }
    const hooks = { ...account.hooks, onAccountDeleted: [...account.hooks.onAccountDeleted, stop] }
    const erasing = eraseAccount({ ...account, hooks }, owner.userId)
    await halfway.promise
    const wanted = { name: 'Late', capabilities: [] }
    const creating = createAccountClient(clients, actorOf(owner), wanted).catch((error: unknown) => error)
    // Either it completes, or it waits for the lock until the account is deleted.
    let isOver = false
    void creating.finally(() => {
      isOver = true
    })
    await expect.poll(async () => isOver || (await isLockAwaited()), { timeout: scaled(5000) }).toBe(true)
    goOn.resolve()
    await erasing
    expect(await creating).toMatchObject({ key: 'auth.token_invalid' })
    for (const table of ['clients.client', 'access.client', 'account.recovery_copy', 'account.audit']) {
      expect(await world.rows(`select 1 from ${table} where company_id = $1`, [owner.userId])).toEqual([])
    }
  })

  test('a client that became live meanwhile is not removed as a stopped attempt', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const id = await createdWith(owner, [])
    await removeEverywhere(clients, parseClientName(owner.userId, id) ?? expect.fail('an id'))
    expect(await capabilitiesOf(owner, id)).toEqual([])
    expect(keyOf(await portal('PUT', `${CLIENTS}/${id}/capabilities`, { body: { capabilities: [] } }))).toBeUndefined()
  })
})

async function isLockAwaited(): Promise<boolean> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return (await world.rows(sql)).length > 0
}

/** All clients of the company get patterns that a backfill replaces. */
async function outdatePatterns({ companyId }: Company): Promise<void> {
  const sql = `update access.client set patterns = '{/api/account}' where company_id = $1`
  await database.transaction((tx) => runStatement(tx, sql, [companyId]))
}

async function createdWith({ portal }: Company, capabilities: readonly string[]): Promise<string> {
  const { body } = await portal('POST', CLIENTS, { body: { name: 'A client', capabilities } })
  return String(body['client_id'])
}

async function capabilitiesOf({ portal }: Company, id: string): Promise<unknown> {
  const { body } = await portal('GET', CLIENTS)
  return listOf(body['items']).find(({ client_id }) => client_id === id)?.['capabilities']
}

async function patternsOf({ companyId }: Company, id: string): Promise<readonly string[] | null> {
  const { clientId } = parseClientName(companyId, id) ?? expect.fail('an id')
  const state = await database.read((read) => findClientState(read, clientId))
  return state?.patterns ?? null
}

async function wantedApp(): Promise<object> {
  const { publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = await newServiceKey()
  return { name: 'An app', redirect_uris: [], public_key, encrypted_private_key }
}
