import type { RegionCode, UserId } from '@sealpost/kernel'
import { PASS_ALGORITHM, PASS_SECONDS, PASS_TYPE, type PassKind } from '@sealpost/protocol'
import { SignJWT } from 'jose'
import type { SignerOptions } from './access-token-signer.ts'
import { findSigningKey } from './signing-keys.ts'

/** The claims of a pass that differ from pass to pass. */
export interface NewPass {
  readonly kind: PassKind
  readonly companyId: UserId
  readonly pluginIds: readonly string[]
  /** Of a flow pass. */
  readonly turn: { readonly runId: string; readonly node: string; readonly party: string } | null
  /** The region that asks, which holds the plugins. */
  readonly region: RegionCode
}

export interface PassSigner {
  sign(pass: NewPass): Promise<string>
}

/** Signs passes for the forwarder, with the key of access tokens and a type of their own. */
export function createPassSigner({
  issuer,
  clock,
  ids,
  signingKeys,
  forwarderUrl,
}: SignerOptions & { readonly forwarderUrl: string }): PassSigner {
  const { kid, importing } = findSigningKey(signingKeys)
  const header = { alg: PASS_ALGORITHM, typ: PASS_TYPE, kid }
  return {
    async sign({ kind, companyId, pluginIds, turn, region }) {
      const iat = Math.floor(clock.now() / 1000)
      const step = turn === null ? {} : { run: turn.runId, node: turn.node, pty: turn.party }
      return new SignJWT({ kind, cid: companyId, pid: [...pluginIds], rgn: region, ...step })
        .setProtectedHeader(header)
        .setIssuer(issuer)
        .setAudience(forwarderUrl)
        .setIssuedAt(iat)
        .setExpirationTime(iat + PASS_SECONDS)
        .setJti(ids.uuid())
        .sign(await importing)
    },
  }
}
