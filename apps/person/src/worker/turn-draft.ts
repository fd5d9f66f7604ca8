import type { FileToShare, FlowAnswer, PluginField, PluginOption, TurnAnswers } from '@sealpost/sdk'

/** What a person has filled in so far, as a page has it. */
export interface TurnDraft {
  /** The step that the person is at; null for the first. */
  readonly at: string | null
  /** By the key of the step, then by the slug of the question. */
  readonly answers: Readonly<Record<string, StepDraft>>
}

export type StepDraft = Readonly<Record<string, AnswerDraft>>

export type AnswerDraft =
  /** `written`: the default that the text replaced. Without a draft, or with this text again, the default stands. */
  | { readonly kind: 'typed'; readonly text: string; readonly written: string }
  | { readonly kind: 'field'; readonly fieldId: string }
  /** The files themselves rest apart; `entries` is what is said about them. */
  | {
      readonly kind: 'files'
      readonly files: readonly FileFacts[]
      readonly entries: Readonly<Record<string, string>>
    }
  | { readonly kind: 'plugin'; readonly blocks: BlockDrafts }

export type BlockDrafts = Readonly<Record<string, PluginOption | string>>

export interface FileFacts {
  readonly name: string
  readonly mimeType: string
  readonly size: number
}

export const EMPTY_DRAFT: TurnDraft = { at: null, answers: {} }

/** The files and plugin fields that a draft only names. */
export interface DraftParts {
  readonly filesOf: (slug: string) => readonly FileToShare[]
  readonly pluginOf: (slug: string) => PluginField | null
}

export function answersOf(draft: TurnDraft, parts: DraftParts): TurnAnswers {
  const steps = Object.entries(draft.answers).map(([step, answers]) => {
    const entries = Object.entries(answers).flatMap(([slug, answer]) => {
      const given = answerOf(slug, answer, parts)
      return given === undefined ? [] : [[slug, given] as const]
    })
    return [step, Object.fromEntries(entries)] as const
  })
  return Object.fromEntries(steps)
}

/** Undefined where nothing is given, so that a default may stand. */
function answerOf(slug: string, answer: AnswerDraft, parts: DraftParts): FlowAnswer | undefined {
  switch (answer.kind) {
    case 'typed':
      if (answer.text === answer.written) return undefined
      return answer.text === '' ? null : { value: answer.text }
    case 'field':
      return { from: answer.fieldId }
    case 'files': {
      const files = parts.filesOf(slug)
      const [file] = files
      if (file === undefined) return undefined
      // The type decides whether it is one file or the pages of a document.
      return { value: { file, pages: files, entries: answer.entries } }
    }
    case 'plugin': {
      const field = parts.pluginOf(slug)
      return field === null ? undefined : { plugin: field }
    }
  }
}

/** The text of a typed block in its type; a number that is none stays a text, which the field refuses. */
export function blockValue(kind: string, text: string): string | number {
  const number = Number(text)
  return kind === 'number' && text.trim() !== '' && Number.isFinite(number) ? number : text
}

/** Brings a plugin field to what the person has picked and typed. False when a typed value is not of its type. */
export function fillBlocks(field: PluginField, blocks: BlockDrafts): boolean {
  let isValid = true
  for (const { key, kind } of field.snapshot.blocks) {
    const wanted = blocks[key]
    if (wanted === undefined || wanted === '') {
      if (field.blocks[key] !== undefined) field.clear(key)
    } else if (typeof wanted === 'object') {
      const picked = field.blocks[key]
      const isSame = typeof picked === 'object' && picked.id === wanted.id
      if (!isSame) field.pick(key, wanted)
    } else if (field.blocks[key] !== blockValue(kind, wanted)) {
      isValid = fillBlock(field, key, blockValue(kind, wanted)) && isValid
    }
  }
  return isValid
}

function fillBlock(field: PluginField, key: string, value: string | number): boolean {
  try {
    field.fill(key, value)
    return true
  } catch {
    if (field.blocks[key] !== undefined) field.clear(key)
    return false
  }
}
