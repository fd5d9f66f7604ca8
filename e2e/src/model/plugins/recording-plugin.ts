import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAuthority, createServerCertificate } from '@sealpost/bus/certificates'
import { createCryptoPlatform, importOpeningKey, openWrapper } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { createPrivateKey, fieldType, openPlugin } from '@sealpost/plugin-kit'
import { BLOCK, probeInputs, type ProbeType } from './probe.ts'

export interface RecordingPlugin {
  readonly url: string
  /** The certificate to trust, as PEM. */
  readonly authority: string
  /** All that has arrived since the last call: heads, bodies, and the opened questions. */
  taken(): Promise<{ readonly raw: string; readonly questions: readonly string[] }>
  close(): Promise<void>
}

/** A plugin that keeps everything that it is sent, behind TLS on loopback. */
export async function startRecordingPlugin(): Promise<RecordingPlugin> {
  const key = await createPrivateKey()
  const plugin = await openPlugin({ name: 'Probe', key, fieldTypes: [probeType('open'), probeType('strict')] })
  const opening = await importOpeningKey(platform, new Secret(derOf(key)))
  if (!opening.ok) throw new Error(opening.refusal)
  const authority = await createAuthority(Date.now())
  const { certificate, key: tlsKey } = await createServerCertificate(authority, ['127.0.0.1'], Date.now())
  let requests: { readonly head: string; readonly body: string }[] = []
  const server = createServer({ cert: certificate, key: tlsKey.reveal() }, (request, response) => {
    void (async () => {
      let text = ''
      for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
      requests.push({ head: JSON.stringify([request.method, request.url, request.rawHeaders]), body: text })
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      const { method = '', url = '' } = request
      const answer = await plugin.handle({ method, path: url, authorization: undefined, body })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    })()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has an AddressInfo
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    authority: authority.certificate,
    async taken() {
      const taken = requests
      requests = []
      const questions: string[] = []
      for (const { body } of taken) {
        if (body === '') continue
        const opened = await openWrapper(platform, opening.value, requestOf(body))
        if (!opened.ok) throw new Error(`a question does not open: ${opened.refusal}`)
        questions.push(opened.value)
      }
      return { raw: taken.map(({ head, body }) => head + body).join('\n'), questions }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const platform = createCryptoPlatform(globalThis)

function probeType(probe: ProbeType) {
  const inputs = probeInputs[probe].map(({ key, type, label, required }) => [key, { type, label, required }] as const)
  return fieldType({
    key: probe,
    label: probe,
    inputs: Object.fromEntries(inputs),
    blocks: { [BLOCK]: { kind: 'search_select', label: 'Pick', options: [{ id: 'a', label: 'A' }] } },
    outputs: { note: { type: 'text', label: 'Note' } },
    compute: () => ({ note: null }),
  })
}

function derOf(pem: string): Uint8Array<ArrayBuffer> {
  const der = platform.base64.decode(pem.replaceAll(/-----[^-]+-----|\s/g, ''))
  if (der === null) throw new Error('the key is not base64')
  return der
}

function requestOf(body: string): string {
  const parsed: unknown = JSON.parse(body)
  return typeof parsed === 'object' && parsed !== null && 'request' in parsed ? String(parsed.request) : ''
}
