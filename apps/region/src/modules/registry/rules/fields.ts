import type { ContactField } from '../model.ts'
import { isPlatformSlug } from './platform-fields.ts'

const LONGEST_SLUG = 64

/** Whether profiles of this user type may fill the field. */
export function mayFill({ usertype }: Pick<ContactField, 'usertype'>, userType: 'person' | 'company'): boolean {
  return usertype === 'any' || usertype === userType
}

/** Makes a slug from a label, unique among `taken`: `Shoe size` becomes `shoe_size`, the next one `shoe_size_2`. */
export function slugFor(label: string, taken: ReadonlySet<string>): string {
  const words = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
  const base = words === '' ? 'field' : words
  for (let turn = 1; ; turn += 1) {
    const suffix = turn === 1 ? '' : `_${turn}`
    const slug = base.slice(0, LONGEST_SLUG - suffix.length) + suffix
    if (!taken.has(slug) && !isPlatformSlug(slug)) return slug
  }
}
