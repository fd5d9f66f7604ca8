import { createHash } from 'node:crypto'
import { buildPdf, pageObjects } from '@sealpost/pdf-format/testing'
import { askToken, dataUri, openFileCopy, sealTo, type TestUser, underOneTimeKey, waitUntil } from '@sealpost/testkit'
import type { Recorder } from './recorder.ts'
import type { Piece } from './search.ts'
import { recordedFetch } from './traffic.ts'

/** A service and a person of the other region, with what their calls need. */
export interface DocumentsSite {
  readonly recorder: Recorder
  readonly clientId: string
  readonly clientSecret: string
  readonly session: { readonly token: string; readonly apiUrl: string }
  readonly user: Pick<TestUser, 'keys' | 'userId'>
  readonly connectionId: string
}

export interface DocumentMarks {
  readonly terms: string
  readonly contract: string
  readonly contractFile: string
  readonly newContract: string
}

export interface AcceptedContracts {
  /** What the person opened at the end. */
  readonly opened: readonly Piece[]
  /** The key under which the PDF was handed over. */
  readonly oneTimeKey: string
}

type Body = Readonly<Record<string, unknown>>
const ARRIVAL_MS = 20_000

/** A JSON contract and a PDF, whose file is replaced once; the person accepts both, and the platform seals the PDF. */
export async function acceptContracts(site: DocumentsSite, marks: DocumentMarks): Promise<AcceptedContracts> {
  const { body: login } = await askToken(site.recorder.installation, site.clientId, site.clientSecret)
  const service = sender(site, 'the service', {
    token: String(login['access_token']),
    apiUrl: String(login['api_url']),
  })
  const person = sender(site, 'the person', site.session)
  const { publicKey } = site.user.keys
  const terms = await sealTo(publicKey, JSON.stringify({ title: marks.terms }))
  const json = await service('POST', '/api/company-data/documents', { ...factsOf(site, 'json'), value: terms })
  const pdf = planted(marks.newContract)
  const plain_sha256 = sha256(pdf)
  const file = await service('POST', '/api/company-data/documents', { ...factsOf(site, 'file'), plain_sha256 })
  let value = ''
  for (const bytes of [planted(marks.contract), pdf]) {
    const envelope = { file: dataUri('application/pdf', bytes), original_name: marks.contractFile }
    value = await sealTo(publicKey, JSON.stringify(envelope))
    await service('POST', `/api/company-data/documents/${String(file['id'])}/file`, { value, plain_sha256 })
  }
  const path = (document: Body): string =>
    `/api/company-connections/${site.connectionId}/documents/${String(document['id'])}`
  await arrived(person, path(json), terms)
  await arrived(person, path(file), value)
  const handedOver = await underOneTimeKey(pdf)
  await person('POST', `${path(json)}/accept`, { content_sha256: sha256(terms) })
  await person('POST', `${path(file)}/accept`, { content_sha256: sha256(value), plain_sha256, ...handedOver })
  const sealed = await waitForSeal(person, path(file), value)
  return {
    oneTimeKey: handedOver.otk,
    opened: [{ place: 'the sealed PDF', content: await openFileCopy(site.user, sealed) }],
  }
}

export type Send = (method: string, path: string, body?: Body) => Promise<Body>

/** Recorded calls of one caller. An answer other than success and 404 throws. */
export function sender(
  { recorder }: Pick<DocumentsSite, 'recorder'>,
  whose: string,
  login: DocumentsSite['session'],
): Send {
  const recorded = recordedFetch(whose, recorder.record)
  const headers = { authorization: `Bearer ${login.token}`, 'content-type': 'application/json' }
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await recorded(`${login.apiUrl}${path}`, { method, headers, ...sent })
    const text = await answer.text()
    if (!answer.ok && answer.status !== 404) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  }
}

function factsOf({ connectionId }: DocumentsSite, payload_kind: 'json' | 'file'): Body {
  const target = { connection_id: connectionId }
  return { name: 'Supply agreement', kind: 'agreement', requires_acceptance: true, payload_kind, target }
}

async function arrived(person: Send, path: string, value: string): Promise<void> {
  const digest = sha256(value)
  await waitUntil(
    'the contract arrives',
    ARRIVAL_MS,
    async () => (await person('GET', path))['content_sha256'] === digest,
  )
}

async function waitForSeal(person: Send, path: string, before: string): Promise<string> {
  let value = before
  await waitUntil('the sealed file arrives', ARRIVAL_MS, async () => {
    value = String((await person('GET', `${path}/file`))['value'])
    return value !== before
  })
  return value
}

/** A PDF whose text is readable in its bytes. */
function planted(text: string): Uint8Array {
  const content = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`
  const more = [
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
  ]
  return buildPdf(pageObjects({ page: '/Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>', more }))
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
