import { parseRecord } from '@sealpost/pdf-format'
import type { Job } from './frames.ts'

export function isJob(head: unknown): head is Job {
  if (typeof head !== 'object' || head === null || !('type' in head)) return false
  if (head.type === 'inspect' || head.type === 'scan') return true
  if (head.type === 'fill') return 'values' in head && isTextMap(head.values)
  if (head.type !== 'seal' || !('record' in head) || !('signerName' in head) || !('reservedBytes' in head)) return false
  const isPlain = typeof head.signerName === 'string' && typeof head.reservedBytes === 'number'
  return isPlain && 'validation' in head && isValidation(head.validation) && isRecord(head.record)
}

function isRecord(value: unknown): boolean {
  return parseRecord(JSON.stringify(value)) !== null
}

function isValidation(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('certificates' in value) || !('lists' in value)) return false
  return isTexts(value.certificates) && isTexts(value.lists)
}

function isTextMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isTexts(Object.values(value))
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
