import type { SignDocumentBody } from '../shapes.generated.ts'
import { sha256Of } from './document-file.ts'
import { handOver } from './hand-over.ts'

export type SigningAssertion = NonNullable<SignDocumentBody['assertion']>

/** How the signer proves to be there. */
export type SigningProof =
  /**
   * A passkey or a device key of the account. The function gets the digest to sign: the UTF-8 bytes of this text are the
   * `challenge` for `navigator.credentials.get`.
   */
  | { readonly method: 'biometric'; readonly assertion: (contentSha256: string) => Promise<SigningAssertion> }
  /** A one-time code of the account's second factor. */
  | { readonly method: 'twofa'; readonly code: string }
  /** The code that `requestSignCode` mailed. */
  | { readonly method: 'email'; readonly code: string }
  /** A user of a company's portal, for the company. */
  | { readonly method: 'custodian' }

export async function provenMembers(proof: SigningProof, contentSha256: string) {
  return proof.method === 'biometric' ? { ...proof, assertion: await proof.assertion(contentSha256) } : proof
}

/** What is signed, and the PDF under a new key for the act that completes the document. */
export async function signedFile(contentSha256: string, bytes: Uint8Array) {
  return { content_sha256: contentSha256, plain_sha256: await sha256Of(bytes), ...(await handOver(bytes)) }
}
