/** The records of a zip archive (APPNOTE 6.3.10), as far as they are read and written here. */
export const LOCAL = { signature: 0x04034b50, length: 30 } as const
export const CENTRAL = { signature: 0x02014b50, length: 46 } as const
export const END = { signature: 0x06054b50, length: 22 } as const
export const DESCRIPTOR_SIGNATURE = 0x08074b50

export const FLAGS = {
  encrypted: 1 << 0,
  /** Sizes follow the data. */
  descriptor: 1 << 3,
  utf8: 1 << 11,
} as const

/** Bits that packers set: how hard they tried (1, 2), and the two above. */
export const KNOWN_FLAGS = FLAGS.descriptor | FLAGS.utf8 | (1 << 1) | (1 << 2)
/** Bits of encryption: itself, strong, hidden headers. */
export const ENCRYPTION_FLAGS = FLAGS.encrypted | (1 << 6) | (1 << 13)

export const METHODS = { stored: 0, deflated: 8 } as const

/** Extra fields that change what the rest of an entry means: sizes of zip64, another name, encryption. */
export const MEANINGFUL_EXTRA = new Set([0x0001, 0x7075, 0x0017, 0x9901])
