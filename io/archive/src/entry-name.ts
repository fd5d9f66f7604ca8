const MAX_NAME_BYTES = 255
/** What Windows forbids or reads as a folder. */
const FORBIDDEN = /[\\:*?"<>|]/
/** Control characters, and marks that are not seen or change the direction of text. */
const UNSEEN = /\p{Cc}|\p{Cf}/u
/** Names of devices on Windows, with or without an extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** A relative path that means the same file on every system. */
export function isEntryName(name: string): boolean {
  if (name === '' || Buffer.byteLength(name) > MAX_NAME_BYTES || name !== name.normalize('NFC')) return false
  return !FORBIDDEN.test(name) && !UNSEEN.test(name) && name.split('/').every(isPart)
}

/** No empty part, no way up, and no end that Windows drops. */
function isPart(part: string): boolean {
  return part !== '' && !/[. ]$/.test(part) && !part.startsWith(' ') && !DEVICE.test(part)
}

/** Whether two of the names are one file on a system that ignores case, or one is a folder of another. */
export function haveDuplicates(names: readonly string[]): boolean {
  const folded = names.map((name) => name.toLowerCase())
  const all = new Set(folded)
  return all.size < names.length || folded.some((name) => foldersOf(name).some((folder) => all.has(folder)))
}

function foldersOf(name: string): readonly string[] {
  const parts = name.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
