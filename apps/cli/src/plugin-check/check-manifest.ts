import { type CryptoPlatform, isPublicKey, isVouchedKey } from '@sealpost/crypto'
import { type Manifest, parseManifest, PLUGIN_LIMITS as LIMITS } from '@sealpost/plugin'
import { type Answer, type Peer, wordsOf } from './peer.ts'
import type { Report } from './report.ts'

/** The description of the plugin; null when it cannot be used, and nothing else can be checked. */
export async function checkManifest(platform: CryptoPlatform, peer: Peer, report: Report): Promise<Manifest | null> {
  report.begin('manifest.answer')
  const answer = await peer.get('/manifest')
  if (answer.kind === 'failed' || answer.status !== 200) {
    noteRefusal(report, answer)
    return null
  }
  report.begin('manifest.size')
  report.begin('manifest.time')
  if (answer.totalMs > LIMITS.manifestMs) {
    const happened = `the manifest took ${answer.totalMs} ms`
    report.warn(
      'manifest.time',
      happened,
      'After a change of the key the forwarder waits one second for it; keep it in memory.',
    )
  }
  const manifest = readManifest(platform, report, answer.text)
  if (manifest !== null) await checkRollovers(platform, report, manifest)
  return manifest
}

/** The key before the first entry is not known here, so the chain is followed from the key of that entry. */
async function checkRollovers(platform: CryptoPlatform, report: Report, manifest: Manifest): Promise<void> {
  const { public_key: present, key_rollovers: [first, ...rest] = [] } = manifest
  if (first === undefined) return
  report.begin('manifest.rollovers')
  const isChain = rest.length === 0 ? first.public_key === present : false
  if (isChain || (await isVouchedKey(platform, first.public_key, present, rest))) return
  const remedy =
    'Make the list by `sealpost plugin key --previous`, or by rollOverKey of the kit, for exactly this key.'
  report.fail('manifest.rollovers', 'key_rollovers do not lead to public_key, so clients refuse the key', remedy)
}

function noteRefusal(report: Report, answer: Answer): void {
  if (answer.kind === 'failed' && answer.failure.kind === 'too_large') {
    report.fail('manifest.size', wordsOf(answer), 'A manifest has at most 256 KiB: serve fewer field types.')
    return
  }
  const isToken = answer.kind === 'answered' && (answer.status === 401 || answer.status === 403)
  const remedy = isToken
    ? 'Give the token that the plugin expects: --token-file FILE.'
    : 'Start the plugin, and give the address that /manifest and /call are below.'
  report.fail('manifest.answer', `GET /manifest was ${wordsOf(answer)}`, remedy)
}

function readManifest(platform: CryptoPlatform, report: Report, text: string): Manifest | null {
  report.begin('manifest.rules')
  const parsed = parseManifest(parseJson(text), (key) => isPublicKey(platform, key))
  if (parsed.ok) {
    for (const { key, blocks } of parsed.value.field_types) {
      if (blocks.length > 0) continue
      const remedy = 'Flows show the blocks as the answer of the field; add a block for the person to pick or confirm.'
      report.warn('manifest.rules', `field type ${key} has no blocks, so its answer reads as empty`, remedy)
    }
    return parsed.value
  }
  for (const { path, problem } of parsed.refusal) {
    const happened = path === '' ? `the manifest ${problem}` : `${path} ${problem}`
    report.fail(
      'manifest.rules',
      happened,
      'Correct this member of the manifest; the forwarder stores none that breaks a rule.',
    )
  }
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
