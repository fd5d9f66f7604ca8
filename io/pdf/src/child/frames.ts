import type { PdfFacts, PdfRefusal, SealRecord, TemplateScan } from '@sealpost/pdf-format'
import type { FillOutcome } from '../fill/fill-report.ts'
import { isFacts, isRefusal } from './answers.ts'
import { readOutcome } from './read-outcome.ts'
import { readScan } from './read-scan.ts'

/** What a child is asked to do with one file. */
export type Job =
  | { readonly type: 'inspect' }
  | { readonly type: 'scan' }
  | { readonly type: 'fill'; readonly values: Readonly<Record<string, string>> }
  | {
      readonly type: 'seal'
      readonly record: SealRecord
      readonly signerName: string
      readonly reservedBytes: number
      /** Base64. */
      readonly validation: { readonly certificates: readonly string[]; readonly lists: readonly string[] }
    }

export type Answer =
  | { readonly type: 'refused'; readonly refusal: PdfRefusal }
  | { readonly type: 'accepted'; readonly facts: PdfFacts }
  | { readonly type: 'scanned'; readonly scan: TemplateScan }
  /** The file follows; nothing follows if it has no tags. */
  | { readonly type: 'filled'; readonly outcome: FillOutcome }

/** A JSON head with its length before it, then bytes up to the end. */
export function packFrame(head: Job | Answer, bytes: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(head), 'utf8')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(json.length)
  return Buffer.concat([size, json, bytes])
}

export function unpackFrame(data: Buffer): { readonly head: unknown; readonly bytes: Buffer } | null {
  if (data.length < 4 || data.length < 4 + data.readUInt32BE(0)) return null
  const end = 4 + data.readUInt32BE(0)
  const head: unknown = JSON.parse(data.toString('utf8', 4, end))
  return { head, bytes: data.subarray(end) }
}

/** The head of an answer: a child that reads untrusted files is not trusted either. */
export function readAnswer(head: unknown): Answer | null {
  if (typeof head !== 'object' || head === null || !('type' in head)) return null
  if (head.type === 'refused' && 'refusal' in head && isRefusal(head.refusal))
    return { type: 'refused', refusal: head.refusal }
  if (head.type === 'accepted' && 'facts' in head && isFacts(head.facts)) return { type: 'accepted', facts: head.facts }
  if (head.type === 'filled' && 'outcome' in head) {
    const outcome = readOutcome(head.outcome)
    return outcome === null ? null : { type: 'filled', outcome }
  }
  if (head.type !== 'scanned' || !('scan' in head)) return null
  const scan = readScan(head.scan)
  return scan === null ? null : { type: 'scanned', scan }
}
