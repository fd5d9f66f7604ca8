import { hostPlatform } from '../keys/host.ts'

/** A file to share. */
export interface FileToShare {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly originalName: string
}

/** For file types: one file, or the pages of an identity document, with their metadata. */
export interface FilesToShare {
  readonly file?: FileToShare
  /** A smaller picture of a photo. */
  readonly thumb?: FileToShare
  readonly pages?: readonly (FileToShare & { readonly label?: 'front' | 'back' | 'additional' })[]
  /** The holder of an identity document, or the title of a document. */
  readonly name?: string
  /** Further entries of the type, such as `document_number` and `expiry_date`. */
  readonly entries?: Readonly<Record<string, string>>
}

/** The parts of a type that decide about the members of an envelope. */
export interface EnvelopeForm {
  readonly input: string | null
  readonly lane: string | null
}

/** The text to seal; for a field that is not private, the text to store. */
export function writeEnvelope({ input, lane }: EnvelopeForm, files: FilesToShare): string {
  const { name, entries = {} } = files
  const about = { ...(name === undefined ? {} : { name }), ...entries }
  if (input === 'pages') return JSON.stringify({ pages: (files.pages ?? []).map(pageOf), ...about })
  const file = files.file ?? absentFile()
  if (lane === 'photo') return JSON.stringify({ full: dataUriOf(file), ...thumbOf(files.thumb) })
  return JSON.stringify({ ...factsOf(file), ...about })
}

export function dataUriOf({ bytes, mimeType }: FileToShare): string {
  return `data:${mimeType};base64,${hostPlatform().base64.encode(Uint8Array.from(bytes))}`
}

function pageOf({ label, ...file }: NonNullable<FilesToShare['pages']>[number]): object {
  return { ...factsOf(file), ...(label === undefined ? {} : { label }) }
}

function factsOf(file: FileToShare): object {
  const { originalName, mimeType, bytes } = file
  return { file: dataUriOf(file), original_name: originalName, mime_type: mimeType, size: bytes.length }
}

function thumbOf(thumb: FileToShare | undefined): object {
  return thumb === undefined ? {} : { thumb: dataUriOf(thumb) }
}

function absentFile(): never {
  throw new TypeError('this field takes a file: give {file: {bytes, mimeType, originalName}}')
}
