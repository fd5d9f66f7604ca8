/** The largest page of the platform. */
const PAGE_LIMIT = '500'

export function pageQuery(cursor: string | undefined): { readonly limit: string; readonly cursor?: string } {
  return cursor === undefined ? { limit: PAGE_LIMIT } : { limit: PAGE_LIMIT, cursor }
}

/** A list as the wire has it; older installations answer some lists as a bare array. */
export type Page<Item> = readonly Item[] | { readonly items: readonly Item[]; readonly next_cursor?: string | null }

/** Every item of a list; pages are read on demand. */
export async function* everyItem<Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined
  for (;;) {
    const page = await readPage(cursor)
    if (isBare(page)) return yield* page
    yield* page.items
    const next = page.next_cursor ?? undefined
    if (next === undefined) return undefined
    if (next === cursor) throw new Error('the list answered the same next_cursor twice: it would never end')
    cursor = next
  }
}

function isBare<Item>(page: Page<Item>): page is readonly Item[] {
  return Array.isArray(page)
}
