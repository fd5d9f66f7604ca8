import { formatInstant } from '@sealpost/kernel'
import {
  type BroadcastFacts,
  type Document,
  type DocumentContent,
  type DocumentState,
  type RunDocument,
  runSignature,
  type SignatureFacts,
} from '@sealpost/protocol'
import type { Signature, StoredDocument } from './model.ts'
import { isUnsignable } from './rules/contracts.ts'

/** A document as its company reads it. `path`: of the routes that serve the files of broadcasts. */
export function documentToWire(
  document: StoredDocument,
  signatures: readonly Signature[],
  ofRun: readonly RunDocument[] | null,
  path = '/api/company-data/documents',
): Document {
  const { rev: _rev, run_id: _run, output_key: _output, ...state } = stateToWire(document, signatures)
  return {
    ...state,
    signatures: signatures.map((signature) => ({
      ...signatureToWire(signature),
      ip: signature.ip,
      user_agent: signature.userAgent,
    })),
    plain_sha256: document.plainSha256,
    sealed_at: document.sealedAt === null ? null : formatInstant(document.sealedAt),
    ...(isUnsignable(document) ? { signable: false } : {}),
    connection_id: document.customer?.connectionId ?? null,
    person_user_id: document.customer?.customerId ?? null,
    value: valueToWire(document, path),
    content_sha256: document.contentSha256,
    ...(ofRun === null ? {} : { run_signatures: ofRun.map(runSignature) }),
  }
}

/** Of a call that leaves the document as it is now. */
export function warningsAbout(document: StoredDocument): readonly string[] {
  return isUnsignable(document) ? ['documents.not_signable; plain_sha256 is missing'] : []
}

function valueToWire({ id, isPending, value, rawFile }: StoredDocument, path: string): unknown {
  if (isPending) return { _pending: true }
  if (value !== null) return JSON.parse(value)
  if (rawFile === null) return { _enc_file: id }
  return { file: `${path}/${id}/file`, ...fileFacts(rawFile) }
}

function fileFacts({ originalName, mimeType, bytes }: NonNullable<StoredDocument['rawFile']>) {
  return { original_name: originalName, mime_type: mimeType, size: bytes }
}

/** The customer sees who signed, but not from where. */
function signatureToWire(signature: Signature): SignatureFacts {
  return {
    action: signature.action,
    method: signature.method,
    content_sha256: signature.contentSha256,
    plain_sha256: signature.plainSha256,
    signer_first_name: signature.signerFirstName,
    signer_last_name: signature.signerLastName,
    signer_name_verified: signature.signerNameVerified,
    created_at: formatInstant(signature.createdAt),
  }
}

export function stateToWire(document: StoredDocument, signatures: readonly Signature[]): DocumentState {
  return {
    id: document.id,
    rev: document.rev,
    name: document.name,
    description: document.description,
    kind: document.kind,
    payload_kind: document.payloadKind,
    is_private: document.isPrivate,
    requires_signature: document.requiresSignature,
    requires_acceptance: document.requiresAcceptance,
    status: document.status,
    metadata: document.metadata,
    signatures: signatures.map(signatureToWire),
    cancel_effective_date: document.cancelEffectiveDate,
    run_id: document.runId,
    output_key: document.outputKey,
    created_at: formatInstant(document.createdAt),
    updated_at: formatInstant(document.updatedAt),
  }
}

/** `isAttached`: the content travels as an attachment. */
export function contentToWire(document: StoredDocument, isAttached: boolean): DocumentContent {
  if (document.contentSha256 === null) throw new Error(`document ${document.id} has no sealed content`)
  return {
    content_rev: document.contentRev,
    value: isAttached ? null : document.value,
    content_sha256: document.contentSha256,
    plain_sha256: document.plainSha256,
    sealed_at: document.sealedAt === null ? null : formatInstant(document.sealedAt),
  }
}

export function broadcastToWire(document: StoredDocument): BroadcastFacts {
  return {
    state: stateToWire(document, []),
    value: document.answerFile === null ? document.value : null,
    file: document.rawFile === null ? null : fileFacts(document.rawFile),
    answer_sha256: document.answerFile?.sha256 ?? null,
  }
}
