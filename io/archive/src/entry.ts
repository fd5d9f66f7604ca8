/** A file of an archive. */
export interface ArchiveEntry {
  /** Parts with `/` between them: see `isEntryName`. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** What reading an archive may cost. */
export interface ArchiveLimits {
  readonly maxEntries: number
  readonly maxEntryBytes: number
  /** Of all files, unpacked. */
  readonly maxTotalBytes: number
}

/** A flow with its assets: each as large as a document may be. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 600,
  maxEntryBytes: 25 * 1_048_576,
  maxTotalBytes: 128 * 1_048_576,
}
