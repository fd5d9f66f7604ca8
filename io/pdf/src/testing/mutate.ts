type Bytes = Buffer

/** A number from 0 to below the limit. */
type Below = (limit: number) => number

/** The same file with one to four random changes. */
export function mutate(file: Uint8Array, below: Below): Bytes {
  let bytes: Bytes = Buffer.from(file)
  for (let left = 1 + below(4); left > 0 && bytes.length > 0; left -= 1) {
    const change = CHANGES[below(CHANGES.length)]
    bytes = change?.(bytes, below(bytes.length), below) ?? bytes
  }
  return bytes
}

type Change = (bytes: Bytes, at: number, below: Below) => Bytes

const CHANGES: readonly Change[] = [replaceByte, flipBit, cutOut, cutEnd, repeatPiece, changeNumber, exchangeName]

function replaceByte(bytes: Bytes, at: number, below: Below): Bytes {
  bytes[at] = below(256)
  return bytes
}

function flipBit(bytes: Bytes, at: number, below: Below): Bytes {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
  return bytes
}

function cutOut(bytes: Bytes, at: number, below: Below): Bytes {
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(256))])
}

function cutEnd(bytes: Bytes, at: number): Bytes {
  return bytes.subarray(0, at)
}

function repeatPiece(bytes: Bytes, at: number, below: Below): Bytes {
  const from = below(bytes.length)
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, from + 200), bytes.subarray(at)])
}

function changeNumber(bytes: Bytes, at: number): Bytes {
  const place = bytes.findIndex((byte, index) => index >= at && byte >= 0x30 && byte <= 0x39)
  if (place >= 0) bytes[place] = 0x30 + (((bytes[place] ?? 0) - 0x2f) % 10)
  return bytes
}

function exchangeName(bytes: Bytes, at: number): Bytes {
  const text = bytes.toString('latin1')
  const found = /\/[A-Z][A-Za-z]+/.exec(text.slice(at))
  if (found === null) return bytes
  const start = at + found.index
  return Buffer.from(`${text.slice(0, start)}/Kids${text.slice(start + found[0].length)}`, 'latin1')
}
