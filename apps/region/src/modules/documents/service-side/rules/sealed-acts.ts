import { formatInstant } from '@sealpost/kernel'
import type { SealRequest } from '@sealpost/pdf'
import type { Signature } from '../model.ts'

/** An act as the Signatures page and the record of the seal have it: without address and browser of the signer. */
export function sealedActOf(signature: Signature, position: number): SealRequest['acts'][number] {
  return {
    signer_first_name: signature.signerFirstName ?? '',
    signer_last_name: signature.signerLastName ?? '',
    signer_name_verified: signature.signerNameVerified,
    action: signature.action,
    method: signature.method,
    created_at: formatInstant(signature.createdAt),
    position,
  }
}
