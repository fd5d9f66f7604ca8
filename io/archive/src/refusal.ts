/** Why an archive cannot be read. Nothing is skipped or repaired: two programs must see the same files in it. */
export type ArchiveRefusal =
  | 'not_zip'
  | 'damaged'
  | 'too_large'
  | 'too_many_entries'
  | 'bomb'
  | 'encrypted'
  | 'unsupported'
  | 'link'
  | 'name_invalid'
  | 'name_duplicate'

/** One sentence each, for an answer or a form. */
export const ARCHIVE_REFUSALS = {
  not_zip: 'The file is not a zip archive.',
  damaged: 'The archive is damaged: its directory and its files contradict each other.',
  too_large: 'The files of the archive are too large.',
  too_many_entries: 'The archive has too many files.',
  bomb: 'A file of the archive is packed more than 200 times smaller than it is.',
  encrypted: 'The archive is encrypted.',
  unsupported: 'The archive uses a feature that is not read here: pack it again as a plain zip without a comment.',
  link: 'The archive has a link or a device instead of a file.',
  name_invalid: 'A file of the archive has a name that is not allowed.',
  name_duplicate: 'Two files of the archive have the same name.',
} satisfies Record<ArchiveRefusal, string>

/** Carries a refusal to `readArchive`, the one place that turns it into a value. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
  readonly refusal: ArchiveRefusal

  constructor(refusal: ArchiveRefusal, detail: string) {
    super(`${refusal}: ${detail}`)
    this.refusal = refusal
  }
}
