import type { Lane } from '../registry/row.ts'

/**
 * The maximum size of a file field in megabytes (of 1,048,576 bytes); the settings DOCUMENT_MAX_MB and PHOTO_MAX_MB.
 */
export interface FileCaps {
  readonly documentMaxMb: number
  readonly photoMaxMb: number
}

export const defaultFileCaps: FileCaps = { documentMaxMb: 25, photoMaxMb: 5 }

/**
 * The maximum length of a value that is no file: of a sealed one in characters, of a clear one in bytes. Pages of events
 * and lists hold hundreds of them.
 */
export const INLINE_VALUE_MAX = 65_536

const MEGABYTE = 1_048_576
const SEALED_MARGIN = 65_536

/** The lane's maximum, which a flow's element may lower but never raise. */
export function fileCapMb(lane: Lane | null, caps: FileCaps = defaultFileCaps, elementMaxMb?: number): number {
  const laneMax = lane === 'photo' ? caps.photoMaxMb : caps.documentMaxMb
  const isLower = elementMaxMb !== undefined && elementMaxMb > 0 && elementMaxMb < laneMax
  return isLower ? elementMaxMb : laneMax
}

export function megabytes(count: number): number {
  return count * MEGABYTE
}

/**
 * The maximum length of a sealed value in characters: base64 twice, for the data URI and for the wrapper, and some
 * members.
 */
export function sealedTextMax(capMb: number): number {
  return Math.floor((capMb * MEGABYTE * 16) / 9) + SEALED_MARGIN
}
