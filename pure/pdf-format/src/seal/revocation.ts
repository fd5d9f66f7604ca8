import { isSame, MalformedSeal } from './asn1.ts'
import { type Certificate, findIssuer, MAX_CHAIN } from './certificate.ts'
import { isAbout, isRevoked, type RevocationList } from './revocation-list.ts'
import { hashOf, verifySignature } from './signature.ts'
import type { SealCrypto } from './web-crypto.ts'

/** What a list says about a certificate at a time. */
export interface RevocationState {
  readonly certificate: Certificate
  readonly list: RevocationList
  readonly isSignedByIssuer: boolean
  /** The next list was not due yet. */
  readonly isCurrent: boolean
  /** `unknown`: another issuer signed the list, or it was out of date. */
  readonly status: 'good' | 'revoked' | 'unknown'
}

export interface RevocationQuestion {
  readonly lists: readonly RevocationList[]
  /** Among which the issuers are looked for. */
  readonly others: readonly Certificate[]
  readonly at: number
}

/** For the certificate and each of those above it: every list that is about it. */
export async function readRevocation(
  crypto: SealCrypto,
  leaf: Certificate,
  { lists, others, at }: RevocationQuestion,
): Promise<readonly RevocationState[]> {
  const states: RevocationState[] = []
  let current: Certificate | null = leaf
  for (let step = 0; step <= MAX_CHAIN && current !== null; step += 1) {
    const certificate: Certificate = current
    if (isSame(certificate.issuer, certificate.subject)) break
    const issuer = await findIssuer(crypto, certificate, others)
    for (const list of lists)
      if (isAbout(list, certificate)) states.push(await stateOf(crypto, certificate, { list, issuer, at }))
    current = issuer
  }
  return states
}

interface Evidence {
  readonly list: RevocationList
  readonly issuer: Certificate | null
  readonly at: number
}

async function stateOf(
  crypto: SealCrypto,
  certificate: Certificate,
  { list, issuer, at }: Evidence,
): Promise<RevocationState> {
  const isSignedByIssuer = issuer !== null && (await isSignedBy(crypto, list, issuer))
  const isCurrent = list.nextUpdate !== null && at <= list.nextUpdate
  const known = isRevoked(list, certificate) ? 'revoked' : isCurrent ? 'good' : 'unknown'
  return { certificate, list, isSignedByIssuer, isCurrent, status: isSignedByIssuer ? known : 'unknown' }
}

async function isSignedBy(crypto: SealCrypto, list: RevocationList, issuer: Certificate): Promise<boolean> {
  if (!issuer.maySignLists) return false
  const { signed: content, signature, algorithm } = list
  try {
    return await verifySignature(crypto, { key: issuer.key, hash: hashOf(algorithm), signature, content })
  } catch (error) {
    // An algorithm that is not known here.
    if (error instanceof MalformedSeal) return false
    throw error
  }
}
