import type { PageLabel } from '../../worker/commands/data.ts'

/** Of the platform. */
export const MOST_PAGES = 10

/** The first page is most likely the front, the second the back. */
export function labelOfNext(pages: readonly { readonly label: PageLabel }[]): PageLabel {
  const has = (label: PageLabel): boolean => pages.some((page) => page.label === label)
  if (!has('front')) return 'front'
  return has('back') ? 'additional' : 'back'
}
