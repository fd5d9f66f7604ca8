import { requireOpen } from '@sealpost/session/worker'
import type { PersonContext } from '../context.ts'

/** How a person shows that a value is theirs. */
export type Proving = 'email' | 'sms'

export interface BegunView {
  readonly verificationId: string
}

/** Sends a code: by mail to the address of the account, by SMS to the number in the field. */
export async function beginVerification(
  context: PersonContext,
  { fieldId, by }: { readonly fieldId: string; readonly by: Proving },
): Promise<BegunView> {
  const { verifications, contactData } = requireOpen(context).client
  const begun =
    by === 'email'
      ? await verifications.begin(fieldId, 'platform_email')
      : await verifications.beginBySms(fieldId, await contactData.textOf(await contactData.get(fieldId)))
  return { verificationId: begun.verification_id }
}

export async function confirmVerification(
  context: PersonContext,
  { fieldId, verificationId, code }: BegunView & { readonly fieldId: string; readonly code: string },
): Promise<void> {
  await requireOpen(context).client.verifications.confirm(fieldId, verificationId, { code })
  context.changed('data', 'connections')
}
