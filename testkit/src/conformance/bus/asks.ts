import type { AskContract } from '@sealpost/bus'
import { DatabaseFullError, runStatement } from '@sealpost/postgres'
import { ApiError, refuse } from '@sealpost/protocol'
import { recordingTelemetry } from '@sealpost/telemetry'
import { expect, test } from 'vitest'
import { waitUntil } from '../../engines/wait-until.ts'
import { scaled } from '../../slowness.ts'
import { type BusParty, type BusSite, DIRECTORY, echo, EU, ids, record, US, writeHeard } from './site.ts'

export function describeAsks(site: () => BusSite): void {
  test('an ask is answered by the asked party, also by the directory and by the own region', async () => {
    const eu = await site().open(EU, { register: (bus) => answering(bus, 'eu') })
    const us = await site().open(US, { register: (bus) => answering(bus, 'us') })
    const directory = await site().open(DIRECTORY, { register: (bus) => answering(bus, 'directory') })
    expect(await eu.bus.ask(echo, { to: US, body: { text: 'x' } })).toEqual({ text: 'us heard x from eu' })
    expect(await eu.bus.ask(echo, { to: DIRECTORY, body: { text: 'x' } })).toEqual({
      text: 'directory heard x from eu',
    })
    expect(await directory.bus.ask(echo, { to: US, body: { text: 'x' } })).toEqual({
      text: 'us heard x from directory',
    })
    expect(await eu.bus.ask(echo, { to: EU, body: { text: 'x' } })).toEqual({ text: 'eu heard x from eu' })
    await Promise.all([eu.close(), us.close(), directory.close()])
  })

  test('asked again with the same id, the stored outcome is answered and the effect happens once', async () => {
    const eu = await site().open(EU)
    const us = await site().open(US, { register: registerRecord })
    const id = ids.uuid()
    const ask = () => eu.bus.ask(record, { to: US, id, body: { text: 'once' } })
    // At the same time and one after the other.
    const answers = await Promise.all([ask(), ask(), ask()])
    answers.push(await ask())
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(await us.heard()).toEqual(['once'])
    await Promise.all([eu.close(), us.close()])
  })

  test('a refusal travels back as it was thrown, is stored, and leaves nothing behind', async () => {
    let runs = 0
    const eu = await site().open(EU)
    const us = await site().open(US, {
      register: (bus) =>
        bus.onAsk(record, async (tx, { from, id, body }) => {
          runs += 1
          await writeHeard(tx, { from, key: id, body })
          throw refuse('region.rebase_required', { api_url: 'https://eu.example' })
        }),
    })
    const id = ids.uuid()
    const ask = () => eu.bus.ask(record, { to: US, id, body: { text: 'no' } }).catch((error: unknown) => error)
    const [first, again] = [await ask(), await ask()]
    for (const error of [first, again]) {
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({
        key: 'region.rebase_required',
        status: 421,
        details: { api_url: 'https://eu.example' },
      })
    }
    expect(runs).toBe(1)
    expect(await us.heard()).toEqual([])
    await Promise.all([eu.close(), us.close()])
  })

  test('a refusal that may be over in a moment is not stored', async () => {
    let isPaused = true
    const eu = await site().open(EU)
    const us = await site().open(US, {
      register: (bus) =>
        bus.onAsk(record, (_tx, { body }) =>
          isPaused ? Promise.reject(refuse('db.writes_paused')) : Promise.resolve(body),
        ),
    })
    const ask = { to: US, id: ids.uuid(), body: { text: 'later' } }
    await expect(eu.bus.ask(record, ask)).rejects.toMatchObject({ key: 'db.writes_paused', retryAfterSeconds: 30 })
    isPaused = false
    expect(await eu.bus.ask(record, ask)).toEqual({ text: 'later' })
    await Promise.all([eu.close(), us.close()])
  })

  test('a fault of the handler is an internal error, tells nothing of the body, and can be asked again', async () => {
    const telemetry = recordingTelemetry()
    let isBroken = true
    const eu = await site().open(EU)
    const us = await site().open(US, {
      telemetry,
      register: (bus) =>
        bus.onAsk(record, (_tx, { body }) => (isBroken ? Promise.reject(new Error('oops')) : Promise.resolve(body))),
    })
    const ask = { to: US, id: ids.uuid(), body: { text: 'a secret verifier' } }
    await expect(eu.bus.ask(record, ask)).rejects.toMatchObject({ key: 'platform.internal_error' })
    isBroken = false
    expect(await eu.bus.ask(record, ask)).toEqual({ text: 'a secret verifier' })
    expect(telemetry.text()).toContain('an ask could not be answered')
    expect(telemetry.text()).not.toContain('secret verifier')
    await Promise.all([eu.close(), us.close()])
  })

  test('an ask that the other release does not know, or words differently, is 503 region.unreachable', async () => {
    const telemetry = recordingTelemetry()
    const eu = await site().open(EU)
    const us = await site().open(US, { telemetry, register: (bus) => answering(bus, 'us') })
    const newer: AskContract<unknown, { text: string }> = { ...echo, command: 'test.newer', parse: (body) => body }
    const reworded: AskContract<unknown, { text: string }> = { ...echo, parse: (body) => body }
    const otherReply: AskContract<{ text: string }, never> = { ...echo, parseReply: () => expect.fail('quotes x') }
    for (const asking of [
      eu.bus.ask(newer, { to: US, body: {} }),
      eu.bus.ask(reworded, { to: US, body: { words: 'a secret verifier' } }),
      eu.bus.ask(otherReply, { to: US, body: { text: 'x' } }),
    ]) {
      const error: unknown = await asking.catch((refused: unknown) => refused)
      expect(error).toMatchObject({ key: 'region.unreachable', status: 503, retryAfterSeconds: 5 })
      expect(String(error)).toContain('another release')
    }
    expect(telemetry.text()).toContain('no handler for an ask')
    expect(telemetry.text()).not.toContain('secret verifier')
    await Promise.all([eu.close(), us.close()])
  })

  test('an engine that fails the asked party is 503 platform.busy for the asker, and nothing is stored', async () => {
    let isFull = true
    const eu = await site().open(EU)
    const us = await site().open(US, {
      register: (bus) =>
        bus.onAsk(record, (_tx, { body }) =>
          isFull ? Promise.reject(new DatabaseFullError('no space left on device')) : Promise.resolve(body),
        ),
    })
    const ask = { to: US, id: ids.uuid(), body: { text: 'x' } }
    await expect(eu.bus.ask(record, ask)).rejects.toMatchObject({ key: 'platform.busy', retryAfterSeconds: 30 })
    isFull = false
    expect(await eu.bus.ask(record, ask)).toEqual({ text: 'x' })
    await Promise.all([eu.close(), us.close()])
  })

  test('an outcome is kept for ten minutes', async () => {
    const eu = await site().open(EU)
    const us = await site().open(US, { register: registerRecord })
    const ask = { to: US, id: ids.uuid(), body: { text: 'x' } }
    await eu.bus.ask(record, ask)
    const [row] = await us.rows(
      'select extract(epoch from expires_at - $1::timestamptz) as seconds from bus.ask_outcome',
      [new Date().toISOString()],
    )
    expect(Math.round(Number(row?.seconds) / 60)).toBe(10)
    await us.run(`update bus.ask_outcome set expires_at = expires_at - interval '11 minutes'`)
    await eu.bus.ask(record, ask)
    expect(await us.heard()).toHaveLength(2)
    await Promise.all([eu.close(), us.close()])
  })

  test('asking a region with no process, or with no NATS, is refused as region.unreachable within the time limit', async () => {
    const eu = await site().open(EU)
    const limitMs = 3000
    const ask = async () => {
      const startedMs = performance.now()
      const error = await eu.bus.ask(echo, { to: US, body: { text: 'x' }, timeoutMs: limitMs }).catch((e: unknown) => e)
      return { error, tookMs: performance.now() - startedMs }
    }
    const withoutProcess = await ask()
    await site().nats.us.kill()
    const withoutNats = await ask()
    await site().nats.us.start()
    for (const { error, tookMs } of [withoutProcess, withoutNats]) {
      expect(error).toMatchObject({ key: 'region.unreachable', status: 503, retryAfterSeconds: 5 })
      expect(tookMs).toBeLessThan(limitMs)
    }
    await eu.close()
  })

  test('an answer that takes longer than the time limit is region.unreachable, and its outcome is found later', async () => {
    const gate = Promise.withResolvers<void>()
    const eu = await site().open(EU)
    const us = await site().open(US, {
      register: (bus) =>
        bus.onAsk(record, async (tx, { from, id, body }) => {
          await writeHeard(tx, { from, key: id, body })
          await gate.promise
          return body
        }),
    })
    const ask = { to: US, id: ids.uuid(), body: { text: 'slow' } }
    await expect(eu.bus.ask(record, { ...ask, timeoutMs: 300 })).rejects.toMatchObject({ key: 'region.unreachable' })
    gate.resolve()
    expect(await eu.bus.ask(record, ask)).toEqual({ text: 'slow' })
    expect(await us.heard()).toEqual(['slow'])
    await Promise.all([eu.close(), us.close()])
  })

  test('asks that a frozen NATS hands over after their askers gave up are not answered', async () => {
    const eu = await site().open(EU)
    const us = await site().open(US, { register: registerRecord })
    const ask = (text: string, timeoutMs = 10_000) =>
      eu.bus.ask(record, { to: US, id: ids.uuid(), body: { text }, timeoutMs })
    // The fastest of them shows the difference of the clocks; a slow one hides as much of the age of later asks.
    const before = ['first', 'second', 'third', 'fourth', 'fifth']
    for (const text of before) await ask(text)
    await site().nats.us.freeze()
    // It keeps the server frozen for longer than the others wait.
    const longest = eu.bus.ask(echo, { to: US, body: { text: 'x' }, timeoutMs: 2_000 })
    const given = await Promise.allSettled([...['one', 'two', 'three'].map((text) => ask(text, 300)), longest])
    site().nats.us.thaw()
    await ask('after')
    expect(given.every(({ status }) => status === 'rejected')).toBe(true)
    expect(await us.heard()).toEqual([...before, 'after'])
    await Promise.all([eu.close(), us.close()])
  })

  test('a NATS that was frozen for longer than its connections live is used again at once', async () => {
    const eu = await site().open(EU)
    const us = await site().open(US, { register: registerRecord })
    const ask = (timeoutMs = 1_000) => eu.bus.ask(record, { to: US, id: ids.uuid(), body: { text: 'x' }, timeoutMs })
    await ask(10_000)
    await site().nats.us.freeze()
    await waitUntil('the loss is noticed', scaled(20_000), async () =>
      (await eu.bus.health()).awayCarriers.includes(US),
    )
    await expect(ask()).rejects.toMatchObject({ key: 'region.unreachable' })
    site().nats.us.thaw()
    await expect
      .poll(
        () =>
          ask().then(
            () => 'answered',
            () => 'refused',
          ),
        { timeout: scaled(3_000) },
      )
      .toBe('answered')
    await Promise.all([eu.close(), us.close()])
  })

  test('asking inside a transaction is caught in tests: it would hold its locks for as long as another region likes', async () => {
    const eu = await site().open(EU)
    const asking = eu.database.transaction(() => eu.bus.ask(echo, { to: US, body: { text: 'x' } }))
    await expect(asking).rejects.toThrow('inside a transaction')
    await eu.close()
  })

  test('a process that ends answers the asks it has, delays no other process, and gets no more asks', async () => {
    const eu = await site().open(EU)
    const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = await site().open(US, {
      register: (bus) =>
        bus.onRead(echo, async ({ body }) => {
          // What was on its way when it began to end still reaches it.
          if (body.text !== 'slow') return { text: `heard ${body.text}` }
          entered.resolve()
          await gate.promise
          return { text: 'the slow one' }
        }),
    })
    const asked = eu.bus.ask(echo, { to: US, body: { text: 'slow' } })
    await entered.promise
    const other = await site().open(US, { database: slow.databaseName, register: (bus) => answering(bus, 'the other') })
    const ended = slow.close()
    const meanwhile = await Promise.all(['1', '2', '3'].map((text) => eu.bus.ask(echo, { to: US, body: { text } })))
    expect(meanwhile.map(({ text }) => /heard (\d)/.exec(text)?.[1])).toEqual(['1', '2', '3'])
    gate.resolve()
    expect(await asked).toEqual({ text: 'the slow one' })
    await ended
    const later = await Promise.all(['4', '5', '6'].map((text) => eu.bus.ask(echo, { to: US, body: { text } })))
    expect(later.map(({ text }) => text)).toEqual(['4', '5', '6'].map((text) => `the other heard ${text} from eu`))
    await Promise.all([eu.close(), other.close()])
  })

  test('a destination that is out of order says so', async () => {
    const eu = await site().open(EU)
    const us = await site().open(US, { switches: { isOutOfOrder: () => true }, register: registerRecord })
    const ask = eu.bus.ask(record, { to: US, id: ids.uuid(), body: { text: 'x' } })
    await expect(ask).rejects.toMatchObject({ key: 'platform.out_of_order', status: 503 })
    await Promise.all([eu.close(), us.close()])
  })

  test('while writes are paused effects are refused, reads answered, and what says so goes on', async () => {
    const eu = await site().open(EU)
    const exempt = { ...record, command: 'test.exempt', worksWhilePaused: true }
    let isPaused = true
    const us = await site().open(US, {
      switches: { isPaused: () => isPaused },
      register(bus) {
        registerRecord(bus)
        answering(bus, 'us')
        bus.onAsk(exempt, (_tx, { body }) => Promise.resolve(body))
      },
    })
    const ask = { to: US, id: ids.uuid(), body: { text: 'x' } }
    await expect(eu.bus.ask(record, ask)).rejects.toMatchObject({ key: 'db.writes_paused', status: 503 })
    expect(await eu.bus.ask(echo, { to: US, body: { text: 'hello' } })).toEqual({ text: 'us heard hello from eu' })
    expect(await eu.bus.ask(exempt, { ...ask, id: ids.uuid() })).toEqual({ text: 'x' })
    isPaused = false
    expect((await eu.bus.ask(record, ask)).text).toContain('row')
    await Promise.all([eu.close(), us.close()])
  })
}

function registerRecord(bus: BusParty['bus']): void {
  bus.onAsk(record, async (tx, { from, id, body }) => {
    await writeHeard(tx, { from, key: id, body })
    const [row] = await runStatement<{ no: number }>(tx, 'select max(no) as no from heard', [])
    return { text: `row ${row?.no}` }
  })
}

function answering(bus: BusParty['bus'], name: string): void {
  bus.onRead(echo, ({ body, from }) => Promise.resolve({ text: `${name} heard ${body.text} from ${from}` }))
}
