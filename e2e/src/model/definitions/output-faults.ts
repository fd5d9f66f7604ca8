import type { PublishFacts } from '@sealpost/flow'
import type { Json } from '../flows/doors/door.ts'
import { FACTS } from '../flows/names.ts'
import { waysFrom, type WrittenFlow, type WrittenNode } from '../flows/written.ts'
import { type Fault, withNode } from './fault.ts'

export const TEMPLATES: PublishFacts['templates'] = new Map([['template', ['nowhere']]])

/** Of a flow that makes documents: the first rule of its first step with outputs. */
export function outputFaults(flow: WrittenFlow): readonly Fault[] {
  const place = flow.nodes.findIndex(({ outputs }) => outputs !== undefined)
  const node = flow.nodes[place]
  if (node === undefined) return []
  const at = `/nodes/${place}/outputs/0/rules/0`
  const rule = { condition: null, languages: 'all' }
  const fault = (key: string, path: string, members: Json): Fault => ({
    key,
    path: `${at}${path}`,
    definition: withNode(flow, place, (one) => withRule(one, { ...rule, ...members })),
  })
  const customer = flow.parties.find(({ type }) => type === 'person' || type === 'company')
  const template = { asset_key: 'template' }
  const signers = (...list: readonly Json[]): Json => ({ ...template, signers: list })
  return [
    fault('pdf.unknown_tag', '/asset_key', template),
    fault('pdf.asset_missing', '/asset_key', { asset_key: 'none' }),
    {
      key: 'pdf.cancellable_invalid',
      path: `/nodes/${place}/outputs/0/cancellable`,
      definition: uncancellable(flow, place),
    },
    fault('pdf.source_invalid', '', {}),
    fault('pdf.source_invalid', '', { ...template, source_field: 's0_pdf' }),
    fault('pdf.source_field_invalid', '/source_field', { source_field: 'nowhere' }),
    fault('pdf.source_connection_invalid', '/source_connection/party', source('us', FACTS.deedSlug)),
    ...(customer === undefined
      ? []
      : [fault('pdf.source_connection_invalid', '/source_connection/request_slug', source(customer.key, 'nick'))]),
    fault('pdf.signers_invalid', '/signers/0/party', signers({ party: 'none', action: 'sign' })),
    fault('pdf.signers_invalid', '/signers/0/action', signers({ party: 'us', action: 'stamp' })),
    fault(
      'pdf.signers_invalid',
      '/signers/1/party',
      signers({ party: 'us', action: 'sign' }, { party: 'us', action: 'accept' }),
    ),
    ...leafFaults(flow, place, node),
  ]
}

function uncancellable(flow: WrittenFlow, place: number): Json {
  return withNode(flow, place, (one) => {
    const [first, ...others] = one.outputs ?? []
    return { ...one, outputs: [{ ...first, cancellable: 'yes' }, ...others] }
  })
}

function source(party: string, request_slug: string): Json {
  return { source_connection: { party, request_slug } }
}

function withRule(node: WrittenNode, rule: Json): Json {
  const [first, ...others] = node.outputs ?? []
  return { ...node, outputs: [{ ...first, rules: [rule] }, ...others] }
}

/** Without outputs a run could not end there. */
function leafFaults(flow: WrittenFlow, place: number, node: WrittenNode): readonly Fault[] {
  const { outputs: _outputs, ...bare } = node
  const { language_party: _language, ...silent } = node
  const definition = withNode(flow, place, () => bare)
  const isLeaf = waysFrom(flow, node.key).length === 0
  return [
    isLeaf
      ? { key: 'flow.leaf_invalid', path: `/nodes/${place}/outputs`, definition }
      : { key: 'flow.no_default_edge', path: `/nodes/${place}`, definition },
    {
      key: 'flow.leaf_invalid',
      path: `/nodes/${place}/language_party`,
      definition: withNode(flow, place, () => silent),
    },
  ]
}
