import type { AwaitedParty, FieldTypes, FlowRun, OpenedAnswer, SigningStep } from '@sealpost/sdk'
import { type TypeView, typeView } from './type-view.ts'

/** How a run stands for the person. */
export type RunState =
  | { readonly kind: 'your_turn' }
  | { readonly kind: 'their_turn'; readonly who: string }
  /** The person answered last, so this device makes the documents. */
  | { readonly kind: 'make' }
  | { readonly kind: 'making'; readonly who: string }
  | { readonly kind: 'sign'; readonly paperId: string; readonly name: string; readonly act: SigningStep['act'] }
  | { readonly kind: 'signing'; readonly who: string }
  | { readonly kind: 'completed' }
  | { readonly kind: 'cancelled'; readonly who: string | null; readonly isOwn: boolean; readonly reason: string | null }

/** Whose run it is, as a page names them. */
export interface RunParties {
  readonly userId: string
  readonly companyName: string
  readonly steps: readonly SigningStep[]
  readonly awaited: AwaitedParty | null
}

export function stateOf(run: FlowRun, parties: RunParties): RunState {
  const { awaited, steps, userId } = parties
  const who = (party: string): string => nameOf(run, party, parties.companyName)
  if (awaited !== null) return awaited.isOwn ? { kind: 'your_turn' } : { kind: 'their_turn', who: who(awaited.key) }
  if (run.status === 'completed') return { kind: 'completed' }
  if (run.status === 'cancelled') {
    const { cancelled_by: by, cancel_reason: reason } = run
    const isParty = by !== null && by !== 'system'
    return {
      kind: 'cancelled',
      who: isParty ? who(by) : null,
      isOwn: isParty && run.bindings[by] === userId,
      reason,
    }
  }
  if (run.status === 'generating') {
    const leaf = run.definition.nodes.find(({ key }) => key === run.current_node)
    const maker = leaf?.party ?? ''
    return run.bindings[maker] === userId ? { kind: 'make' } : { kind: 'making', who: who(maker) }
  }
  const open = steps.find(({ state }) => state === 'open')
  if (open?.isOwn === true) return { kind: 'sign', paperId: open.documentId, name: open.name, act: open.act }
  return { kind: 'signing', who: who(open?.party ?? '') }
}

/** The company by its own name, others as the flow calls them. */
export function nameOf(run: FlowRun, party: string, companyName: string): string {
  if (run.bindings[party] === run.company_user_id) return companyName
  return run.parties.find(({ key }) => key === party)?.label ?? party
}

/** An answer that was given, for reading. */
export interface GivenAnswerView {
  readonly slug: string
  readonly label: string
  readonly who: string
  readonly isOwn: boolean
  readonly isPrivate: boolean
  readonly isVerified: boolean
  readonly content:
    | { readonly kind: 'text'; readonly type: TypeView; readonly text: string }
    | { readonly kind: 'choices'; readonly labels: readonly string[] }
    | { readonly kind: 'plugin'; readonly texts: readonly { readonly label: string; readonly text: string }[] }
    | { readonly kind: 'file'; readonly isHeld: boolean }
    | { readonly kind: 'unreadable' }
}

export function givenView(
  slug: string,
  answer: OpenedAnswer,
  about: { readonly types: FieldTypes; readonly who: string; readonly isOwn: boolean },
): GivenAnswerView {
  const { types, who, isOwn } = about
  const { label, isPrivate } = answer
  const isVerified = 'attestation' in answer && answer.attestation === 'attested'
  return { slug, label, who, isOwn, isPrivate, isVerified, content: contentOf(answer, types) }
}

function contentOf(answer: OpenedAnswer, types: FieldTypes): GivenAnswerView['content'] {
  if (answer.kind === 'unreadable') return { kind: 'unreadable' }
  if (answer.kind === 'file') return { kind: 'file', isHeld: answer.isHeld }
  const { text, type, options } = answer
  if (type === 'plugin') return { kind: 'plugin', texts: pluginTexts(text) }
  if (options === null) return { kind: 'text', type: typeView(types, type), text }
  const chosen = type === 'multiselect' ? listOf(text) : [text]
  return { kind: 'choices', labels: chosen.map((value) => labelIn(options, value)) }
}

function labelIn(options: NonNullable<OpenedAnswer['options']>, value: string): string {
  return options.find((option) => option.value === value)?.label ?? value
}

interface PluginPart {
  readonly label?: unknown
  readonly value?: unknown
}

/** Another client wrote it, so nothing about it is certain. */
function pluginTexts(text: string): readonly { readonly label: string; readonly text: string }[] {
  const parsed = parse(text)
  if (typeof parsed !== 'object' || parsed === null) return [{ label: '', text }]
  const { blocks, outputs } = { blocks: [], outputs: [], ...parsed }
  return [blocks, outputs].flatMap((parts: unknown) =>
    (Array.isArray(parts) ? parts : []).flatMap(({ label, value }: PluginPart) =>
      typeof label === 'string' && isPlain(value) ? [{ label, text: String(value) }] : [],
    ),
  )
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function listOf(text: string): readonly string[] {
  const parsed = parse(text)
  return Array.isArray(parsed) ? parsed.map(String) : [text]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
