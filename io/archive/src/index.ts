export { ARCHIVE_LIMITS, type ArchiveEntry, type ArchiveLimits } from './entry.ts'
export { readArchive } from './read-archive.ts'
export { ARCHIVE_REFUSALS, type ArchiveRefusal } from './refusal.ts'
export { writeArchive } from './write-archive.ts'
