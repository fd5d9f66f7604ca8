import { type Installation, median, northwind, type ScenarioContext } from '@sealpost/testkit'
import { decodeJwt, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { cpuMicroseconds } from '../cpu.ts'
import { requestDataToken } from '../data-token.ts'
import { sendLoad } from '../load.ts'

export interface VerificationSize {
  readonly calls: number
  readonly callSamples: number
}

const CONNECTIONS = 32
const PATH = '/api/company-data/whoami'

/** CPU of the region's process for a data call with a known token, and with one that it has never seen. */
export async function measureVerification(
  context: ScenarioContext,
  installation: Installation,
  { calls, callSamples: samples }: VerificationSize,
): Promise<Record<string, number>> {
  const { eu, environment } = installation
  const { token: known } = await requestDataToken(installation, northwind)
  const sign = await signerOf(environment.frontDoor['SIGNING_KEYS'] ?? '', known)
  const each = Math.ceil(calls / samples)
  const measure = async (tokens: readonly string[]): Promise<number> => {
    const before = cpuMicroseconds(eu.pid())
    await callWith(eu.url, tokens, each)
    return (cpuMicroseconds(eu.pid()) - before) / each
  }
  const [cached, fresh]: [number[], number[]] = [[], []]
  await callWith(eu.url, [known], each)
  for (let sample = 1; sample <= samples; sample += 1) {
    const unseen = await Promise.all(Array.from({ length: each }, sign))
    cached.push(await measure([known]))
    fresh.push(await measure(unseen))
  }
  const [known_token_us, new_token_us] = [Math.round(median(cached)), Math.round(median(fresh))]
  context.progress(`a data call costs ${known_token_us} µs with a token seen before, ${new_token_us} µs with a new one`)
  return { known_token_us, new_token_us, verification_us: new_token_us - known_token_us }
}

async function callWith(regionUrl: string, tokens: readonly string[], requests: number): Promise<void> {
  let next = 0
  const headers = () => ({ authorization: `Bearer ${tokens[next++ % tokens.length]}` })
  await sendLoad({ url: `${regionUrl}${PATH}`, headers, requests, connections: CONNECTIONS })
}

/** Signs distinct tokens like the given one, without the front door, whose cost is not measured here. */
async function signerOf(signingKeys: string, model: string): Promise<() => Promise<string>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key set that the installation was started with
  const { keys } = JSON.parse(signingKeys) as { keys: JWK[] }
  const jwk = keys.find(({ alg }) => alg === 'ES256')
  if (jwk?.kid === undefined) throw new Error('the installation has no ES256 key')
  const [key, payload] = [await importJWK(jwk, 'ES256'), decodeJwt(model)]
  const header = { alg: 'ES256', typ: 'at+jwt', kid: jwk.kid }
  let last = 0
  return () => {
    const claims: JWTPayload = { ...payload, jti: `bench-${(last += 1)}` }
    return new SignJWT(claims).setProtectedHeader(header).sign(key)
  }
}
