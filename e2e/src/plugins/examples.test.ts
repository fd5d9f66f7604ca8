import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  createCryptoPlatform,
  generateKeyPair,
  importOpeningKey,
  importSealingKey,
  openWrapper,
  sealWrapper,
} from '@sealpost/crypto'
import { bundledPrograms } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { startExample } from './example.ts'

const run = promisify(execFile)
const platform = createCryptoPlatform(globalThis)
const reply = await generateKeyPair(platform)

async function check(
  url: string,
  ...words: readonly string[]
): Promise<{ failed: number; findings: { check: string }[] }> {
  const command = join(await bundledPrograms(), 'command/sealpost.js')
  const { stdout } = await run(process.execPath, [command, 'plugin', 'check', url, '--json', ...words])
  return JSON.parse(stdout)
}

/** Asks as a client does, without the forwarder in between. */
async function ask(url: string, question: object): Promise<unknown> {
  const manifest = (await (await fetch(`${url}/manifest`)).json()) as { public_key: string }
  const key = await importSealingKey(platform, manifest.public_key)
  const text = JSON.stringify({ picks: {}, values: {}, inputs: {}, reply_key: reply.publicKey, ...question })
  const sealed = key.ok ? await sealWrapper(platform, key.value, text) : key
  if (!sealed.ok) throw new Error(sealed.refusal)
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/call`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ request: sealed.value }),
  })
  const body = (await answer.json()) as { reply: string }
  const opening = await importOpeningKey(platform, reply.privateKey)
  const opened = opening.ok ? await openWrapper(platform, opening.value, body.reply) : opening
  return opened.ok ? JSON.parse(opened.value) : opened.refusal
}

test('the car plugin leads from brand to model to engine, and passes the check', async () => {
  await using cars = await startExample('car-plugin')
  const options = (block: string, picks: object) =>
    ask(cars.url, { field_type: 'car', op: 'options', block, query: '', picks })
  expect(await options('model', { brand: 'volvo' })).toMatchObject({ options: [{ id: 'ex30' }, { id: 'xc60' }] })
  expect(await options('engine', { brand: 'renault', model: 'clio' })).toMatchObject({
    options: [{ id: 'tce90' }, { id: 'etech145' }],
  })
  expect(await options('engine', { brand: 'volvo', model: 'clio' })).toEqual({ options: [], more: false })
  const outputs = (picks: object) => ask(cars.url, { field_type: 'car', op: 'outputs', picks })
  expect(await outputs({ brand: 'volvo', model: 'ex30', engine: 'twin' })).toEqual({
    outputs: { power_kw: 315, electric: true, co2: null },
  })
  expect(await outputs({ brand: 'renault', model: 'ex30', engine: 'twin' })).toEqual({ picks_invalid: true })
  const { failed, findings } = await check(cars.url)
  expect(failed).toBe(0)
  expect(findings.map((finding) => finding.check)).toEqual(
    expect.arrayContaining(['options.depends', 'outputs.picks_invalid']),
  )
})

test('the loan plugin computes the rate from wired inputs, and passes the check', async () => {
  await using loans = await startExample('loan-plugin')
  const inputs = { amount: 12_000, months: 48, start: '2026-01-31' }
  const products = (given: object) =>
    ask(loans.url, { field_type: 'loan_offer', op: 'options', block: 'product', query: '', inputs: given })
  expect(await products(inputs)).toEqual({
    options: [
      { id: 'classic', label: 'Classic' },
      { id: 'green', label: 'Green renovation' },
    ],
    more: false,
  })
  const offer = (product: string, given: object) =>
    ask(loans.url, { field_type: 'loan_offer', op: 'outputs', picks: { product }, inputs: given })
  // 12,000 over 48 months at 4.9 % a year: the annuity formula gives 275.81.
  expect(await offer('classic', inputs)).toEqual({
    outputs: { monthly_rate: 275.81, total: 13_238.88, interest: 4.9, last_payment: '2029-12-31' },
  })
  expect(await offer('classic', { amount: 12_000, months: 48 })).toMatchObject({ outputs: { last_payment: null } })
  expect(await offer('express', inputs)).toEqual({ picks_invalid: true })
  const { failed, findings } = await check(loans.url, '--input', 'amount=12000', '--input', 'months=48')
  expect(failed).toBe(0)
  expect(findings.map((finding) => finding.check)).toContain('outputs.shape')
})
