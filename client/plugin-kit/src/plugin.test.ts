import { expect, test } from 'vitest'
import { ask, call, openReply, sealQuestion } from '../test/ask.ts'
import { car, country, openCars, testKey } from '../test/car-plugin.ts'
import { isVouched } from '../test/vouching.ts'
import { createPrivateKey, fieldType, openPlugin } from './index.ts'

const plugin = await openCars()
const FILLED = {
  picks: { brand: 'volvo', model: 'xc40' },
  values: { mileage: 50_000, since: '2020-03-01' },
  inputs: { budget: 36_000 },
}

const options = (block: string, more: object = {}) => ({
  field_type: 'car',
  op: 'options',
  block,
  query: '',
  picks: {},
  values: {},
  inputs: { budget: 1 },
  ...more,
})
const outputs = (more: object = {}) => ({ field_type: 'car', op: 'outputs', ...FILLED, ...more })

test('the manifest describes the field types in the form of the wire', async () => {
  const { status, body } = await plugin.handle({ method: 'GET', path: '/manifest', authorization: undefined })
  expect(status).toBe(200)
  expect(body).toEqual(plugin.manifest())
  expect(body).toMatchObject({
    name: 'Cars',
    public_key: expect.stringMatching(/^[A-Za-z0-9+/]{390,}={0,2}$/),
    field_types: [
      {
        key: 'car',
        label: 'Car',
        blocks: [
          { key: 'brand', kind: 'search_select', label: 'Brand' },
          { key: 'model', kind: 'search_select', label: 'Model', depends_on: ['brand'] },
          { key: 'mileage', kind: 'number', label: 'Mileage' },
          { key: 'since', kind: 'date', label: 'First registration' },
        ],
        inputs: [
          { key: 'budget', type: 'number', label: 'Budget', required: true },
          { key: 'electric', type: 'boolean', label: 'Electric only', required: false },
        ],
        outputs: [
          { key: 'price', type: 'number', label: 'Price' },
          { key: 'title', type: 'text', label: 'Title' },
          { key: 'next_service', type: 'date', label: 'Next service' },
          { key: 'affordable', type: 'boolean', label: 'Within the budget' },
        ],
      },
      { key: 'country' },
    ],
  })
})

test('an empty query lists all options, and a query matches words without case and accents [FWD-05]', async () => {
  expect(await ask(plugin, options('brand'))).toEqual({
    options: [
      { id: 'volvo', label: 'Volvo' },
      { id: 'renault', label: 'Renault' },
    ],
    more: false,
  })
  const found = await ask(plugin, options('model', { picks: { brand: 'renault' }, query: 'megane' }))
  expect(found).toEqual({ options: [{ id: 'mégane', label: 'Mégane' }], more: false })
})

test('a list of more than 50 options is cut and says so [FWD-05]', async () => {
  const asked = { field_type: 'country', op: 'options', block: 'country', query: '', picks: {}, values: {}, inputs: {} }
  const all = await ask(plugin, asked)
  expect(all).toMatchObject({ more: true })
  expect((all as { options: unknown[] }).options).toHaveLength(50)
  expect(await ask(plugin, { ...asked, query: 'Country 12' })).toMatchObject({ more: false })
})

test('options of a dependent block follow the pick before it, and are none without a valid one', async () => {
  const models = async (brand: string | undefined) => {
    const reply = await ask(plugin, options('model', { picks: { brand } }))
    return (reply as { options: { label: string }[] }).options.map(({ label }) => label)
  }
  expect(await models('volvo')).toEqual(['XC40', 'XC60', 'EX30'])
  expect(await models('renault')).toEqual(['Clio', 'Mégane'])
  expect(await models('trabant')).toEqual([])
  expect(await models(undefined)).toEqual([])
})

test('outputs have their declared types, null included [FWD-06]', async () => {
  expect(await ask(plugin, outputs())).toEqual({
    outputs: { price: 35_000, title: 'volvo xc40', next_service: '2027-03-01', affordable: true },
  })
  const old = await ask(plugin, outputs({ values: { mileage: 200_000, since: '2001-01-01' } }))
  expect(old).toMatchObject({ outputs: { next_service: null } })
})

test('picks that fit neither each other nor the inputs are invalid, and so are missing ones [FWD-06]', async () => {
  const invalid = { picks_invalid: true }
  expect(await ask(plugin, outputs({ picks: { brand: 'renault', model: 'xc40' } }))).toEqual(invalid)
  expect(await ask(plugin, outputs({ picks: { brand: 'trabant', model: 'xc40' } }))).toEqual(invalid)
  expect(await ask(plugin, outputs({ picks: { brand: 'volvo' } }))).toEqual(invalid)
  expect(await ask(plugin, outputs({ inputs: { budget: 1, electric: true } }))).toEqual(invalid)
})

test('a question with missing or wrong members is refused with the member that is wrong', async () => {
  const refusals = [
    [outputs({ values: { mileage: 1 } }), 'values.since is absent'],
    [outputs({ values: { mileage: '1', since: '2020-01-01' } }), 'values.mileage must be a number'],
    [outputs({ values: { mileage: 1, since: '2020-02-30' } }), 'values.since must be a date'],
    [outputs({ inputs: {} }), 'inputs.budget is a required input and is absent'],
    [outputs({ inputs: { budget: '1' } }), 'inputs.budget must be a number'],
    [outputs({ picks: { brand: 7 } }), 'picks.brand must be the id of an option'],
    [outputs({ field_type: 'bike' }), 'field_type is no field type of this plugin'],
    [outputs({ op: 'prices' }), 'op must be options or outputs'],
    [outputs({ reply_key: 'short' }), 'reply_key is no public key'],
    [options('mileage'), 'block is no search_select block'],
    [options('__proto__'), 'block is no search_select block'],
  ] as const
  for (const [question, message] of refusals) {
    const answer = await ask(plugin, question)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'question_invalid', message: expect.stringContaining(message) },
    })
  }
})

test('a request that is no wrapper, or a damaged one, is refused', async () => {
  const sealed = await sealQuestion(plugin.manifest().public_key, outputs())
  const damaged = sealed.replace(/"d":"(.)/, (_, first) => `"d":"${first === 'A' ? 'B' : 'A'}`)
  for (const request of [undefined, 7, '', '{}', damaged]) {
    expect(await call(plugin, request)).toMatchObject({ status: 400, body: { error: 'request_invalid' } })
  }
  const noJson = await plugin.handle({ method: 'POST', path: '/call', authorization: undefined, body: 'no json' })
  expect(noJson.status).toBe(400)
  expect((await call(plugin, sealed)).status).toBe(200)
})

test('after a rotation the manifest has the new key, and the earlier one is unknown', async () => {
  const rotated = await openCars()
  const earlier = rotated.manifest().public_key
  const sealed = await sealQuestion(earlier, outputs())
  expect((await call(rotated, sealed)).status).toBe(200)

  await rotated.rotate(await createPrivateKey())

  expect(await call(rotated, sealed)).toEqual({ status: 409, body: { error: 'key_unknown' } })
  expect(rotated.manifest().public_key).not.toBe(earlier)
  expect(await isVouched(earlier, rotated.manifest())).toBe(true)
  const again = await call(rotated, await sealQuestion(rotated.manifest().public_key, outputs()))
  expect(await openReply(again.body['reply'])).toMatchObject({ outputs: { price: 35_000 } })
})

test('with a token, every request needs exactly that one', async () => {
  const guarded = await openCars({ token: 's3cret-token' })
  for (const authorization of [undefined, '', 's3cret-token', 'Bearer', 'Bearer s3cret', 'Bearer s3cret-token2']) {
    for (const path of ['/manifest', '/call']) {
      const method = path === '/manifest' ? 'GET' : 'POST'
      expect(await guarded.handle({ method, path, authorization })).toMatchObject({
        status: 401,
        body: { error: 'token_invalid' },
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
  }
  const manifest = await guarded.handle({ method: 'GET', path: '/manifest', authorization: 'bearer s3cret-token' })
  expect(manifest.status).toBe(200)
  expect(await ask(guarded, outputs(), 'Bearer s3cret-token')).toMatchObject({ outputs: {} })
})

test('other paths and methods are refused', async () => {
  const status = async (method: string, path: string) =>
    (await plugin.handle({ method, path, authorization: undefined })).status
  expect([await status('GET', '/'), await status('GET', '/call'), await status('POST', '/manifest')]).toEqual([
    404, 405, 405,
  ])
})

test('a sealed question above 64 KiB is refused', async () => {
  const large = await sealQuestion(plugin.manifest().public_key, outputs({ padding: 'x'.repeat(60_000) }))
  expect(large.length).toBeGreaterThan(64 * 1024)
  expect(await call(plugin, large)).toMatchObject({ status: 413, body: { error: 'too_large' } })
})

test('options that do not fit into 64 KiB are cut; outputs that do not are an error of the author', async () => {
  const errors: unknown[] = []
  const wide = fieldType({
    key: 'wide',
    label: 'Wide',
    blocks: {
      pick: {
        kind: 'search_select',
        label: 'Pick',
        options: Array.from({ length: 50 }, (_, at) => ({ id: `${at}${'字'.repeat(190)}`, label: '字'.repeat(200) })),
      },
    },
    outputs: Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`o${at}`, { type: 'text', label: 'Long' } as const]),
    ),
    compute: () => Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`o${at}`, 'x'.repeat(4_000)])),
  })
  const long = await openPlugin({
    name: 'Long',
    key: await testKey(),
    fieldTypes: [wide],
    onError: (error) => void errors.push(error),
  })
  const asked = { field_type: 'wide', op: 'options', block: 'pick', query: '' }
  const reply = (await ask(long, asked)) as { options: { id: string }[]; more: boolean }
  expect(reply.more).toBe(true)
  expect(reply.options.length).toBeGreaterThan(10)
  const picks = { pick: reply.options[0]?.id }
  expect(await ask(long, { field_type: 'wide', op: 'outputs', picks })).toMatchObject({ status: 500 })
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('larger than 65536 bytes') })])
})

test.each([
  ['an error', () => Promise.reject(new Error('no database')), 500, 'no database'],
  ['a value of another type', () => ({ price: '12' }), 500, 'returned string for price, which is declared as a number'],
  ['an undeclared output', () => ({ prize: 1 }), 500, 'prize, which is no declared output'],
  ['no answer', () => new Promise<never>(() => {}), 503, 'timeout'],
])('%s of a function is reported to the author and hidden from the caller', async (_, compute, status, message) => {
  const errors: unknown[] = []
  const broken = { key: 'b', label: 'B', blocks: country.blocks, outputs: { price: car.outputs.price }, compute }
  const failing = await openPlugin({
    name: 'Broken',
    key: await testKey(),
    fieldTypes: [broken],
    timeoutMs: 50,
    onError: (error) => void errors.push(error),
  })
  const answer = await ask(failing, { field_type: 'b', op: 'outputs', picks: { country: 'c1' } })
  expect(answer).toMatchObject({ status })
  expect(JSON.stringify(answer)).not.toContain('database')
  expect(String(errors[0])).toContain(message)
})
