import { parseDataUri } from '@sealpost/field-types'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { AssetKind } from '../model.ts'

const MEGABYTE = 1_048_576

interface FileType {
  readonly kind: AssetKind
  readonly mimeType: string
  /** The first bytes, in hex: other bytes under this type could attack their reader. */
  readonly start: string
}

const TYPES: Readonly<Record<string, FileType>> = {
  pdf: { kind: 'pdf', mimeType: 'application/pdf', start: '255044462d' },
  png: { kind: 'image', mimeType: 'image/png', start: '89504e470d0a1a0a' },
  jpg: { kind: 'image', mimeType: 'image/jpeg', start: 'ffd8ff' },
  jpeg: { kind: 'image', mimeType: 'image/jpeg', start: 'ffd8ff' },
}

export interface AssetFile {
  readonly kind: AssetKind
  readonly mimeType: string
  readonly originalName: string
  readonly content: Uint8Array
}

export interface AssetRefusal {
  readonly key: 'flows.asset_invalid' | 'documents.too_large'
  readonly reason: string
}

export interface AssetLimits {
  readonly DOCUMENT_MAX_MB: number
  readonly PHOTO_MAX_MB: number
}

/** The file of a data URI. */
export function readAssetGiven(
  file: unknown,
  originalName: string,
  limits: AssetLimits,
): Result<AssetFile, AssetRefusal> {
  const parts = typeof file === 'string' ? parseDataUri(file) : null
  if (parts === null || parts.base64 === '') return unusable('`file` is not a data URI with base64')
  const type = typeOf(originalName)
  if (type === null) return unusable('The name of the file does not end in .pdf, .png, .jpg or .jpeg')
  if (type.mimeType !== parts.mimeType) return unusable(`The data URI is not of the type ${type.mimeType}`)
  const tooLarge = refuseLarge(type.kind, parts.byteLength, limits)
  return tooLarge ?? checkAsset({ originalName, content: Buffer.from(parts.base64, 'base64') }, limits)
}

/** Name, bytes and size of a file must agree. */
export function checkAsset(
  { originalName, content }: Pick<AssetFile, 'originalName' | 'content'>,
  limits: AssetLimits,
): Result<AssetFile, AssetRefusal> {
  const type = typeOf(originalName)
  if (type === null) return unusable('The name of the file does not end in .pdf, .png, .jpg or .jpeg')
  const tooLarge = refuseLarge(type.kind, content.length, limits)
  if (tooLarge !== null) return tooLarge
  const { kind, mimeType, start } = type
  if (!Buffer.from(content.subarray(0, 16)).toString('hex').startsWith(start)) {
    return unusable(`The file is not of the type ${mimeType}`)
  }
  return accept({ kind, mimeType, originalName, content })
}

function typeOf(originalName: string): FileType | null {
  const extension = /\.([a-z]+)$/i.exec(originalName)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined) ?? null
}

function refuseLarge(kind: AssetKind, bytes: number, limits: AssetLimits): Result<never, AssetRefusal> | null {
  const megabytes = kind === 'pdf' ? limits.DOCUMENT_MAX_MB : limits.PHOTO_MAX_MB
  if (bytes <= megabytes * MEGABYTE) return null
  return decline({ key: 'documents.too_large', reason: `The file has more than ${megabytes} MB` })
}

function unusable(reason: string): Result<never, AssetRefusal> {
  return decline({ key: 'flows.asset_invalid', reason })
}
