import { isSourcePrivate, type PrivacyView } from '@sealpost/expression'
import { isBinary, type Registry, readRegistry, resolveType } from '@sealpost/field-types'
import {
  answerElements,
  type AnswerElement,
  type Choice,
  chooseNext,
  type Definition,
  type FlowNode,
  privacyView,
  type Turn,
} from '@sealpost/flow/run'
import type { FieldTypes } from '../values/field-types.ts'
import { fillDefaults } from './fill-defaults.ts'
import type { StepProblem } from './flow-error.ts'
import type { GivenAnswer } from './given-answers.ts'
import { FILE_VALUE } from './open-answers.ts'
import { type FlowRun, privateSlugsOf } from './run.ts'
import { problemsOf } from './step-problems.ts'

/** One answer as it is sealed and sent. */
export interface Draft {
  readonly slug: string
  readonly text: string
  readonly isFile: boolean
  readonly isPrivate: boolean
  /** The profile field that it is linked to. */
  readonly sourceFieldId: string | null
}

/** The current step with these answers, evaluated by the rules that every client of the run applies. */
export interface PreparedStep {
  readonly definition: Definition
  readonly turn: Turn
  readonly drafts: readonly Draft[]
  /** Which values must not leave the party. */
  readonly privacy: PrivacyView
  readonly problems: readonly StepProblem[]
  readonly choice: Choice
}

export interface StepFacts {
  readonly run: FlowRun
  readonly definition: Definition
  readonly node: FlowNode
  readonly userId: string
  readonly types: FieldTypes
  readonly now: number
  /** Values of earlier steps by slug. */
  readonly earlier: ReadonlyMap<string, string>
  readonly given: ReadonlyMap<string, GivenAnswer>
  /** Slugs of answers that were private when this side sealed them, whatever the run says of them now. */
  readonly privates: ReadonlySet<string>
}

export function prepareStep(facts: StepFacts): PreparedStep {
  const { run, definition, node, earlier, given, now } = facts
  const registry = readRegistry(facts.types.rows)
  const files = new Set(answerElements(node).flatMap((element) => (isFile(registry, element) ? [element.slug] : [])))
  const shown = new Map(
    [...given].map(([slug, { text }]) => [slug, files.has(slug) && text !== '' ? FILE_VALUE : text]),
  )
  const referenceDate = run.reference_date
  const { turn, texts: filled } = fillDefaults({ definition, node, referenceDate, registry, earlier, given: shown })
  const texts = new Map([...filled].map(([slug, text]) => [slug, given.get(slug)?.text ?? text]))
  const privacy = viewOf(facts)
  const draft = (element: AnswerElement) => draftOf(facts, { turn, privacy, files, texts }, element)
  return {
    definition,
    turn,
    drafts: answerElements(node).flatMap(draft),
    privacy,
    problems: problemsOf({ registry, turn, texts, given, now }),
    choice: chooseNext(definition, node.key, turn.values),
  }
}

function isFile(registry: Registry, element: AnswerElement): boolean {
  return element.kind === 'field' && isBinary(resolveType(registry, element.field_type))
}

function viewOf({ run, definition, node, userId, given, privates }: StepFacts): PrivacyView {
  const parties = Object.entries(run.bindings).flatMap(([party, user]) => (user === userId ? [party] : []))
  const taken = [...given].flatMap(([slug, { isPrivate }]) => (isPrivate ? [slug] : []))
  return privacyView(definition, {
    nodeKey: node.key,
    parties: new Set(parties),
    privateSlugs: privateSlugsOf(run),
    privateDrafts: new Set([...taken, ...privates]),
  })
}

interface Filled {
  readonly turn: Turn
  readonly privacy: PrivacyView
  readonly files: ReadonlySet<string>
  readonly texts: ReadonlyMap<string, string>
}

/** None for an empty answer, and for one of a hidden element. */
function draftOf(
  { given }: StepFacts,
  { turn, privacy, files, texts }: Filled,
  element: AnswerElement,
): readonly Draft[] {
  const { slug } = element
  const text = texts.get(slug) ?? ''
  if (text === '' || !turn.allowed.includes(slug)) return []
  const { isPrivate: isFromPrivateField = false, source = null } = given.get(slug) ?? {}
  const isPlugin = element.kind === 'plugin'
  const defaultExpression: unknown = isPlugin ? null : element.default
  const isPrivate = isSourcePrivate({ isPlugin, isFromPrivateField, defaultExpression }, privacy)
  return [{ slug, text, isFile: files.has(slug), isPrivate, sourceFieldId: source?.field_id ?? null }]
}
