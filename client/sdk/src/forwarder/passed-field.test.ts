import { createPrivateKey, fieldType, openPlugin } from '@sealpost/plugin-kit'
import { expect, test } from 'vitest'
import { PLUGIN, startForwarder } from '../../test/stub-forwarder.ts'
import { memoryPins, openPluginField, type PluginPass } from './index.ts'

const sizes = [
  { id: 's', label: 'Small' },
  { id: 'l', label: 'Large' },
]
const shirt = fieldType({
  key: 'shirt',
  label: 'Shirt',
  inputs: { budget: { type: 'number', label: 'Budget', required: true } },
  blocks: { size: { kind: 'search_select', label: 'Size', options: sizes } },
  outputs: { price: { type: 'number', label: 'Price' } },
  compute: ({ inputs }) => ({ price: inputs.budget / 2 }),
})
const plugin = await openPlugin({ name: 'Shirts', key: await createPrivateKey(), fieldTypes: [shirt] })

const snapshot = {
  plugin_name: 'Shirts',
  host: 'shirts.example',
  label: 'Shirt',
  blocks: [{ key: 'size', kind: 'search_select', label: 'Size' }],
  inputs: [{ key: 'budget', type: 'number', label: 'Budget', required: true }],
  outputs: [{ key: 'price', type: 'number', label: 'Price' }],
} as const

const place = { slug: 'shirt', company: 'NRTHWD', pins: memoryPins() }

test('a page with a pass alone fills a plugin field, and gets a new pass when the first is refused', async () => {
  await using forwarder = await startForwarder(plugin)
  const passes = ['expired', 'pass-1']
  const readPass = (): Promise<PluginPass> =>
    Promise.resolve({
      pass: passes.shift() ?? '',
      forwarder_url: forwarder.url,
      plugins: [{ id: PLUGIN, public_key: plugin.manifest().public_key }],
      specs: { shirt: { plugin_id: PLUGIN, field_type: 'shirt', snapshot, inputs: {} } },
    })
  const field = await openPluginField({ ...place, readPass, inputs: { budget: 40 } })
  const { options } = await field.options('size', 'lar')
  expect(options).toEqual([{ id: 'l', label: 'Large' }])
  field.pick('size', { id: 'l', label: 'Large' })
  expect(await field.answer()).toMatchObject({ kind: 'answered', outputs: { price: 20 } })
  expect(passes).toEqual([])
})
