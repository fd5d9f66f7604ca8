import { DIRECTORY } from '@sealpost/bus'
import { changeAccountAsk, findShareCodeAsk, putAccountAsk } from '@sealpost/protocol'
import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

type Region = 'eu' | 'us'

const world = await openWorld()
const { northwind, mara } = await world.personas('northwind', 'mara')
const { ids } = world.eu.platform

describe('an e-mail address', () => {
  test('belongs to one account, however it is spelled and wherever the other account lives', async () => {
    const email = ` ${northwind.email.toUpperCase()} `
    const userId = ids.uuid()
    expect(await put('us', { userId, email })).toMatchObject({ is_email_taken: true, share_code: null })
    expect(await find(userId)).toBeUndefined()
    await put('us', { userId })
    expect(await change('us', { user_id: userId, email })).toMatchObject({ is_email_taken: true })
  })

  test('goes to one of two accounts that are put concurrently', async () => {
    const email = `${ids.uuid()}@example.com`
    const outcomes = await Promise.all([
      put('eu', { userId: ids.uuid(), email }),
      put('us', { userId: ids.uuid(), email }),
    ])
    expect(outcomes.filter((outcome) => outcome.is_email_taken)).toHaveLength(1)
  })

  test('is free once its account has another address', async () => {
    const [first, second] = [ids.uuid(), ids.uuid()]
    const email = `${first}@example.com`
    await put('eu', { userId: first, email })
    await put('us', { userId: second })
    const moved = { is_email_taken: false, email_hash: expect.any(String) }
    expect(await change('eu', { user_id: first, email: `new-${email}` })).toEqual(moved)
    expect(await change('us', { user_id: second, email })).toEqual(moved)
  })

  test('is stored nowhere in the directory', async () => {
    const userId = ids.uuid()
    const email = `seen-${userId}@example.com`
    await put('eu', { userId, email })
    expect(JSON.stringify(await find(userId))).not.toContain('example.com')
  })
})

describe('a share code', () => {
  test('has six unambiguous characters, and every region finds the account by it', async () => {
    const userId = ids.uuid()
    const { share_code: code } = await put('eu', { userId })
    expect(code).toMatch(/^[A-HJ-NP-Z2-9]{6}$/)
    for (const from of ['eu', 'us'] as const) {
      expect(await findCode(from, code ?? '')).toMatchObject({ account: { user_id: userId, region: 'eu' } })
    }
    expect(await findCode('eu', 'AAAAAA')).toEqual({ account: null })
  })

  test('is never given twice: an account that wants a taken code gets another one', async () => {
    const { share_code: code } = await put('us', { userId: ids.uuid(), shareCode: mara.shareCode })
    expect(code).toMatch(/^[A-HJ-NP-Z2-9]{6}$/)
    expect(code).not.toBe(mara.shareCode)
  })
})

test('only the home of an account can change it', async () => {
  const before = await find(northwind.companyId)
  const foreign = change('us', { user_id: northwind.companyId, level: 'free', public_key: 'planted' })
  await expect(foreign).rejects.toMatchObject({ key: 'request.invalid' })
  await expect(change('us', { user_id: ids.uuid(), level: 'free' })).rejects.toMatchObject({ key: 'request.invalid' })
  expect(await find(northwind.companyId)).toEqual(before)
})

interface Wanted {
  readonly userId: string
  readonly email?: string
  readonly shareCode?: string
}

function put(from: Region, { userId, email = `${userId}@example.com`, shareCode }: Wanted) {
  const account = { user_id: userId, user_type: 'person' as const, region: from, level: 'free' as const, email }
  const code = shareCode === undefined ? {} : { share_code: shareCode }
  const body = { ...account, kdf: mara.login.kdf, public_key: null, ...code }
  return world[from].platform.bus.ask(putAccountAsk, { to: DIRECTORY, id: ids.uuid(), body })
}

function change(from: Region, body: ReturnType<typeof changeAccountAsk.parse>) {
  return world[from].platform.bus.ask(changeAccountAsk, { to: DIRECTORY, id: ids.uuid(), body })
}

function findCode(from: Region, code: string) {
  return world[from].platform.bus.ask(findShareCodeAsk, { to: DIRECTORY, body: { share_code: code } })
}

async function find(userId: string): Promise<unknown> {
  const sql = 'select * from directory.account where user_id = $1'
  return (await world.rows(sql, [userId], 'directory'))[0]
}
