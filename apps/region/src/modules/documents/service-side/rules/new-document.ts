import { createCryptoPlatform, isWrapper, wrapperObjectText } from '@sealpost/crypto'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { DocumentKind, DocumentMetadata, ErrorKey } from '@sealpost/protocol'
import type { PayloadKind } from '../model.ts'
import { isContract } from './contracts.ts'
import { type MemberProblem, mergeMetadata } from './metadata.ts'

const platform = createCryptoPlatform(globalThis)

/** JSON that a customer sees. */
export const JSON_MAX_BYTES = 256 * 1024
/** The wrapper of such a text: base64, and the members around it. */
export const SEALED_JSON_MAX = Math.ceil((JSON_MAX_BYTES * 4) / 3) + 1024

export interface GivenDocument {
  readonly name: string
  readonly payload_kind: PayloadKind
  readonly kind?: DocumentKind
  readonly is_private?: boolean
  readonly requires_signature?: boolean
  readonly requires_acceptance?: boolean
  readonly description?: string | null
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly value?: unknown
  readonly plain_sha256?: string | null
}

export interface NewDocument {
  readonly name: string
  readonly description: string | null
  readonly kind: DocumentKind
  readonly payloadKind: PayloadKind
  readonly isPrivate: boolean
  readonly requiresSignature: boolean
  readonly requiresAcceptance: boolean
  readonly metadata: DocumentMetadata
  /** Null for a file, which follows. */
  readonly value: string | null
  readonly plainSha256: string | null
}

export type DocumentRefusal =
  | { readonly key: Extract<ErrorKey, `documents.${string}` | 'contact_data.encryption_required'> }
  | { readonly key: 'request.invalid'; readonly problem: MemberProblem }

export function validateNew(given: GivenDocument, isForOne: boolean): Result<NewDocument, DocumentRefusal> {
  const { kind = 'document', payload_kind: payloadKind } = given
  const terms = {
    kind,
    requiresSignature: given.requires_signature ?? false,
    requiresAcceptance: given.requires_acceptance ?? false,
  }
  const isPrivate = given.is_private ?? false
  if (!isForOne && isContract(terms)) return decline({ key: 'documents.contract_requires_person' })
  if (!isForOne && isPrivate) return decline({ key: 'documents.private_requires_person' })
  const name = given.name.trim()
  if (name === '') return invalid({ path: '/body/name', message: 'must not be blank' })
  const metadata = mergeMetadata(kind, {}, given.metadata ?? {})
  if (!metadata.ok) return invalid(metadata.refusal)
  const value = validateValue(given, isForOne)
  if (!value.ok) return value
  const plainSha256 = payloadKind === 'file' ? (given.plain_sha256 ?? null) : null
  const description = given.description ?? null
  return accept({
    ...terms,
    name,
    description,
    payloadKind,
    isPrivate,
    metadata: metadata.value,
    value: value.value,
    plainSha256,
  })
}

function validateValue(
  { payload_kind: payloadKind, value }: GivenDocument,
  isForOne: boolean,
): Result<string | null, DocumentRefusal> {
  if (payloadKind === 'file') {
    return value === undefined || value === null ? accept(null) : decline({ key: 'documents.invalid_payload' })
  }
  if (value === undefined) return decline({ key: 'documents.invalid_payload' })
  if (isForOne) return validateSealed(value, SEALED_JSON_MAX)
  const text = JSON.stringify(value)
  return Buffer.byteLength(text) > JSON_MAX_BYTES ? decline({ key: 'documents.too_large' }) : accept(text)
}

/** The text of the wrapper, which signatures name by its digest. An object is written in one layout. */
function validateSealed(value: unknown, longest: number): Result<string, DocumentRefusal> {
  const text = typeof value === 'string' ? value : wrapperObjectText(platform, value)
  if (text !== null && text.length > longest) return decline({ key: 'documents.too_large' })
  return isWrapper(platform, text) ? accept(text) : decline({ key: 'contact_data.encryption_required' })
}

/** A file is sealed as text only. */
export function validateSealedFile(value: unknown, longest: number): Result<string, DocumentRefusal> {
  return typeof value === 'string'
    ? validateSealed(value, longest)
    : decline({ key: 'contact_data.encryption_required' })
}

function invalid(problem: MemberProblem): Result<never, DocumentRefusal> {
  return decline({ key: 'request.invalid', problem })
}
