import { isWhitespace } from '../reader/characters.ts'
import { inflate } from '../reader/inflate.ts'
import { type InlineImage, nameOf, numberOf, type Operand } from './operands.ts'

const COMPONENTS: Readonly<Record<string, number>> = {
  G: 1,
  DeviceGray: 1,
  RGB: 3,
  DeviceRGB: 3,
  CMYK: 4,
  DeviceCMYK: 4,
}
/** After the data: more than a line end could be data for another viewer. */
const MOST_BEHIND = 2
const CHECKSUM = 4

/**
 * Whether the data of a picture ends where its `EI` was found: some viewers look for the word, others compute the size.
 * False for filters whose end cannot be told.
 */
export function endsAtItsWord(content: Uint8Array, image: InlineImage, maxBytes: number): boolean {
  const members = membersOf(image.members)
  // One character of white space stands behind `ID`.
  const data = content.subarray(image.start + 1, image.end)
  if (members === null || !isWhitespace(content[image.start])) return false
  const size = sizeOf(members, data, maxBytes)
  if (size === null || size > data.length || data.length - size > MOST_BEHIND) return false
  return data.subarray(size).every((byte) => isWhitespace(byte))
}

function membersOf(operands: readonly Operand[]): ReadonlyMap<string, Operand> | null {
  const members = new Map<string, Operand>()
  for (let at = 0; at < operands.length; at += 2) {
    const [key, value] = [nameOf(operands[at]), operands[at + 1]]
    if (key === null || value === undefined || members.has(key)) return null
    members.set(key, value)
  }
  return members
}

function sizeOf(members: ReadonlyMap<string, Operand>, data: Uint8Array, maxBytes: number): number | null {
  const filter = members.get('F') ?? members.get('Filter')
  if (filter === undefined) return plainSize(members)
  const only = filter.kind === 'array' && filter.items.length === 1 ? filter.items[0] : filter
  switch (nameOf(only)) {
    case 'AHx':
    case 'ASCIIHexDecode':
      return endOf(data, '>')
    case 'A85':
    case 'ASCII85Decode':
      return endOf(data, '~>')
    case 'Fl':
    case 'FlateDecode':
      return inflate(data, maxBytes).end + CHECKSUM
    case 'RL':
    case 'RunLengthDecode':
      return endOfRuns(data)
    case null:
    default:
      return null
  }
}

function plainSize(members: ReadonlyMap<string, Operand>): number | null {
  const isMask = (members.get('IM') ?? members.get('ImageMask')) !== undefined
  const space = members.get('CS') ?? members.get('ColorSpace')
  const components = isMask || space?.kind === 'array' ? 1 : COMPONENTS[nameOf(space) ?? '']
  const [width, height] = [members.get('W') ?? members.get('Width'), members.get('H') ?? members.get('Height')]
  const bits = isMask ? 1 : numberOf(members.get('BPC') ?? members.get('BitsPerComponent'))
  if (components === undefined || bits === 0) return null
  return Math.ceil((numberOf(width) * components * bits) / 8) * numberOf(height)
}

function endOf(data: Uint8Array, mark: string): number | null {
  const last = mark.charCodeAt(mark.length - 1)
  const at = data.indexOf(last)
  return at < 0 || (mark.length === 2 && data[at - 1] !== mark.charCodeAt(0)) ? null : at + 1
}

function endOfRuns(data: Uint8Array): number | null {
  for (let at = 0; at < data.length;) {
    const head = data[at] ?? 128
    if (head === 128) return at + 1
    at += head < 128 ? head + 2 : 2
  }
  return null
}
