const ORIENTATION = 0x0112
const ENTRY_BYTES = 12
/** The limit for the first directory; a camera writes a dozen entries. */
const MAX_ENTRIES = 256

/** The orientation in a TIFF structure, which EXIF is; 1, upright, for anything that cannot be read. */
export function readOrientation(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1
  const isLittle = order === 'II'
  const uint16 = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return 1
  const count = Math.min(uint16(directory), MAX_ENTRIES)
  for (let entry = 0; entry < count; entry += 1) {
    const at = directory + 2 + entry * ENTRY_BYTES
    if (at + ENTRY_BYTES > tiff.length) return 1
    if (uint16(at) === ORIENTATION) return known(uint16(at + 8))
  }
  return 1
}

function known(orientation: number): number {
  return orientation >= 1 && orientation <= 8 ? orientation : 1
}
