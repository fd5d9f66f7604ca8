import { createCryptoPlatform, deriveAccountSecrets, generateKeyPair, newBinding, signValue } from '@sealpost/crypto'
import { memoryPins, PublicKey, ServiceClient, ServiceKey, verifySealedPdf } from '@sealpost/sdk'

/** A stub of the platform with one answer to everything but logins; the page sends no request. */
function clientAgainst(answer: () => Response): ServiceClient {
  const frontDoorUrl = 'https://door.example'
  const token = { token_type: 'Bearer', access_token: 't', expires_in: 3600, api_url: 'https://region.example' }
  const fetch = (url: string | URL | Request): Promise<Response> =>
    Promise.resolve(new Request(url).url.endsWith('/oauth2/token') ? Response.json(token) : answer())
  return new ServiceClient({ frontDoorUrl, clientId: 'c', clientSecret: 's', fetch, pins: memoryPins() })
}

/** Seals in the page and opens with a key file from Node. */
async function roundTrip(given: { pem: string; passphrase: string; publicKey: string; text: string }): Promise<string> {
  const sealed = await (await PublicKey.import(given.publicKey)).seal(given.text)
  return (await ServiceKey.fromPem(given.pem, given.passphrase)).open(sealed)
}

/** Reads a connection as the page of a company would: types from the registry, opened values. */
async function decrypt(given: {
  pem: string
  passphrase: string
  rows: readonly unknown[]
  id: string
  values: Readonly<Record<string, { value: string; sender_signature?: string }>>
  fields: readonly { slug: string; type: string }[]
}): Promise<unknown> {
  const client = clientAgainst(() => Response.json(given.rows))
  return client.values.decrypt(given, await ServiceKey.fromPem(given.pem, given.passphrase))
}

/** Derives the keys of an account in the page and signs a wrapper with them. */
async function signInPage(given: { wrapper: string; recipient: string; slug: string }): Promise<string> {
  const platform = createCryptoPlatform(globalThis)
  const { privateKey } = await generateKeyPair(platform)
  const secrets = await deriveAccountSecrets(platform, privateKey)
  if (!secrets.ok) return secrets.refusal
  const place = { ...given, binding: newBinding(platform) }
  const signed = await signValue(platform, secrets.value.signer, place, given.wrapper, Date.now())
  return signed.ok ? signed.value : signed.refusal
}

/** Streams a file with its digest. Returns its length, or the error of the SDK. */
async function readFile({ base64, digest }: { base64: string; digest: string }): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const headers = { 'content-type': 'image/png', 'x-platform-content-sha256': digest }
  const client = clientAgainst(() => new Response(bytes, { headers }))
  return client.files.read('/api/company-data/connections/a/slots/b/file').then(
    ({ files }) => String(files[0]?.bytes.length),
    (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
  )
}

/** Checks the seal of a PDF, and that one flipped bit is found. */
async function verifyInPage({ base64, trust }: { base64: string; trust: string }): Promise<unknown> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const good = await verifySealedPdf(bytes, { certificates: trust })
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return { good, flipped: (await verifySealedPdf(bytes, { certificates: trust })).problems }
}

Object.assign(globalThis, { verifyInPage, roundTrip, decrypt, readFile, signInPage })
