import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dnsResolver, rememberAnswers } from './resolver.ts'

const A = 1
const AAAA = 28
const RECORDS: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  'both.example': { [A]: ['c0000201', 'c0000202'], [AAAA]: ['20010db8000000000000000000000001'] },
  'four.example': { [A]: ['c0000201'], [AAAA]: [] },
  'six.example': { [A]: [], [AAAA]: ['20010db8000000000000000000000001'] },
  'lame.example': { [A]: ['c0000201'] },
  'empty.example': { [A]: [], [AAAA]: [] },
}

/** A name server of our own on loopback: no query leaves this machine. */
const server = createSocket('udp4')
let resolver: ReturnType<typeof dnsResolver>

beforeAll(async () => {
  server.on('message', (query, from) => {
    const reply = answer(query)
    if (reply !== null) server.send(reply, from.port, from.address)
  })
  await new Promise<void>((resolve) => void server.bind(0, '127.0.0.1', resolve))
  resolver = dnsResolver({ servers: [`127.0.0.1:${server.address().port}`] })
})
afterAll(() => void server.close())

test('both families of addresses are found', async () => {
  expect(await resolver.resolve('both.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
})

test('a name with one family resolves', async () => {
  expect(await resolver.resolve('four.example')).toEqual(['192.0.2.1'])
  expect(await resolver.resolve('six.example')).toEqual(['2001:db8::1'])
})

test('a name server that is silent about IPv6 does not delay IPv4', async () => {
  expect(await resolver.resolve('lame.example')).toEqual(['192.0.2.1'])
})

test('a name without addresses and a name that does not exist are told apart', async () => {
  await expect(resolver.resolve('empty.example')).rejects.toMatchObject({ code: 'ENODATA' })
  await expect(resolver.resolve('missing.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('localhost is loopback without a query', async () => {
  expect(await resolver.resolve('hooks.localhost')).toEqual(['127.0.0.1', '::1'])
})

test('concurrent requests for a name share one query, and a later one asks again', async () => {
  let asked = 0
  let nowMs = 0
  const remembering = rememberAnswers(
    { resolve: async () => [`192.0.2.${(asked += 1)}`] },
    { keepMs: 1_000, nowMs: () => nowMs },
  )
  const both = await Promise.all([remembering.resolve('a.example'), remembering.resolve('a.example')])
  expect(both).toEqual([['192.0.2.1'], ['192.0.2.1']])
  nowMs = 999
  expect(await remembering.resolve('a.example')).toEqual(['192.0.2.1'])
  nowMs = 1_000
  expect(await remembering.resolve('a.example')).toEqual(['192.0.2.2'])
})

test('a failure is not cached', async () => {
  let asked = 0
  const remembering = rememberAnswers({
    async resolve() {
      asked += 1
      if (asked === 1) throw new Error('not now')
      return ['192.0.2.1']
    },
  })
  await expect(remembering.resolve('a.example')).rejects.toThrow('not now')
  expect(await remembering.resolve('a.example')).toEqual(['192.0.2.1'])
})

/** Null for a query that is left unanswered. */
function answer(query: Buffer): Buffer | null {
  const { name, type, end } = readQuestion(query)
  const records = RECORDS[name]
  if (records !== undefined && records[type] === undefined) return null
  const data = records?.[type] ?? []
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(records === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(data.length, 6)
  header.writeUInt16BE(0, 10)
  const answers = data.map((hex) => {
    const address = Buffer.from(hex, 'hex')
    const fixed = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, address.length])
    return Buffer.concat([fixed, address])
  })
  return Buffer.concat([header, query.subarray(12, end), ...answers])
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}
