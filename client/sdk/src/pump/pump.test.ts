import { expect, test } from 'vitest'
import { type StubChange, stubFeed } from '../../test/stub-feed.ts'
import { optionsFor, refusal, startFrontDoor, startRegion } from '../../test/stub-platform.ts'
import { startStubService } from '../../test/stub-service.ts'
import { CustomerClient } from '../customer-client.ts'
import { NetworkError } from '../errors.ts'
import { memoryPins } from '../keys/pins.ts'
import { memoryStore } from './line-store.ts'
import type { PumpOptions } from './pump-options.ts'
import { ChangePump } from './pump.ts'

function collector(): { readonly ids: string[]; readonly handle: (change: StubChange) => void } {
  const ids: string[] = []
  return { ids, handle: ({ id }) => void ids.push(id) }
}

test('a change with a known event id is not handled again, also after a restart [SDK-08]', async () => {
  const store = memoryStore()
  const { ids, handle } = collector()
  const feed = stubFeed(['a', 'b', 'a', 'c'])

  expect(await new ChangePump(feed, { store, handle }).run()).toEqual({ handled: 3, deadLettered: 0, duplicates: 1 })
  feed.append('c', 'd')
  expect(await new ChangePump(feed, { store, handle }).run()).toEqual({ handled: 1, deadLettered: 0, duplicates: 1 })
  expect(ids).toEqual(['a', 'b', 'c', 'd'])
})

test('the number of stored ids and the size of the store are bounded', async () => {
  const store = memoryStore()
  const { ids, handle } = collector()
  const many = Array.from({ length: 20_000 }, (_, at) => `change-${at}`)
  const feed = stubFeed(many)

  await new ChangePump(feed, { store, handle, limit: 500, rememberIds: 1000 }).run()

  expect(ids).toEqual(many)
  const kept = (await store.read()).join('\n')
  expect(kept.length).toBeLessThan(1_200_000)
  feed.append('change-19999', 'change-0')
  const again = collector()
  await new ChangePump(feed, { store, handle: again.handle, rememberIds: 1000 }).run()
  expect(again.ids).toEqual(['change-0'])
})

test('a change whose handler keeps failing becomes a dead letter, and later changes are handled', async () => {
  const store = memoryStore()
  const feed = stubFeed(['a', 'bad', 'c'])
  const seen: string[] = []
  let isMended = false
  const letters: unknown[] = []
  const options: PumpOptions<StubChange> = {
    store,
    maxFailures: 3,
    onDeadLetter: (letter) => void letters.push(letter),
    handle({ id }, { failures }) {
      seen.push(`${id}${failures}`)
      if (id === 'bad' && !isMended) throw new RangeError('no such customer')
    },
  }
  const pump = new ChangePump(feed, options)

  expect(await pump.run()).toEqual({ handled: 2, deadLettered: 1, duplicates: 0 })
  expect(seen).toEqual(['a0', 'bad0', 'bad1', 'bad2', 'c0'])
  expect(feed.waitedMs).toEqual([1000, 2000])
  const [letter] = await new ChangePump(feed, options).deadLetters()
  expect(letter).toMatchObject({
    change: { id: 'bad' },
    failures: 3,
    error: { name: 'RangeError', message: 'no such customer' },
  })
  expect(letters).toEqual([letter])

  isMended = true
  expect(await pump.retry(['unknown'])).toBe(0)
  expect(await pump.retry(['bad'])).toBe(1)
  expect(await pump.deadLetters()).toEqual([])
  expect(await pump.run()).toMatchObject({ handled: 1, deadLettered: 0 })
  expect(seen.at(-1)).toBe('bad0')
})

test('dead letters are listed, retried and discarded while the pump runs', async () => {
  const feed = stubFeed(['bad', 'worse', 'last'])
  const seen: string[] = []
  const pump: ChangePump<StubChange> = new ChangePump(feed, {
    store: memoryStore(),
    maxFailures: 1,
    async handle({ id }) {
      seen.push(id)
      if (id !== 'last' && seen.length < 3) throw new Error('not yet')
      if (id !== 'last') return
      expect((await pump.deadLetters()).map(({ change }) => change.id)).toEqual(['bad', 'worse'])
      expect(await pump.discard(['worse'])).toBe(1)
      expect(await pump.retry()).toBe(1)
    },
  })

  expect(await pump.run()).toEqual({ handled: 2, deadLettered: 2, duplicates: 0 })
  expect(seen).toEqual(['bad', 'worse', 'last', 'bad'])
  expect(await pump.deadLetters()).toEqual([])
})

test('failures are counted across restarts', async () => {
  const store = memoryStore()
  const feed = stubFeed(['bad'])
  const seen: number[] = []
  const options = (end: AbortController): PumpOptions<StubChange> => ({
    store,
    maxFailures: 3,
    signal: end.signal,
    onTrouble: () => end.abort(new Error('restart')),
    handle: (_, { failures }) => {
      seen.push(failures)
      throw new Error('still bad')
    },
  })
  for (let run = 0; run < 3; run += 1) await new ChangePump(feed, options(new AbortController())).run()

  expect(seen).toEqual([0, 1, 2])
  expect(await new ChangePump(feed, { store, handle: () => {} }).deadLetters()).toHaveLength(1)
})

test('a store serves one pump at a time and belongs to one channel of one feed', async () => {
  const store = memoryStore()
  const feed = stubFeed(['a'])
  const other = new ChangePump(feed, { store, handle: () => {} })
  const pump = new ChangePump(feed, {
    store,
    handle: () => expect(other.run()).rejects.toMatchObject({ name: 'StoreError', reason: 'in_use' }),
  })
  expect(await pump.run()).toMatchObject({ handled: 1 })

  const refused = { name: 'StoreError', reason: 'other_channel' }
  const handle = () => {}
  await expect(new ChangePump(feed, { store, handle, listener: 'desk' }).run()).rejects.toMatchObject(refused)
  await expect(new ChangePump(feed, { store, handle, webhookId: 'w' }).retry()).rejects.toMatchObject(refused)
  await expect(new ChangePump({ ...feed, feed: 'customer' }, { store, handle }).run()).rejects.toMatchObject(refused)
  const elsewhere = { ...feed, owner: () => Promise.resolve('service t') }
  await expect(new ChangePump(elsewhere, { store, handle }).run()).rejects.toThrow(
    "a store in memory belongs to the feed of service s and can't be used for that of service t",
  )
  expect(await other.run()).toMatchObject({ handled: 0 })
})

test.each([
  [{ listener: 'a', webhookId: 'b' }, /one channel/],
  [{ limit: 501 }, /limit/],
  [{ maxFailures: 0 }, /maxFailures/],
  [{ rememberIds: 10 }, /rememberIds/],
])('%j is refused by the constructor', (wrong, sentence) => {
  const options = { store: memoryStore(), handle: () => {}, ...wrong }
  expect(() => new ChangePump(stubFeed([]), options)).toThrow(sentence)
})

test('an attempt is repeated with its first limit, and a late one is reported as a possible loss', async () => {
  const store = memoryStore()
  let isDown = true
  const feed = stubFeed(['a', 'b', 'c'], () => {
    if (isDown) throw new NetworkError('no answer', 'r', null)
  })
  const { ids, handle } = collector()
  const losses: unknown[] = []
  const onPossibleLoss = (loss: unknown): void => void losses.push(loss)
  await expect(new ChangePump(feed, { store, handle, limit: 2 }).run()).rejects.toThrow(NetworkError)
  isDown = false
  const askedAtMs = feed.now()
  feed.pass(300_001)

  await new ChangePump(feed, { store, handle, limit: 50, onPossibleLoss }).run()
  expect(feed.asked.map(({ limit }) => limit)).toEqual([2, 50])
  expect(ids).toEqual(['a', 'b', 'c'])
  expect(losses).toEqual([{ askedAtMs }])
})

test('an unreadable line is ignored at the end and refused in the middle', async () => {
  const store = memoryStore()
  const { handle } = collector()
  await new ChangePump(stubFeed(['a', 'b']), { store, handle }).run()
  const taken = await store.acquire()
  if ('heldBy' in taken) throw new Error(taken.heldBy)
  await taken.hold.append('{"k":"pa', false)
  await taken.hold.release()
  const feed = stubFeed(['b', 'c'])
  expect(await new ChangePump(feed, { store, handle }).run()).toMatchObject({ handled: 1, duplicates: 1 })

  const lines = await store.read()
  const again = await store.acquire()
  if ('heldBy' in again) throw new Error(again.heldBy)
  await again.hold.replace(['damage', ...lines])
  await again.hold.release()
  const pump = new ChangePump(feed, { store, handle })
  await expect(pump.run()).rejects.toMatchObject({ reason: 'damaged' })
  await expect(pump.deadLetters()).rejects.toMatchObject({ reason: 'damaged' })
})

test('follow polls on when the feed is empty, retries temporary failures and ends with the signal', async () => {
  const end = new AbortController()
  const waited: number[] = []
  const pages = [
    { status: 200, json: { changes: [{ id: '1' }], has_more: false } },
    { status: 200, json: { changes: [], has_more: false } },
    refusal(503, 'db.writes_paused', {}, { 'retry-after': '7' }),
    { status: 200, text: 'a captive portal' },
    { status: 200, json: { changes: [{ id: '2' }], has_more: false } },
  ]
  let polls = 0
  await using service = await startStubService(
    ({ path }) => {
      if (path.includes('whoami')) return { status: 200, json: { company_user_id: 'c', service_id: 's' } }
      polls += 1
      return pages[polls - 1] ?? { status: 500 }
    },
    {
      maxWaitSeconds: 0,
      wait: (ms) => {
        waited.push(ms)
        return Promise.resolve()
      },
    },
  )
  const ids: string[] = []
  const result = await service.client.changes
    .pump({
      store: memoryStore(),
      follow: true,
      signal: end.signal,
      handle({ id }) {
        ids.push(id)
        if (id === '2') end.abort()
      },
    })
    .run()

  expect(result).toEqual({ handled: 2, deadLettered: 0, duplicates: 0 })
  expect(ids).toEqual(['1', '2'])
  expect(waited).toEqual([2000, 2000, 7000, 2000])
})

test('an end while the feed is empty leaves no attempt that would look like a loss', async () => {
  const store = memoryStore()
  const feed = stubFeed(['a'])
  const end = new AbortController()
  const wait = (): Promise<void> => {
    end.abort(new Error('over'))
    return Promise.reject(new Error('over'))
  }
  const { handle } = collector()
  await new ChangePump({ ...feed, wait }, { store, handle, follow: true, signal: end.signal }).run()
  expect(feed.asked).toHaveLength(1)

  feed.pass(3_600_000)
  const onPossibleLoss = (): void => expect.fail('nothing was lost')
  await new ChangePump(feed, { store, handle, onPossibleLoss }).run()
})

test('follow does not retry permanent failures', async () => {
  await using service = await startStubService(() => refusal(403, 'auth.client_endpoint_forbidden'))
  const pump = service.client.changes.pump({ store: memoryStore(), handle: () => {}, follow: true })
  await expect(pump.run()).rejects.toMatchObject({ key: 'auth.client_endpoint_forbidden' })
})

test('a company that is a customer pumps its own feed, and cannot use the store of a service', async () => {
  await using region = await startRegion(({ path }) => {
    if (path.startsWith('/api/account')) return { status: 200, json: { ...ACCOUNT, id: 'a' } }
    if (path.startsWith('/api/customer/changes')) {
      return { status: 200, json: { changes: [{ id: '1', event: 'share_changed' }], has_more: false } }
    }
    return refusal(404, 'request.not_found')
  })
  await using frontDoor = await startFrontDoor(() => region.url)
  const { changes } = new CustomerClient({ ...optionsFor(frontDoor), userType: 'company', pins: memoryPins() })
  const store = memoryStore()
  const seen: string[] = []

  await changes.pump({ store, handle: ({ event }) => void seen.push(event) }).run()
  expect(seen).toEqual(['share_changed'])
  const service = new ChangePump(stubFeed(['x']), { store, handle: () => {} })
  await expect(service.run()).rejects.toMatchObject({ reason: 'other_channel' })
})

const ACCOUNT = {
  user_type: 'company',
  email: 'a@b.example',
  level: 'pro',
  display_name: 'A',
  share_code: 'ABCDEF',
  region: 'eu',
  public_key: null,
}
