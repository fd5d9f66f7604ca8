import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { type Attachments, INLINE_BODY_BYTES } from '@sealpost/bus'
import { runStatement } from '@sealpost/postgres'
import { afterAll, expect, test } from 'vitest'
import { waitUntil } from '../../engines/wait-until.ts'
import { type BusSite, echo, EU, note, US, WAIT_MS } from './site.ts'

export function describeAttachments(site: () => BusSite): void {
  const stores: ObjectStore[] = []
  const openStore = async (name: string): Promise<ObjectStore> => {
    const store = await openObjectStore(name)
    stores.push(store)
    return store
  }
  afterAll(async () => {
    for (const store of stores) await store.close()
  })

  test('a large file is copied into the receiver’s store, and the handler gets its own object key', async () => {
    const [euStore, usStore] = [await openStore('eu'), await openStore('us')]
    const { eu, us } = await openBoth(site(), euStore, usStore)
    const file = Buffer.alloc(INLINE_BODY_BYTES * 2, 'sealed ')
    await tellFile(eu, euStore, file)
    const [row] = await waitForRow(us)
    expect(usStore.objects.get(String(row?.attachment))).toEqual(file)
    expect(usStore.objects.size).toBe(1)
    expect(await us.rows('select object_key as attachment from kept')).toEqual([row])
    await eu.waitUntilConfirmed()
    await Promise.all([eu.close(), us.close()])
  })

  test('a copy that fails or is not the promised file holds the key; a fresh link is made for every try', async () => {
    const [euStore, usStore] = [await openStore('eu'), await openStore('us')]
    const { eu, us } = await openBoth(site(), euStore, usStore)
    const file = Buffer.from('the promised file')
    euStore.isSpoiled = true
    await tellFile(eu, euStore, file)
    const failing = async () => (await us.bus.health()).failingLanes
    await waitUntil('the failure shows', WAIT_MS, async () => ((await failing())[0]?.attempts ?? 0) >= 2)
    expect((await failing())[0]?.error).toContain('other bytes')
    expect(usStore.objects.size).toBe(0)
    euStore.isSpoiled = false
    await waitForRow(us)
    expect(euStore.presigned).toBeGreaterThanOrEqual(3)
    await Promise.all([eu.close(), us.close()])
  })

  test('a tell whose file the sender no longer has is applied without it', async () => {
    const [euStore, usStore] = [await openStore('eu'), await openStore('us')]
    const { eu, us } = await openBoth(site(), euStore, usStore)
    await tellFile(eu, euStore, Buffer.from('deleted since the backup'), { isLost: true })
    expect(await waitForRow(us)).toEqual([{ attachment: null }])
    await eu.waitUntilConfirmed()
    await Promise.all([eu.close(), us.close()])
  })

  test('a copy that the handler could not use is removed again', async () => {
    const [euStore, usStore] = [await openStore('eu'), await openStore('us')]
    const eu = await site().open(EU, { attachments: euStore.port })
    const us = await site().open(US, {
      attachments: usStore.port,
      register: (bus) => bus.onTell(note, () => Promise.reject(new Error('not now'))),
    })
    await tellFile(eu, euStore, Buffer.from('file'))
    await waitUntil('the failure shows', WAIT_MS, async () => (await us.bus.health()).failingLanes.length > 0)
    await waitUntil('the copy is gone', WAIT_MS, () => usStore.removed > 0 && usStore.objects.size === 0)
    // `keep` was rolled back with the handler's writes: the object is still on the list that the sweep reads.
    expect(await us.rows('select object_key from kept')).toEqual([])
    await Promise.all([eu.close(), us.close()])
  })

  test('a copy that its owner removes before it is used is made anew', async () => {
    const [euStore, usStore] = [await openStore('eu'), await openStore('us')]
    usStore.isSwept = true
    const { eu, us } = await openBoth(site(), euStore, usStore)
    await tellFile(eu, euStore, Buffer.from('file'))
    const failing = async () => (await us.bus.health()).failingLanes
    await waitUntil('the failure shows', WAIT_MS, async () => (await failing())[0]?.error.includes('swept') === true)
    expect(await us.rows('select text from heard')).toEqual([])
    usStore.isSwept = false
    const [row] = await waitForRow(us)
    expect(usStore.objects.get(String(row?.attachment))).toEqual(Buffer.from('file'))
    await Promise.all([eu.close(), us.close()])
  })

  test('a tell with a body over 256 KiB arrives whole and in order, through the store of its sender', async () => {
    const [euStore, usStore] = [await openStore('eu'), await openStore('us')]
    const { eu, us } = await openBoth(site(), euStore, usStore)
    const large = 'ü'.repeat(INLINE_BODY_BYTES)
    euStore.isSpoiled = true
    for (const text of ['before', large, 'after']) await eu.tellNote(US, 'k', text)
    const failing = async () => (await us.bus.health()).failingLanes
    await waitUntil('the failure shows', WAIT_MS, async () => (await failing())[0]?.error.includes('promised') === true)
    euStore.isSpoiled = false
    await us.waitUntilHeard(3)
    expect((await us.rows('select text from heard')).map(({ text }) => text)).toEqual(['before', large, 'after'])
    await eu.waitUntilConfirmed()
    await Promise.all([eu.close(), us.close()])
  })

  test('an ask and an answer over 256 KiB are carried too, and the body of the ask is deleted afterwards', async () => {
    const [euStore, usStore] = [await openStore('eu'), await openStore('us')]
    const eu = await site().open(EU, { attachments: euStore.port })
    const us = await site().open(US, {
      attachments: usStore.port,
      register: (bus) => bus.onRead(echo, ({ body }) => Promise.resolve({ text: `${body.text}!` })),
    })
    const text = 'x'.repeat(2 * INLINE_BODY_BYTES)
    expect((await eu.bus.ask(echo, { to: US, body: { text } })).text === `${text}!`).toBe(true)
    await waitUntil('the body is deleted', WAIT_MS, () => euStore.objects.size === 0)
    euStore.isSpoiled = true
    await expect(eu.bus.ask(echo, { to: US, body: { text } })).rejects.toMatchObject({ key: 'region.unreachable' })
    await Promise.all([eu.close(), us.close()])
  })

  test('without an object store an attachment is refused where it is told', async () => {
    const eu = await site().open(EU)
    const attachment = { objectKey: 'x', sha256: 'x', bytes: 1 }
    const telling = eu.database.transaction((tx) =>
      eu.bus.tell(tx, note, { to: US, key: 'k', body: { text: 'x' }, attachment }),
    )
    await expect(telling).rejects.toThrow('no object store')
    await eu.close()
  })
}

type Opened = Awaited<ReturnType<BusSite['open']>>

async function openBoth(
  site: BusSite,
  euStore: ObjectStore,
  usStore: ObjectStore,
): Promise<{ eu: Opened; us: Opened }> {
  const eu = await site.open(EU, { attachments: euStore.port })
  const us = await site.open(US, {
    attachments: usStore.port,
    register: (bus) =>
      bus.onTell(note, async (tx, { body, attachment }) => {
        const values = [body.text, attachment?.objectKey]
        await runStatement(tx, 'insert into heard (text, attachment) values ($1, $2)', values)
      }),
  })
  return { eu, us }
}

async function tellFile(from: Opened, store: ObjectStore, file: Buffer, { isLost = false } = {}): Promise<void> {
  const objectKey = `outgoing/${store.objects.size}`
  if (!isLost) store.objects.set(objectKey, file)
  const attachment = { objectKey, sha256: sha256(file), bytes: file.length }
  await from.database.transaction((tx) =>
    from.bus.tell(tx, note, { to: US, key: 'files', body: { text: 'a file' }, attachment }),
  )
}

async function waitForRow(party: Opened): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await party.waitUntilHeard(1)
  return party.rows('select attachment from heard')
}

/** Objects in memory, readable over HTTP on loopback, as presigned links would make them. */
interface ObjectStore {
  readonly objects: Map<string, Buffer>
  readonly port: Attachments
  presigned: number
  removed: number
  /** Serves other bytes than were stored. */
  isSpoiled: boolean
  /** Removes copies before a transaction keeps them. */
  isSwept: boolean
  close(): Promise<void>
}

async function openObjectStore(name: string): Promise<ObjectStore> {
  const server = createServer((request, response) => {
    const found = store.objects.get(decodeURIComponent(request.url?.slice(1) ?? ''))
    response.end(store.isSpoiled ? 'spoiled' : found)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const store: ObjectStore = {
    objects: new Map(),
    presigned: 0,
    removed: 0,
    isSpoiled: false,
    isSwept: false,
    port: {
      presign(objectKey) {
        store.presigned += 1
        return Promise.resolve(`http://127.0.0.1:${port}/${encodeURIComponent(objectKey)}`)
      },
      has: (objectKey) => Promise.resolve(store.objects.has(objectKey)),
      async copyIn(url, expected) {
        const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
        if (sha256(bytes) !== expected) throw new Error('other bytes than promised')
        const objectKey = `${name}/${store.objects.size}`
        store.objects.set(objectKey, bytes)
        return objectKey
      },
      async keep(tx, objectKey) {
        if (store.isSwept) throw new Error('swept')
        await runStatement(tx, 'insert into kept (object_key) values ($1)', [objectKey])
      },
      remove(objectKey) {
        store.removed += 1
        store.objects.delete(objectKey)
        return Promise.resolve()
      },
      store(bytes) {
        const objectKey = `${name}/body/${store.objects.size}`
        store.objects.set(objectKey, Buffer.from(bytes))
        return Promise.resolve(objectKey)
      },
      async fetch(url, expected) {
        const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
        if (sha256(bytes) !== expected.sha256) throw new Error('other bytes than promised')
        return bytes
      },
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return store
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
