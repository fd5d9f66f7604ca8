import { parseRecord } from '@sealpost/pdf-format'
import type { Job } from './frames.ts'

export function isJob(head: unknown): head is Job {
  if (typeof head !== 'object' || head === null || !('type' in head)) return false
  if (head.type === 'inspect') return true
  if (head.type !== 'seal' || !('record' in head) || !('signerName' in head) || !('reservedBytes' in head)) return false
  const isPlain = typeof head.signerName === 'string' && typeof head.reservedBytes === 'number'
  return isPlain && parseRecord(JSON.stringify(head.record)) !== null
}
