import type { CustomerClient } from '@sealpost/sdk'
import type { DemoVerifier } from '@sealpost/testkit'

export interface FieldToVerify {
  readonly id: string
  readonly type: string
  /** The value that the provider confirms. */
  readonly evidence: string
}

/** From the challenge to the attestation, with a statement of the demo provider. */
export async function verifyField(
  { verifications }: Pick<CustomerClient, 'verifications'>,
  verifier: DemoVerifier,
  field: FieldToVerify,
) {
  const begun = await verifications.begin(field.id, 'demo_id')
  const { statement } = await verifier.attest({
    verification_id: begun.verification_id,
    challenge: begun.challenge ?? '',
    field_type: field.type,
    evidence: field.evidence,
  })
  return verifications.confirm(field.id, begun.verification_id, { statement })
}
