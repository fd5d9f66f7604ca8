import type { PublishFacts } from '@sealpost/flow'
import type { Json } from '../flows/doors/door.ts'
import type { WrittenFlow } from '../flows/written.ts'
import { type Fault, withElements } from './fault.ts'

/** A plugin with one field type of one required number. */
export const PLUGINS: PublishFacts['plugins'] = new Map([
  [
    'vat',
    {
      name: 'VAT',
      host: 'vat.example',
      fieldTypes: new Map([
        [
          'rate',
          {
            label: 'Rate',
            blocks: [{ key: 'country', kind: 'search_select' as const, label: 'Country' }],
            inputs: [{ key: 'amount', type: 'number' as const, label: 'Amount', required: true }],
            outputs: [{ key: 'tax', type: 'number' as const, label: 'Tax' }],
          },
        ],
      ]),
    },
  ],
])

export function pluginFaults(flow: WrittenFlow, place: number): readonly Fault[] {
  const count = flow.nodes[place]?.elements.length ?? 0
  // Before it: a text, which is no number.
  const text = { kind: 'field', slug: 'words', field_type: 'text', label: '' }
  const at = `/nodes/${place}/elements/${count + 1}/plugin`
  const fault = (key: string, path: string, plugin: Json): Fault => ({
    key,
    path: `${at}/${path}`,
    definition: withElements(flow, place, text, {
      kind: 'plugin',
      slug: 'vat_rate',
      label: 'VAT',
      required: false,
      plugin: { plugin_id: 'vat', field_type: 'rate', inputs: {}, ...plugin },
    }),
  })
  return [
    fault('flow_plugin.unknown', 'plugin_id', { plugin_id: 'none' }),
    fault('flow_plugin.field_type_unknown', 'field_type', { field_type: 'none' }),
    fault('flow_plugin.input_unwired', 'inputs/amount', {}),
    fault('flow_plugin.input_not_answerable', 'inputs/amount', { inputs: { amount: 'nowhere' } }),
    fault('flow_plugin.input_type_mismatch', 'inputs/amount', { inputs: { amount: 'words' } }),
  ]
}
