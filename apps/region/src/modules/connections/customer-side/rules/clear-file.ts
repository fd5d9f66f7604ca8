import { clearAnswerForm, parseDataUri, type Registry, resolveType } from '@sealpost/field-types'
import type { DecisionFile } from '@sealpost/protocol'

/** A clear file in the form that its service receives. */
export type ClearFile =
  | { readonly form: 'envelope'; readonly envelope: string }
  | { readonly form: 'raw'; readonly mimeType: string; readonly base64: string }

/** The envelope of a file in the call; null when members that the type requires are missing. */
export function envelopeOf(
  registry: Registry,
  type: string,
  { file, original_name, envelope }: DecisionFile,
): string | null {
  const definition = resolveType(registry, type)
  if (envelope !== undefined || file === undefined || clearAnswerForm(definition) === 'envelope')
    return envelope ?? null
  if (definition.lane === 'photo') return JSON.stringify({ full: file })
  const parsed = parseDataUri(file)
  const facts = { mime_type: parsed?.mimeType ?? '', size: parsed?.byteLength ?? 0 }
  return JSON.stringify({ file, original_name: original_name ?? 'file', ...facts })
}

/** The whole envelope if the type holds several files or metadata, otherwise its one file; null without a file. */
export function clearFileOf(registry: Registry, type: string, envelope: string): ClearFile | null {
  if (clearAnswerForm(resolveType(registry, type)) === 'envelope') return { form: 'envelope', envelope }
  const { full, file = full } = membersOf(envelope)
  const parsed = typeof file === 'string' ? parseDataUri(file) : null
  return parsed === null ? null : { form: 'raw', mimeType: parsed.mimeType, base64: parsed.base64 }
}

function membersOf(text: string): { readonly full?: unknown; readonly file?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
