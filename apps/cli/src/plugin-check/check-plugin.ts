import { createCryptoPlatform } from '@sealpost/crypto'
import type { Egress } from '@sealpost/egress'
import { type FieldType, type Filled, type Manifest, writeQuestion } from '@sealpost/plugin'
import { UsageError } from '../terminal.ts'
import { Asking, newReplyKey } from './asking.ts'
import { checkFieldType } from './check-field-type.ts'
import { checkManifest } from './check-manifest.ts'
import { checkMalformed, checkParallel, checkSizes, checkToken, checkWrongKey } from './check-requests.ts'
import { openPeer } from './peer.ts'
import { type Finding, Report } from './report.ts'
import { inputsOf } from './sample-inputs.ts'

export interface PluginToCheck {
  readonly baseUrl: URL
  readonly token: string | null
  /** Texts by input key. */
  readonly inputs: ReadonlyMap<string, string>
  /** Only this field type; null for all. */
  readonly fieldType: string | null
  readonly signal: AbortSignal
}

export interface Checked {
  readonly manifest: Manifest | null
  readonly findings: readonly Finding[]
}

const platform = createCryptoPlatform(globalThis)

/** Calls a plugin as the forwarder and its clients do, and as they never would. */
export async function checkPlugin(egress: Egress, plugin: PluginToCheck): Promise<Checked> {
  const report = new Report()
  checkAddress(report, plugin.baseUrl)
  const baseUrl = plugin.baseUrl.href.replace(/\/+$/, '')
  const peer = openPeer(egress, report, { baseUrl, token: plugin.token, signal: plugin.signal })
  const manifest = await checkManifest(platform, peer, report)
  if (manifest === null) return { manifest, findings: report.findings() }
  const replyKeys = [await newReplyKey(platform), await newReplyKey(platform)] as const
  const asking = new Asking(platform, { manifest, peer, report }, replyKeys)
  const parts = { peer, report, asking, replyKey: replyKeys[0] }
  if (plugin.token !== null) await checkToken(parts)
  const fieldTypes = chosen(manifest, plugin.fieldType)
  let valid: { readonly question: (replyKey: string) => string } | null = null
  for (const fieldType of fieldTypes) {
    const filled = await checkFieldType(parts, fieldType, inputsOf(fieldType, plugin.inputs))
    if (filled !== null) valid ??= { question: (replyKey) => outputsQuestion(fieldType, filled, replyKey) }
  }
  const [first] = fieldTypes
  if (first !== undefined) {
    await checkWrongKey(parts, outputsQuestion(first, EMPTY, replyKeys[0].publicKey))
    await checkMalformed(parts, first)
  }
  if (valid !== null) {
    await checkSizes(parts, valid)
    await checkParallel(parts, valid)
  }
  return { manifest, findings: report.findings() }
}

const EMPTY: Filled = { picks: new Map(), values: new Map(), inputs: new Map() }

function outputsQuestion({ key }: FieldType, filled: Filled, replyKey: string): string {
  return writeQuestion({ op: 'outputs' }, key, filled, replyKey)
}

function chosen({ field_types: all }: Manifest, wanted: string | null): readonly FieldType[] {
  if (wanted === null) return all
  const found = all.filter(({ key }) => key === wanted)
  if (found.length > 0) return found
  throw new UsageError(`the plugin has no field type ${wanted}; it has: ${all.map(({ key }) => key).join(', ')}`)
}

/** What a company can register; on the author's own machine it is too early for that. */
function checkAddress(report: Report, { protocol, port, hostname }: URL): void {
  report.begin('address.form')
  if (protocol === 'https:' && port === '') return
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const happened = `${protocol}//${hostname}${port === '' ? '' : `:${port}`} cannot be registered`
  const remedy = `A company registers an address with https on port 443${isLocal ? '; for trying it here this is fine' : ''}.`
  report.warn('address.form', happened, remedy)
}
