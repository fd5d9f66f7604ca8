import { type DefaultedKind, nextDraft } from '@sealpost/expression'
import { accepts, effectiveType, type Registry } from '@sealpost/field-types'
import { type Definition, describeTurn, type FieldElement, type FlowNode, type Turn } from '@sealpost/flow/run'

interface Filling {
  readonly definition: Definition
  readonly node: FlowNode
  readonly referenceDate: string
  readonly registry: Registry
  /** Values of earlier steps. */
  readonly earlier: ReadonlyMap<string, string>
  /** Answers of this step; a default never replaces one. */
  readonly given: ReadonlyMap<string, string>
}

/**
 * The step with its defaults filled in. A default may read another one, so this is repeated until nothing changes; each
 * round settles at least one, because publishing refuses cycles.
 */
export function fillDefaults(filling: Filling): { readonly turn: Turn; readonly texts: ReadonlyMap<string, string> } {
  const { definition, node, referenceDate, earlier, given } = filling
  const fields = node.elements.filter((one): one is FieldElement => one.kind === 'field' && one.default !== undefined)
  let texts: ReadonlyMap<string, string> = given
  for (let left = fields.length; ; left -= 1) {
    const turn = describeTurn(definition, node.key, { answers: new Map([...earlier, ...texts]), referenceDate })
    if (turn === null) throw new Error(`the definition has no step ${node.key}`)
    const next = new Map([...texts, ...fields.flatMap((field) => defaultOf(field, turn, filling))])
    if (left === 0 || isSame(texts, next)) return { turn, texts }
    texts = next
  }
}

function defaultOf(field: FieldElement, turn: Turn, { given, registry }: Filling): readonly [string, string][] {
  const { slug } = field
  if (given.has(slug) || !turn.allowed.includes(slug)) return []
  const empty = { value: '', written: null, isLinked: false }
  const { value } = nextDraft(empty, turn.defaults.get(slug), kindOf(registry, field.field_type))
  return [[slug, value]]
}

function kindOf(registry: Registry, type: string): DefaultedKind {
  const effective = effectiveType(registry, type)
  if (effective === 'date') return 'date'
  if (effective !== 'number') return 'text'
  return accepts(registry, 'decimal', type) ? 'decimal' : 'number'
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([slug, text]) => other.get(slug) === text)
}
