import { plainPdf } from '@sealpost/pdf-format/testing'
import { bodyOf, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { copyPath, DOCUMENTS, sendTo, sha256 } from './testing/documents.ts'
import { handOver, offerPdf, readSealed } from './testing/pdf-contracts.ts'

const world = await openWorld()
const company = await world.company()
const customer = await world.company({ region: 'us' })
const DEADLINE_MS = 15_000

type Answering = Promise<{ readonly status: number }>

/** A contract at a connection of its own, and the acts that may meet on it. */
async function offer(members: Readonly<Record<string, unknown>> = {}) {
  const own = await world.service([], { company })
  const link = await customer.connected(own)
  const { id, content_sha256 } = await sendTo(own, customer, link, { kind: 'subscription', ...members })
  const path = copyPath(link, id)
  await waitUntil('the copy has arrived', DEADLINE_MS, async () => (await customer.calls('GET', path)).status === 200)
  const act = (name: string, body: object = {}): Answering => customer.calls('POST', `${path}/${name}`, { body })
  const statuses = async () => {
    const [theirs, ours] = await Promise.all([customer.calls('GET', path), own.data('GET', `${DOCUMENTS}/${id}`)])
    return [theirs.body['status'] ?? theirs.status, ours.body['status'] ?? ours.status]
  }
  return {
    id,
    statuses,
    read: () => bodyOf(own.data('GET', `${DOCUMENTS}/${id}`)),
    sign: () => act('sign', { method: 'custodian', content_sha256 }),
    decline: () => act('decline'),
    cancel: () => act('cancel'),
    erase: (): Answering => own.data('DELETE', `${DOCUMENTS}/${id}`),
    end: (): Answering => own.data('PUT', `${DOCUMENTS}/${id}`, { body: { status: 'ended' } }),
    disconnect: (): Answering => customer.calls('DELETE', `/api/company-connections/${link}`),
    endConnection: (): Answering => own.data('DELETE', `/api/company-data/connections/${link}`),
  }
}

type Offer = Awaited<ReturnType<typeof offer>>

test('fifty signatures at once record one', async () => {
  const contract = await offer()
  const answers = await Promise.all(Array.from({ length: 50 }, () => contract.sign()))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  expect(await contract.read()).toMatchObject({ status: 'active', signatures: [{ action: 'signed' }] })
  expect(await contract.statuses()).toEqual(['active', 'active'])
})

test('signatures of a PDF at once record one and store one sealed file', async () => {
  const own = await world.service([], { company })
  const contract = await offerPdf(own, customer, await customer.connected(own), { plain: plainPdf() })
  const body = { ...(await handOver(contract)), method: 'custodian' }
  const sign = (): Answering => customer.calls('POST', `${contract.path}/sign`, { body })
  const answers = await Promise.all(Array.from({ length: 6 }, sign))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
  const document = await bodyOf(own.data('GET', `${DOCUMENTS}/${contract.id}`))
  expect(document).toMatchObject({ status: 'active', signatures: [{ action: 'signed' }] })
  expect(document['plain_sha256']).toBe(sha256(await readSealed(customer, contract)))
})

/** The outcomes that either order may have; any other is a mixture. */
const crossings: readonly (readonly [string, (contract: Offer) => Answering, readonly (readonly unknown[])[]])[] = [
  [
    'a decline',
    ({ decline }) => decline(),
    [
      ['active', 'active'],
      ['ended', 'ended'],
    ],
  ],
  [
    'a cancellation',
    ({ cancel }) => cancel(),
    [
      ['active', 'active'],
      ['ended', 'ended'],
    ],
  ],
  ['the end by the company', ({ end }) => end(), [['ended', 'ended']]],
  [
    'a deletion',
    ({ erase }) => erase(),
    [
      ['active', 'active'],
      [404, 404],
    ],
  ],
  [
    'a disconnection',
    ({ disconnect }) => disconnect(),
    [
      ['active', 'active'],
      [404, 'ended'],
    ],
  ],
  [
    'the end of the connection by the service',
    ({ endConnection }) => endConnection(),
    [
      ['active', 'active'],
      [404, 'ended'],
    ],
  ],
]

test.each(crossings)('a signature that meets %s has one outcome on both sides', async (_name, meet, outcomes) => {
  for (const order of ['signature first', 'signature last'] as const) {
    const contract = await offer()
    const acts = order === 'signature first' ? [contract.sign(), meet(contract)] : [meet(contract), contract.sign()]
    const answers = await Promise.all(acts)
    expect(answers.some(({ status }) => status < 300)).toBe(true)
    const texts = outcomes.map((outcome) => JSON.stringify(outcome))
    await expect.poll(async () => texts.includes(JSON.stringify(await contract.statuses()))).toBe(true)
  }
})

test('a cancellation that meets the end by the company has one outcome on both sides', async () => {
  const contract = await offer({ requires_signature: false })
  await Promise.all([contract.cancel(), contract.end()])
  await expect.poll(contract.statuses).toEqual(['ended', 'ended'])
  expect(await contract.disconnect()).toMatchObject({ status: 204 })
})

test('acts one after the other, in both orders', async () => {
  const declined = await offer()
  expect(await declined.decline()).toMatchObject({ status: 200 })
  expect(await declined.sign()).toMatchObject({ status: 409 })
  const signed = await offer()
  expect(await signed.sign()).toMatchObject({ status: 200 })
  expect(await signed.decline()).toMatchObject({ status: 409 })
  expect(await signed.erase()).toMatchObject({ status: 409 })
  expect(await signed.disconnect()).toMatchObject({ status: 409 })
  expect(await signed.end()).toMatchObject({ status: 200 })
  expect(await signed.disconnect()).toMatchObject({ status: 204 })
  const erased = await offer()
  expect(await erased.erase()).toMatchObject({ status: 204 })
  expect(await erased.sign()).toMatchObject({ status: 404 })
})
