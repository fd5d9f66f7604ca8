import { answerElements, type AnswerElement, type FlowNode } from '@sealpost/flow/run'
import { SealingError } from '../keys/sealing-error.ts'
import type { FieldTypes } from '../values/field-types.ts'
import type { AttestationMembers, Attestedness } from '../values/values.ts'
import { FlowError } from './flow-error.ts'
import type { OpenedAnswer } from './opened-answer.ts'
import { pinnedDefinition } from './pinned-definition.ts'
import { type FlowRun, privateSlugsOf } from './run.ts'

/** The party that reads a run. */
export interface RunReader {
  readonly userId: string
  readonly types: FieldTypes
  readonly open: (wrapper: string) => Promise<string>
  readonly attest: (members: AttestationMembers, text: string) => Promise<Attestedness>
}

type SealedAnswer = FlowRun['answers'][number]

/** The own copies by slug. Copies for other users and answers that the definition does not ask for are left out. */
export async function openAnswers(run: FlowRun, reader: RunReader): Promise<ReadonlyMap<string, OpenedAnswer>> {
  const places = new Map(pinnedDefinition(run).nodes.flatMap(placesOf))
  const opened = new Map<string, OpenedAnswer>()
  for (const answer of run.answers) {
    const place = places.get(answer.slug)
    if (answer.for_user_id !== reader.userId || place === undefined) continue
    opened.set(answer.slug, await openAnswer(run, answer, place, reader))
  }
  return opened
}

interface Place {
  readonly node: FlowNode
  readonly element: AnswerElement
}

function placesOf(node: FlowNode): readonly (readonly [string, Place])[] {
  return answerElements(node).map((element) => [element.slug, { node, element }])
}

async function openAnswer(
  run: FlowRun,
  answer: SealedAnswer,
  { node, element }: Place,
  reader: RunReader,
): Promise<OpenedAnswer> {
  const type = element.kind === 'field' ? element.field_type : 'plugin'
  const facts = {
    party: node.party,
    step: node.key,
    label: element.label,
    options: optionsOf(element),
    type,
    isPrivate: privateSlugsOf(run)?.has(answer.slug) ?? run.bindings[node.party] !== reader.userId,
  }
  if (element.kind === 'field' && reader.types.isFile(type)) {
    const reference = readReference(answer.value)
    if (reference === null) return { ...facts, ...unreadable(new SealingError('not_a_wrapper')) }
    return { ...facts, kind: 'file', isHeld: reference.file !== null, isLinked: reference.isLinked }
  }
  try {
    const text = await reader.open(answer.value)
    const attestation = await reader.attest(answer, text)
    const { types } = reader
    return { ...facts, ...types.parse(type, text), text, attestation, problems: types.validate(type, text) }
  } catch (error) {
    if (!(error instanceof SealingError)) throw error
    return { ...facts, ...unreadable(error) }
  }
}

function optionsOf(element: AnswerElement): OpenedAnswer['options'] {
  if (element.kind !== 'field') return null
  return element.options?.map(({ value, label }) => ({ value, label })) ?? null
}

function unreadable({ refusal, message }: SealingError) {
  return { kind: 'unreadable', refusal, message } as const
}

/** A file answer names a stored copy, and whether it was linked from the profile. */
export function readReference(text: string): { readonly file: string | null; readonly isLinked: boolean } | null {
  const parsed = parseJson(text)
  if (typeof parsed !== 'object' || parsed === null) return null
  const file = '_enc_file' in parsed && typeof parsed._enc_file === 'string' ? parsed._enc_file : null
  const isLinked = '_link' in parsed && parsed._link === 1
  return file === null && !isLinked ? null : { file, isLinked }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The value of a file in conditions: every party has a handle of its own, and all of them must choose the same edges.
 */
export const FILE_VALUE = 'file'

/** The values by which conditions are evaluated. A missing one would lead to another step, so all must be readable. */
export function valuesOf(opened: ReadonlyMap<string, OpenedAnswer>): ReadonlyMap<string, string> {
  return new Map(
    [...opened].map(([slug, answer]) => {
      if (answer.kind === 'unreadable') throw new FlowError('answer_unreadable', slug)
      return [slug, answer.kind === 'file' ? FILE_VALUE : answer.text]
    }),
  )
}
