import type { FlowStep, PluginField } from '@sealpost/sdk'
import { expect, test } from 'vitest'
import type { OpenPlugin } from './open-turns.ts'
import { stepView } from './turn-view.ts'

const snapshot = { plugin_name: 'Loans', host: 'loans.example', label: 'Loan', blocks: [], inputs: [], outputs: [] }
const step: FlowStep = {
  key: 'first',
  title: 'Offer',
  party: 'customer',
  elements: [{ kind: 'plugin', slug: 'offer', label: 'Offer', required: true }],
  constants: [],
  problems: [],
  next: { kind: 'end' },
}

function pluginOf(field: Partial<PluginField>) {
  const opened = { field: { snapshot, blocks: {}, text: null, problem: null, newKey: null, ...field } } as OpenPlugin
  const plugins = new Map([['offer', { ...opened, failure: null, hasInvalidBlock: false, isPicksInvalid: false }]])
  const [element] = stepView(step, {
    types: {} as never,
    values: [],
    plugins,
    isOwnParty: () => true,
    labelOf: (party) => party,
    isLast: true,
  }).elements
  return element
}

test('a key that this device does not know is shown with both fingerprints, and the plugin is not asked', () => {
  const newKey = { known: 'aa', received: 'bb' }
  expect(pluginOf({ newKey, text: '{"outputs":[]}' })).toMatchObject({ state: 'key_changed', newKey })
  expect(pluginOf({})).toMatchObject({ state: 'to_ask', newKey: null })
})
