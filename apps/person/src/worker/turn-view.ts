import type {
  FlowStep,
  PluginField,
  PluginInputRefusal,
  PluginKeyChange,
  StepField,
  StepProblem,
  TextPart,
} from '@sealpost/sdk'
import type { Failure } from '@sealpost/ui/failure'
import { fittingFields } from './commands/fitting-fields.ts'
import type { OpenPlugin, OwnValues } from './open-turns.ts'
import { type TypeView, typeView } from './type-view.ts'

/** A step as a page draws it. */
export interface StepView {
  readonly key: string
  readonly title: string
  readonly elements: readonly ElementView[]
  /** Computed values; null while something that they read is missing. */
  readonly constants: readonly { readonly key: string; readonly label: string; readonly text: string | null }[]
  readonly problems: readonly StepProblemView[]
  readonly next: NextView
}

export type NextView =
  | { readonly kind: 'own'; readonly isSentFirst: boolean }
  | { readonly kind: 'other'; readonly party: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'stuck' }

export type ElementView =
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }
  | { readonly kind: 'image'; readonly alt: string }
  | QuestionView
  | PluginView

export interface QuestionView {
  readonly kind: 'question'
  readonly slug: string
  readonly label: string
  readonly help: string | null
  readonly isRequired: boolean
  readonly type: TypeView
  /** The options that are open now; null where the type decides. */
  readonly options: readonly { readonly value: string; readonly label: string }[] | null
  readonly min: string | null
  readonly max: string | null
  /** Whether it may be typed, and which own fields may answer it, the likeliest first. */
  readonly canType: boolean
  readonly wantsVerified: boolean
  readonly fits: readonly string[]
  readonly verified: readonly string[]
  /** As it would be sealed, the default included. */
  readonly text: string | null
  readonly isPrivate: boolean
}

export interface PluginView {
  readonly kind: 'plugin'
  readonly slug: string
  readonly label: string
  readonly isRequired: boolean
  readonly pluginName: string
  readonly host: string
  readonly blocks: readonly BlockView[]
  readonly outputs: readonly { readonly label: string; readonly text: string }[]
  readonly state: 'open' | 'to_ask' | 'answered' | 'picks_invalid' | 'inputs_missing' | 'key_changed' | 'failed'
  /** Fingerprints, while the plugin has a key that this device does not know. */
  readonly newKey: PluginKeyChange | null
  readonly missingInputs: readonly { readonly label: string; readonly reason: PluginInputRefusal }[]
  readonly failure: Failure | null
  readonly hasInvalidBlock: boolean
}

export interface BlockView {
  readonly key: string
  readonly kind: 'search_select' | 'text' | 'number' | 'date'
  readonly label: string
  readonly dependsOn: readonly string[]
}

export interface StepProblemView {
  readonly slug: string
  readonly reason: StepProblem['reason']
  /** Of a value that is not valid: where in it, and why. */
  readonly path: string
  readonly value: string | null
}

export interface StepFacts extends OwnValues {
  readonly plugins: ReadonlyMap<string, OpenPlugin>
  readonly isOwnParty: (party: string) => boolean
  readonly labelOf: (party: string) => string
  readonly isLast: boolean
}

export function stepView(step: FlowStep, facts: StepFacts): StepView {
  const { key, title, constants, problems, next } = step
  return {
    key,
    title,
    constants,
    elements: step.elements.flatMap((element): readonly ElementView[] => {
      switch (element.kind) {
        case 'text':
          return [{ kind: 'text', parts: element.parts }]
        case 'image':
          return [{ kind: 'image', alt: element.alt }]
        case 'field':
          return [questionView(element, facts)]
        case 'plugin': {
          const plugin = facts.plugins.get(element.slug)
          return plugin === undefined ? [] : [pluginView(element, plugin)]
        }
      }
    }),
    problems: problems.map(problemView),
    next: nextView(next, problems.length > 0, facts),
  }
}

function nextView(next: FlowStep['next'], hasProblems: boolean, facts: StepFacts): NextView {
  if (next.kind !== 'step') return { kind: next.kind }
  if (!facts.isOwnParty(next.party)) return { kind: 'other', party: facts.labelOf(next.party) }
  // The way ends before a step with a plugin: that one opens once this one is sent.
  return { kind: 'own', isSentFirst: facts.isLast && !hasProblems }
}

function problemView({ slug, reason, value }: StepProblem): StepProblemView {
  return { slug, reason, path: String(value?.path[0] ?? ''), value: value?.reason ?? null }
}

function questionView(field: StepField, { types, values }: StepFacts): QuestionView {
  const { slug, label, help, required: isRequired, options, min, max, link, text, isPrivate } = field
  const wantsVerified = link === 'verified'
  const verified = values.filter(({ verified_at: at }) => at !== undefined)
  const linkable = link === 'none' ? [] : wantsVerified ? verified : values
  const filled = linkable.map(({ field_id: id, slug: own, label: named, type }) => ({
    id,
    slug: own,
    label: named,
    type,
  }))
  const { fits } = fittingFields({ slug, label, type: field.type }, filled, (type) => types.accepts(field.type, type))
  return {
    kind: 'question',
    slug,
    label,
    help,
    isRequired,
    type: typeView(types, field.type),
    options,
    min,
    max,
    canType: link !== 'connected' && !wantsVerified,
    wantsVerified,
    fits: options === null ? fits : [],
    verified: verified.map(({ field_id: id }) => id),
    text,
    isPrivate,
  }
}

function pluginView(
  { slug, label, required: isRequired }: { readonly slug: string; readonly label: string; readonly required: boolean },
  plugin: OpenPlugin,
): PluginView {
  const { field, failure, hasInvalidBlock } = plugin
  const { plugin_name: pluginName = '', host = '', blocks = [], inputs = [] } = field?.snapshot ?? {}
  const missing = field?.problem?.reason === 'inputs_missing' ? field.problem.inputs : {}
  return {
    kind: 'plugin',
    slug,
    label,
    isRequired,
    pluginName,
    host,
    blocks: blocks.map(({ key, kind, label: named, depends_on: dependsOn = [] }) => ({
      key,
      kind,
      label: named,
      dependsOn,
    })),
    outputs: outputsOf(field?.text ?? null),
    state: stateOf(plugin),
    missingInputs: Object.entries(missing).map(([key, reason]) => ({
      label: inputs.find((input) => input.key === key)?.label ?? key,
      reason,
    })),
    newKey: field?.newKey ?? null,
    failure,
    hasInvalidBlock,
  }
}

function stateOf({ field, failure, isPicksInvalid }: OpenPlugin): PluginView['state'] {
  if (field === null || field.problem?.reason === 'not_responding') return 'failed'
  if (field.newKey !== null) return 'key_changed'
  if (field.problem !== null) return 'inputs_missing'
  if (field.text !== null) return 'answered'
  if (isPicksInvalid) return 'picks_invalid'
  if (failure !== null) return 'failed'
  return isFilled(field) ? 'to_ask' : 'open'
}

export function isFilled({ snapshot, blocks }: PluginField): boolean {
  return snapshot.blocks.every(({ key }) => blocks[key] !== undefined)
}

interface PluginOutputView {
  readonly label: string
  readonly value: string | number | boolean | null
}

/** The outputs in the finished answer. */
function outputsOf(text: string | null): PluginView['outputs'] {
  if (text === null) return []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `PluginField` has written it
  const { outputs } = JSON.parse(text) as { readonly outputs: readonly PluginOutputView[] }
  return outputs.flatMap(({ label, value }) => (value === null ? [] : [{ label, text: String(value) }]))
}
