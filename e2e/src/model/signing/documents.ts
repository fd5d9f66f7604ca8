import { holds, type Values } from '../flows/evaluate.ts'
import type { ModelCopy, RunState } from '../flows/reference.ts'
import type { WrittenFlow, WrittenNode, WrittenOutput, WrittenRule } from '../flows/written.ts'

/** An output that is made, and the rule that makes it. */
export interface MadeOutput {
  readonly output: WrittenOutput
  readonly rule: WrittenRule
}

/** All profiles of the model have this language. */
const LANGUAGE = 'en'

/** The source key of a rule; null for a template. */
export function sourceOf({ source_field: field, source_connection: shared }: WrittenRule): string | null {
  if (field !== undefined) return `field:${field}`
  return shared === undefined ? null : `conn:${shared.party}:${shared.request_slug}`
}

/** Every participant's PDF that the rules of the step name and the run holds, each once, in rule order. */
export function heldAt({ outputs = [] }: WrittenNode, held: ReadonlySet<string>): readonly string[] {
  const named = outputs.flatMap(({ rules }) => rules).flatMap((rule) => sourceOf(rule) ?? [])
  return [...new Set(named)].filter((key) => held.has(key))
}

/** The first rule of each output that matches; an output without one is not made. */
export function madeAt(
  { outputs = [] }: WrittenNode,
  values: Values,
  held: ReadonlySet<string>,
): readonly MadeOutput[] {
  return outputs.flatMap((output) => {
    const rule = output.rules.find((one) => {
      const source = sourceOf(one)
      const speaks = one.languages === 'all' || one.languages.includes(LANGUAGE)
      return speaks && (source === null || held.has(source)) && holds(one.condition, values)
    })
    return rule === undefined ? [] : [{ output, rule }]
  })
}

interface Place {
  readonly outputKey: string
  readonly party: string
  readonly action: 'sign' | 'accept'
}

/** Every output's first signer, then every output's second, and so on; without a list all parties sign. */
function lineOf({ parties }: WrittenFlow, made: readonly MadeOutput[]): readonly Place[] {
  const everyone = parties.map(({ key }) => ({ party: key, action: 'sign' as const }))
  const signers = made.map(({ output, rule }) => ({
    outputKey: output.output_key,
    places: rule.signers === undefined || rule.signers.length === 0 ? everyone : rule.signers,
  }))
  const line: Place[] = []
  for (let round = 0; round < parties.length; round += 1)
    for (const { outputKey, places } of signers) {
      const place = places[round]
      if (place !== undefined) line.push({ outputKey, ...place })
    }
  return line
}

/** The state after the documents are made; `idOf` knows the ids that the region gave. */
export function generated(
  flow: WrittenFlow,
  before: RunState,
  made: readonly MadeOutput[],
  idOf: (outputKey: string, party: string) => string,
): RunState {
  const line = lineOf(flow, made)
  const copies = made.flatMap(({ output: { output_key: outputKey, name } }) =>
    flow.parties.map(({ key: party }): ModelCopy => {
      const place = line.findIndex((one) => one.outputKey === outputKey && one.party === party)
      const action = line[place]?.action ?? null
      const copy = { documentId: idOf(outputKey, party), outputKey, name, party, action, actedAt: null }
      if (action === null) return { ...copy, position: null, status: 'active' }
      return { ...copy, position: place + 1, status: place === 0 ? openStatus(action) : 'waiting' }
    }),
  )
  return { ...before, status: 'awaiting_signature', rev: before.rev + 1, copies }
}

function openStatus(action: 'sign' | 'accept'): 'ready_to_sign' | 'offering' {
  return action === 'sign' ? 'ready_to_sign' : 'offering'
}

/** The copy whose step is open; null outside of a line. */
export function openCopy({ copies }: RunState): ModelCopy | null {
  return copies.find(({ status }) => status === 'ready_to_sign' || status === 'offering') ?? null
}

/** The state after the open step is done, and the copy whose step opens then. */
export function acted(before: RunState, at: string): { readonly state: RunState; readonly opened: ModelCopy | null } {
  const acting = openCopy(before)
  const next = before.copies.find(({ position }) => position === (acting?.position ?? 0) + 1)
  const copies = before.copies.map((copy): ModelCopy => {
    if (copy === acting) return { ...copy, status: 'active', actedAt: at }
    return copy === next ? { ...copy, status: openStatus(copy.action ?? 'sign') } : copy
  })
  const status = next === undefined ? 'completed' : 'awaiting_signature'
  const state = { ...before, status, rev: before.rev + 1, copies }
  return { state, opened: openCopy(state) }
}

/** The outputs whose own last signer has acted. */
export function sealedOutputs({ copies }: RunState): readonly string[] {
  const outputs = [...new Set(copies.map(({ outputKey }) => outputKey))]
  return outputs.filter((outputKey) =>
    copies.every((copy) => copy.outputKey !== outputKey || copy.action === null || copy.actedAt !== null),
  )
}
