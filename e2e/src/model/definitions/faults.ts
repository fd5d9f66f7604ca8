import type { Dice } from '@sealpost/testkit/dice'
import type { Json } from '../flows/doors/door.ts'
import type { WrittenFlow } from '../flows/written.ts'
import { type Fault, withElements, withNode } from './fault.ts'
import { outputFaults } from './output-faults.ts'
import { pluginFaults } from './plugin-faults.ts'

/** Every fault that this flow can have, one at a time. */
export function faultsOf(dice: Dice, flow: WrittenFlow): readonly Fault[] {
  const place = dice.below(flow.nodes.length)
  return [
    ...constantFaults(flow),
    ...lateConstants(flow),
    ...fieldFaults(flow, place),
    ...graphFaults(flow),
    ...partyFaults(flow),
    ...pluginFaults(flow, place),
    ...outputFaults(flow),
  ]
}

const ONE = { type: 'lit', value_type: 'number', value: 1 }

export function nested(levels: number): Json {
  return levels === 1 ? ONE : { type: 'math', op: 'neg', args: [nested(levels - 1)] }
}

function constantFaults(flow: WrittenFlow): readonly Fault[] {
  const count = flow.constants.length
  const at = `/constants/${count}`
  const plus = (...more: readonly Json[]): Json => ({ ...flow, constants: [...flow.constants, ...more] })
  const constant = (members: Json): Json => ({ key: 'k', label: '', result_type: 'number', expr: ONE, ...members })
  const text = { type: 'lit', value_type: 'text', value: 'x' }
  const typed = (expr: Json, path: string): Fault => ({
    key: 'constant.type_mismatch',
    path: `${at}/expr${path}`,
    definition: plus(constant({ expr })),
  })
  return [
    { key: 'constant.key_invalid', path: `${at}/key`, definition: plus(constant({ key: 'Not-A-Key' })) },
    {
      key: 'constant.key_duplicate',
      path: `/constants/${count + 1}/key`,
      definition: plus(constant({}), constant({})),
    },
    ...flow.nodes
      .flatMap(({ elements }) => elements)
      .flatMap((one) => (one.kind === 'field' ? [one.slug] : []))
      .slice(0, 1)
      .map((slug) => ({ key: 'constant.key_duplicate', path: `${at}/key`, definition: plus(constant({ key: slug })) })),
    {
      key: 'constant.ref_unknown',
      path: `${at}/expr/key`,
      definition: plus(constant({ expr: { type: 'ref', key: 'nowhere' } })),
    },
    {
      key: 'constant.cycle',
      path: `${at}/expr`,
      definition: plus(
        constant({ key: 'k', expr: { type: 'ref', key: 'l' } }),
        constant({ key: 'l', expr: { type: 'ref', key: 'k' } }),
      ),
    },
    {
      key: 'constant.shown_on_unknown_node',
      path: `${at}/shown_on/0`,
      definition: plus(constant({ shown_on: ['nowhere'] })),
    },
    {
      key: 'constant.type_mismatch',
      path: `${at}/result_type`,
      definition: plus(constant({ result_type: 'text' })),
    },
    typed({ type: 'math', op: 'add', args: [ONE, text] }, '/args/1'),
    typed({ type: 'datediff', unit: 'days', from: ONE, to: { type: 'today' } }, '/from'),
    typed({ type: 'math', op: 'sub', args: [ONE] }, ''),
    // oxlint-disable-next-line unicorn/no-thenable -- the wire's name of the branch; it is data and never awaited
    typed({ type: 'if', cases: [{ when: null, then: text }], else: ONE }, '/cases/0/then'),
    { key: 'constant.expr_too_deep', path: `${at}/expr*`, definition: plus(constant({ expr: nested(65) })) },
    { key: 'constant.unused', path: at, definition: plus(constant({})) },
  ]
}

/** A constant of a later step's answer, read at the first step. */
function lateConstants(flow: WrittenFlow): readonly Fault[] {
  const [first] = flow.nodes
  const later = flow.nodes.slice(1).flatMap(({ elements }) => elements)
  const answered = later.find((one) => one.kind === 'field')
  if (first === undefined || answered?.kind !== 'field') return []
  const expr = { type: 'concat', parts: [{ type: 'ref', key: answered.slug }], sep: '' }
  const constant = { key: 'k', label: '', result_type: 'text', expr }
  const constants = (more: Json): Json => ({ constants: [...flow.constants, { ...constant, ...more }] })
  const text = { kind: 'text', body: 'x', show_if: { field: 'k', op: 'answered' } }
  return [
    {
      key: 'constant.ref_not_answerable',
      path: `/nodes/0/elements/${first.elements.length}/show_if/field`,
      definition: { ...withElements(flow, 0, text), ...constants({}) },
    },
    {
      key: 'constant.shown_on_not_computable',
      path: `/constants/${flow.constants.length}/shown_on/0`,
      definition: { ...flow, ...constants({ shown_on: [first.key] }) },
    },
  ]
}

function field(members: Json): Json {
  return { kind: 'field', slug: 'extra', field_type: 'number', label: '', ...members }
}

function read(key: string): Json {
  return { type: 'ref', key }
}

function fieldFaults(flow: WrittenFlow, place: number): readonly Fault[] {
  const count = flow.nodes[place]?.elements.length ?? 0
  const at = `/nodes/${place}/elements/${count}`
  const fault = (key: string, path: string, ...elements: readonly Json[]): Fault => ({
    key,
    path: `${at}${path}`,
    definition: withElements(flow, place, ...elements),
  })
  const text = { type: 'lit', value_type: 'text', value: 'x' }
  const options = [{ value: 'x', label: 'X' }]
  return [
    fault('element.kind_invalid', '/kind', { kind: 'video' }),
    fault('field.default_not_allowed', '/default', field({ field_type: 'select', options, default: text })),
    fault('field.default_not_allowed', '/max', field({ field_type: 'photo', max: ONE })),
    fault('field.default_not_allowed', '/default', field({ link: 'verified', default: ONE })),
    fault('field.default_type_mismatch', '/default', field({ default: text })),
    fault('field.bound_type_mismatch', '/min', field({ field_type: 'text', min: text })),
    fault('field.bound_type_mismatch', '/max', field({ field_type: 'date', max: ONE })),
    fault('field.ref_not_answerable', '/default/key', field({ default: read('nowhere') })),
    fault('field.expr_too_deep', '/min*', field({ min: nested(65) })),
    fault(
      'dependency.cycle',
      '/default',
      field({ default: read('twin') }),
      field({ slug: 'twin', default: read('extra') }),
    ),
    fault('field.slug_duplicate', '/slug', field({ slug: 'us' })),
    fault('field.type_invalid', '/field_type', field({ field_type: 'hologram' })),
    fault('field.type_invalid', '/options', field({ field_type: 'select' })),
    fault('text.link_invalid', '/body', { kind: 'text', body: '[a href=javascript:x]x[/a]' }),
    fault('text.tag_unknown', '/body', { kind: 'text', body: 'See {{nowhere}}' }),
    fault('condition.invalid', '/show_if*', { kind: 'text', body: 'x', show_if: { field: 'nowhere', op: 'answered' } }),
    fault('condition.invalid', '/show_if*', { kind: 'text', body: 'x', show_if: { field: 'extra', op: 'like' } }),
  ]
}

function edge(from: string, to: string): Json {
  return { from, to, sort: 99, condition: null }
}

function graphFaults(flow: WrittenFlow): readonly Fault[] {
  const { edges, nodes } = flow
  const [first] = nodes
  const last = nodes.at(-1)
  const lone = { key: 'lone', party: 'us', title: '', elements: [] }
  return [
    { key: 'flow.entry_invalid', path: '/entry', definition: { ...flow, entry: 'nowhere' } },
    {
      key: 'flow.edge_invalid',
      path: `/edges/${edges.length}/to`,
      definition: { ...flow, edges: [...edges, edge(first?.key ?? '', 'nowhere')] },
    },
    {
      key: 'flow.cycle',
      path: `/edges/${edges.length}`,
      definition: { ...flow, edges: [...edges, edge(last?.key ?? '', first?.key ?? '')] },
    },
    { key: 'flow.node_unreachable', path: `/nodes/${nodes.length}`, definition: { ...flow, nodes: [...nodes, lone] } },
  ]
}

function partyFaults(flow: WrittenFlow): readonly Fault[] {
  const count = flow.parties.length
  const plus = (party: Json): Json => ({ ...flow, parties: [...flow.parties, party] })
  const isTyped = flow.parties.some(({ type }) => type !== undefined)
  const room = count < 20
  return [
    ...(room ? ['signature', 'Not-A-Key', 'us'] : []).map((key) => ({
      key: 'party.key_invalid',
      path: `/parties/${count}/key`,
      definition: plus({ key, label: '', ...(isTyped ? { type: 'person' } : {}) }),
    })),
    {
      key: 'party.owner_invalid',
      path: '/parties',
      definition: { ...flow, parties: flow.parties.map(({ key, label }) => ({ key, label, type: 'person' })) },
    },
    {
      key: 'party.key_invalid',
      path: '/nodes/0/party',
      definition: withNode(flow, 0, (node) => ({ ...node, party: 'none' })),
    },
  ]
}
