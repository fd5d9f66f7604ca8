import type { CallOptions } from '../options.ts'
import { confirmVerification, removeVerification, startVerification } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type {
  ConfirmVerificationAnswer,
  ConfirmVerificationBody,
  StartVerificationAnswer,
} from '../shapes.generated.ts'

/** Verification of a value. Readers recompute the hash, so the value must be exactly the verified text. */
export class Verifications {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** `platform_email` mails a code; for other providers the device sends `challenge` to `provider_url`. */
  begin(fieldId: string, provider: string, options?: CallOptions): Promise<StartVerificationAnswer> {
    return this.#send(startVerification, { params: { fieldId }, body: { provider } }, options)
  }

  /** `platform_sms` sends a code to `phone`: exactly the text of the field, with a country code. */
  beginBySms(fieldId: string, phone: string, options?: CallOptions): Promise<StartVerificationAnswer> {
    return this.#send(startVerification, { params: { fieldId }, body: { provider: 'platform_sms', phone } }, options)
  }

  /** With the mailed code, or with the statement that the provider signed. */
  confirm(
    fieldId: string,
    verificationId: string,
    proof: ConfirmVerificationBody,
    options?: CallOptions,
  ): Promise<ConfirmVerificationAnswer> {
    return this.#send(confirmVerification, { params: { fieldId, id: verificationId }, body: proof }, options)
  }

  /** Removes the attestation; the value stays. */
  drop(fieldId: string, options?: CallOptions): Promise<void> {
    return this.#send(removeVerification, { params: { fieldId } }, options)
  }
}
