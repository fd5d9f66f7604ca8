import type { ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { DocumentId, Signature } from '../model.ts'

export async function insertSignature(tx: Tx, serviceId: ServiceId, no: number, signature: Signature): Promise<void> {
  await runStatement(
    tx,
    `insert into documents_service.signature (service_id, document_id, no, action, method, content_sha256, plain_sha256,
      signer_id, signer_first_name, signer_last_name, signer_name_verified, ip, user_agent, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, to_timestamp($14 / 1000.0))`,
    [
      serviceId,
      signature.documentId,
      no,
      signature.action,
      signature.method,
      signature.contentSha256,
      signature.plainSha256,
      signature.signerId,
      signature.signerFirstName,
      signature.signerLastName,
      signature.signerNameVerified,
      signature.ip,
      signature.userAgent,
      signature.createdAt,
    ],
  )
}

/** In their order. */
export function listSignatures(
  read: Read,
  serviceId: ServiceId,
  documents: readonly DocumentId[],
): Promise<readonly Signature[]> {
  return runStatement<Signature & Record<string, unknown>>(
    read,
    `select document_id as "documentId", action, method, content_sha256 as "contentSha256",
      plain_sha256 as "plainSha256", signer_id as "signerId", signer_first_name as "signerFirstName",
      signer_last_name as "signerLastName", signer_name_verified as "signerNameVerified", ip,
      user_agent as "userAgent", round(extract(epoch from created_at) * 1000)::float8 as "createdAt"
    from documents_service.signature where service_id = $1 and document_id = any($2::uuid[]) order by document_id, no`,
    [serviceId, documents],
  )
}
